// Calls of sites: locations with cameras of this installation, and direct access to their media.
import { z } from 'zod';
import { call } from '../call.ts';
import { deviceSerial, id, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { PAGE_SIZE } from '../limits.ts';
import { SITE_NAME_MAX } from '../remote-site.ts';
import { pageSize, pageStart } from './user.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;

export const siteName = z
  .string()
  .trim()
  .min(1)
  .max(SITE_NAME_MAX)
  .regex(/^[^<>\p{Cc}]*$/u);

export const Site = z.object({
  /** `local` is the site beside the server. */
  siteId: z.string(),
  /** Empty for the site beside the server until it is given a name. */
  siteName: z.string(),
  isLocal: z.boolean(),
  /** `waiting`: no machine has used its code yet. */
  status: z.enum(['online', 'offline', 'waiting']),
  cameraTotal: z.number().int(),
  /** This and the fields below are for the operator only; empty or null for others. */
  serial: z.string(),
  version: z.string(),
  /** Remote address of its connection, as seen by the server. */
  address: z.string(),
  lastSeen: timeMs.nullable(),
  /** Until when its registration code may be used; null without one. */
  codeUntil: timeMs.nullable(),
});
export type Site = z.infer<typeof Site>;

/** Shown once; not stored. */
export const SiteCode = z.object({
  site: Site,
  /** 25 letters and digits in groups of five. */
  registrationCode: z.string(),
  /** SHA-256 of the certificate of our own authority; empty with a certificate of the operator's own. */
  authority: z.string(),
  /** To be run on the machine beside the cameras. */
  command: z.string(),
});
export type SiteCode = z.infer<typeof SiteCode>;

const oneSite = z.object({ siteId: id }).strict();

export const NatFactor = z.object({
  /** Time of this observation. */
  timestamp: timeMs,
  /** NAT_MODE. */
  mode: z.number().int(),
  /** 0 to 100: chance that a direct connection succeeds. */
  factor: z.number().int(),
  /** Changes when the device moves to another network: observations under another key are void. */
  devKey: z.string(),
});
export type NatFactor = z.infer<typeof NatFactor>;

export const siteCalls = {
  'site/list': call({
    summary: 'Sites where the caller may add devices',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), siteList: z.array(Site) }),
  }),
  'site/add': call({
    summary: 'Expect another site; answers its serial and a one-time registration code',
    permission: operatorOnly,
    audit: 'write',
    errors: [1011],
    input: z.object({ siteName }).strict(),
    output: SiteCode,
  }),
  'site/code': call({
    summary: 'A new registration code for a site, for example for another machine; the earlier code is void',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007],
    input: oneSite,
    output: SiteCode,
  }),
  'site/rename': call({
    summary: 'Rename a site',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007],
    input: z.object({ siteId: id, siteName }).strict(),
    output: z.object({ site: Site }),
  }),
  'site/delete': call({
    summary: 'Forget a site without devices; its machine is let in no more',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007, 1016],
    input: oneSite,
    output: z.object({}),
  }),
  'nat/factor': call({
    summary: 'Whether media of a device can be had without the centre',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1009],
    input: z.object({ deviceSerial }).strict(),
    output: NatFactor,
  }),
  'nat/list': call({
    summary: 'Whether media can be had without the centre, for all devices that the caller may see',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({ pageStart, pageSize: pageSize(PAGE_SIZE.nat) }).strict(),
    output: z.object({
      total: z.number().int(),
      natList: z.array(NatFactor.extend({ deviceSerial: z.string() })),
    }),
  }),
} as const;
