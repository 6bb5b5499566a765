// Audit log entries of one call: one for the caller and the owner concerned, one per owner where there are several.
import type { AuditDetail, AuditItem, AuditWay } from '@vedette/contract/audit-detail.ts';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type AuditedChange, type ChangeBefore, readChange } from '../audit/audited-change.ts';
import type { AuthorizedDevice } from '../auth/authorize.ts';
import type { Principal } from '../auth/principal.ts';
import type { AuditLine } from '../database/account/audit.queries.ts';
import { findNamedShare, nameOfChannel, type OwnedItem } from '../database/account/audit-names.queries.ts';
import type { Database } from '../database/connection.ts';
import type { OrganizationRow } from '../database/schema/schema.ts';

/** What an owner's log is told. */
export interface AuditPart {
  /** In whose logs it stands, beside that of who acted. */
  readonly ownerIds: readonly string[];
  readonly detail: AuditDetail;
}

export interface AuditTrail {
  accountId: string | null;
  sessionId: string | null;
  /** The app that makes the call in the account's name. */
  app: AuditDetail['app'];
  object: string | null;
  /** Owners of what was touched. */
  readonly ownerIds: string[];
  /** Where there are any, each is a line in place of the one for all. */
  readonly parts: AuditPart[];
  /** What the rule of the call has checked. */
  device: AuthorizedDevice | null;
  channelNo: number | undefined;
  /** Whose objects the caller works on; null before the sign-in. */
  callerOwnerId: string | null;
  /** Of calls that change something, what was there. */
  before: ChangeBefore | null;
  isPreview: boolean;
}

export function emptyTrail(): AuditTrail {
  return {
    accountId: null,
    sessionId: null,
    app: undefined,
    object: null,
    ownerIds: [],
    parts: [],
    device: null,
    channelNo: undefined,
    callerOwnerId: null,
    before: null,
    isPreview: false,
  };
}

/** Who makes the call, and on whose objects. */
export function noteCaller(trail: AuditTrail, { userId, ownerId, sessionId, app }: Principal): void {
  trail.accountId = userId;
  trail.sessionId = sessionId;
  if (app !== undefined) trail.app = { appId: app.appId, appName: app.appName };
  trail.callerOwnerId = ownerId ?? userId;
}

const WAYS: { readonly [Path in CallPath]?: AuditWay } = {
  'media/url': 'live',
  'record/url': 'playback',
  'record/hls': 'playback',
  'capture/get': 'snapshot',
  'talk/url': 'talk',
};

/** Whose log a line belongs into beside that of who acted. */
export function auditOwnersOf({
  device,
  organization,
}: {
  readonly device?: AuthorizedDevice;
  readonly organization?: OrganizationRow | null;
}): string[] {
  return [device?.ownerId, organization?.owner_id].filter((ownerId) => ownerId !== undefined);
}

/** Ids of what the call touches. */
export function auditObjectOf(input: Readonly<Record<string, unknown>>): string | null {
  const names = [
    'deviceSerial',
    'channelNo',
    'organizationId',
    'shareId',
    'userId',
    'roleId',
    'groupId',
    'sessionId',
    'appId',
    'presetIndex',
  ];
  const found = names.filter((name) => input[name] !== undefined).map((name) => `${name}=${String(input[name])}`);
  return found.length === 0 ? null : found.join(' ');
}

type Common = Pick<AuditLine, 'at' | 'address' | 'code'>;

/** None for calls that are not written down, unless a handler had something to tell an owner. */
export async function auditLines(
  database: Database,
  path: CallPath,
  trail: AuditTrail,
  { data, ...common }: Common & { readonly data: unknown },
): Promise<AuditLine[]> {
  const declared = calls[path].audit;
  const { accountId, sessionId, ownerIds, parts } = trail;
  const kind = declared === 'write' ? 'write' : 'watch';
  const line = { ...common, accountId, sessionId, call: path, kind };
  if (parts.length > 0) {
    const acting = trail.app && { app: trail.app };
    return parts.map((part) => ({
      ...line,
      ...part,
      detail: { ...part.detail, ...acting },
      object: objectOfItems(part.detail.itemList),
    }));
  }
  if (declared !== 'write' && declared !== 'watch') return [];
  const isDone = common.code === ERROR_CODES.success;
  const { madeObject, ...change } = await changeOf(database, trail, { isDone, data });
  const detail = { ...(await detailOf(database, path, trail)), ...change, ...(trail.app && { app: trail.app }) };
  const hasDetail = Object.keys(detail).length > 0;
  return [
    {
      ...line,
      object: trail.object ?? madeObject ?? null,
      ownerIds,
      detail: hasDetail ? { itemList: [], ...detail } : null,
    },
  ];
}

/** What was changed or made, and why it was refused. */
async function changeOf(
  database: Database,
  { before, callerOwnerId, device, isPreview }: AuditTrail,
  { isDone, data }: { readonly isDone: boolean; readonly data: unknown },
): Promise<Partial<AuditDetail> & Pick<AuditedChange, 'madeObject'>> {
  const preview = isPreview ? { isPreview: true as const } : {};
  const change = before === null ? {} : await readChange(database, before, { isDone, answer: data, callerOwnerId });
  if (!isDone) return { ...change, ...reasonIn(data), ...preview };
  const made = device === null ? deviceIn(data) : null;
  if (made === null) return { ...change, ...preview };
  return { madeObject: `deviceSerial=${made.deviceSerial}`, ...change, itemList: [made], ...preview };
}

/** The device that a call has added. */
function deviceIn(data: unknown): AuditItem | null {
  const device = isRecord(data) ? data['device'] : null;
  if (!isRecord(device) || typeof device['deviceSerial'] !== 'string') return null;
  return { deviceSerial: device['deviceSerial'], name: String(device['deviceName'] ?? '') };
}

function reasonIn(data: unknown): Pick<AuditDetail, 'reason'> {
  const reason = isRecord(data) ? data['reason'] : null;
  return typeof reason === 'string' ? { reason } : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Of a call on one device. */
async function detailOf(database: Database, path: CallPath, trail: AuditTrail): Promise<AuditDetail | null> {
  const { device, channelNo } = trail;
  if (device === null) return null;
  const way = WAYS[path];
  const item = await auditItemOf(database, device, channelNo);
  return { ...(way && { way }), itemList: [item], ...(await auditShareOf(database, device)) };
}

export async function auditItemOf(
  database: Database,
  device: Pick<AuthorizedDevice, 'deviceId' | 'deviceSerial' | 'deviceName'>,
  channelNo: number | undefined,
): Promise<AuditItem> {
  const { deviceId, deviceSerial, deviceName } = device;
  if (channelNo === undefined) return { deviceSerial, name: deviceName };
  return { deviceSerial, channelNo, name: await nameOfChannel(database, deviceId, channelNo) };
}

/** The share by which the right is held; nothing for what is one's own or comes by a role. */
export async function auditShareOf(
  database: Database,
  { decision: { because } }: Pick<AuthorizedDevice, 'decision'>,
): Promise<Pick<AuditDetail, 'share'>> {
  if (because.kind !== 'grant' || because.shareId === null) return {};
  const share = await findNamedShare(database, because.shareId);
  return share === undefined ? {} : { share };
}

/** One for each owner, so that none reads of the devices of another. */
export function partsByOwner(
  items: readonly OwnedItem[],
  detail: Omit<AuditDetail, 'itemList'>,
  others: readonly string[] = [],
): AuditPart[] {
  return [...Map.groupBy(items, ({ ownerId }) => ownerId)].map(([ownerId, own]) => ({
    ownerIds: [ownerId, ...others],
    detail: { ...detail, itemList: distinct(own.map(({ item }) => item)) },
  }));
}

function distinct(items: readonly AuditItem[]): AuditItem[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function objectOfItems(items: readonly AuditItem[]): string {
  return items.flatMap((item) => auditObjectOf(item) ?? []).join(' ');
}
