// Table of quotas: limits of one account per kind of object. A new feature adds a row here, its count in the server and its phrases.
import { GIB } from '@vedette/foundation/units/byte-sizes.ts';
import type { MeterName } from './meters.ts';

export const QUOTA_UNITS = ['count', 'bytes', 'minutes'] as const;
export type QuotaUnit = (typeof QUOTA_UNITS)[number];

/** User types with defaults of their own; background accounts use those of ordinary ones, sub-accounts count against their owner. */
export const QUOTA_USER_TYPES = ['super', 'manage', 'ordinary'] as const;
export type QuotaUserType = (typeof QUOTA_USER_TYPES)[number];

/**
 * `account`: all that the account and its sub-accounts have together. `each`: of each single device, nothing is summed.
 * `month`: what a meter counted for the account in a calendar month of the installation's time zone.
 */
export type QuotaScope = 'account' | 'each' | 'month';

export interface QuotaRow<S extends QuotaScope = QuotaScope> {
  readonly unit: QuotaUnit;
  readonly scope: S;
  /** Default unless the operator sets another. */
  readonly usual: Readonly<Record<QuotaUserType, number>>;
  /** Highest value that the operator can set. */
  readonly ceiling: number;
}

type Usual = readonly [superUser: number, manage: number, ordinary: number];

function row(unit: QuotaUnit, [superUser, manage, ordinary]: Usual, ceiling: number): QuotaRow<'account'> {
  return { unit, scope: 'account', usual: { super: superUser, manage, ordinary }, ceiling };
}

function each(unit: QuotaUnit, usual: Usual, ceiling: number): QuotaRow<'each'> {
  return { ...row(unit, usual, ceiling), scope: 'each' };
}

/** Not limited unless the operator sets a limit. */
function month(unit: QuotaUnit, ceiling: number): QuotaRow<'month'> {
  return { ...row(unit, [ceiling, ceiling, ceiling], ceiling), scope: 'month' };
}

export const QUOTAS = {
  devices: row('count', [10_000, 5000, 500], 100_000),
  channels: row('count', [50_000, 20_000, 2000], 500_000),
  /** Limit of the site for one device. */
  channelsPerDevice: each('count', [256, 256, 256], 256),
  organizations: row('count', [10_000, 5000, 1000], 100_000),
  groups: row('count', [1000, 1000, 500], 10_000),
  roles: row('count', [1000, 1000, 200], 10_000),
  subAccounts: row('count', [10_000, 2000, 200], 100_000),
  invitations: row('count', [100, 100, 50], 1000),
  layouts: row('count', [2000, 1000, 500], 10_000),
  floorPlans: row('count', [1000, 500, 100], 5000),
  /** Given to others. */
  shares: row('count', [5000, 5000, 1000], 50_000),
  links: row('count', [500, 500, 200], 10_000),
  /** Devices offered to others and not accepted yet. */
  transfers: row('count', [500, 500, 50], 5000),
  /** Of recordings on devices of one's own. */
  locks: row('count', [10_000, 5000, 2000], 100_000),
  /** Of recordings on devices that others share. */
  sharedLocks: row('count', [50, 50, 50], 1000),
  bookmarks: row('count', [50_000, 20_000, 5000], 500_000),
  /** Waiting or running. */
  exports: row('count', [20, 20, 20], 200),
  alarmRules: row('count', [500, 500, 200], 2000),
  messageChannels: row('count', [200, 200, 50], 1000),
  ingestKeys: row('count', [50, 50, 50], 1000),
  /** Of edge intelligence. */
  analysisTasks: row('count', [2000, 1000, 200], 10_000),
  analysisTasksPerChannel: each('count', [16, 16, 16], 32),
  firmwarePackages: row('count', [200, 200, 50], 2000),
  firmwareBytes: row('bytes', [8 * GIB, 4 * GIB, 2 * GIB], 1024 * GIB),
  /** When it is used up nothing more of the account's devices is watched; recording goes on. */
  monthEgressBytes: month('bytes', 1e15),
  monthStreamMinutes: month('minutes', 1e9),
  /** When one of these is used up no further stream to a CDN is started; those that run go on. */
  monthCdnBytes: month('bytes', 1e15),
  monthCdnMinutes: month('minutes', 1e9),
} as const satisfies Readonly<Record<string, QuotaRow>>;

export type QuotaName = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as readonly QuotaName[];

/** Of which a trial may give more. */
export const TRIAL_QUOTAS = [
  'devices',
  'channels',
  'subAccounts',
  'analysisTasks',
] as const satisfies readonly QuotaName[];
export type TrialQuota = (typeof TRIAL_QUOTAS)[number];

/** Quotas of a month, and the meter that each limits. */
export const MONTH_QUOTAS = {
  monthEgressBytes: 'egressBytes',
  monthStreamMinutes: 'streamMinutes',
  monthCdnBytes: 'cdnBytes',
  monthCdnMinutes: 'cdnMinutes',
} as const satisfies Partial<Readonly<Record<QuotaName, MeterName>>>;
export type MonthQuota = keyof typeof MONTH_QUOTAS;
export const MONTH_QUOTA_NAMES = Object.keys(MONTH_QUOTAS) as readonly MonthQuota[];

/** Of streams to CDNs; the others are of watching. */
const CDN_QUOTAS: ReadonlySet<MonthQuota> = new Set(['monthCdnBytes', 'monthCdnMinutes']);

export function isOfCdn(quota: MonthQuota): boolean {
  return CDN_QUOTAS.has(quota);
}

/** `data` of 1011: the quota, its limit and its use. */
export interface QuotaExceeded {
  readonly quota: QuotaName;
  readonly limit: number;
  readonly used: number;
}
