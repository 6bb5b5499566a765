// Creates, lists and revokes guest links: live view or one clip of a channel, within the rights of their creator.
import type { ShareLink } from '@vedette/contract/calls/share-link.ts';
import type { CallOutput, CallParsed } from '@vedette/contract/calls/calls.ts';
import { createHash } from 'node:crypto';
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { canOwn, decide } from '@vedette/rules/decide/decide.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { authorizeDevice } from '../../auth/authorize.ts';
import type { PasswordHasher } from '../../auth/password-hash.ts';
import type { Rights } from '../../auth/rights.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import type { ShareLinkRow } from '../../database/schema/share-schema.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';
import { insertLink, isLinkOver, linksOf, revokeLink } from '../../database/access/share-link.queries.ts';
import { httpUrl, type PublicOrigin } from '../../http/public-origin.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { refuseExceeded, withinQuota } from '../../quota/reserve-quota.ts';
import type { SitePort } from '../../site-link/site-port.ts';

export interface LinkMakerDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly box: SecretBox;
  readonly site: SitePort;
}

/** In this order a clip is looked for. */
export const QUALITIES = [0, 1, 2] as const;

type ClipRange = { readonly startTime: number; readonly endTime: number };
type MadeLink = CallOutput<'share/link/create'>;
type LinkOrder = CallParsed<'share/link/create'>;

export const LINK_ACTION = { live: 'Realplay', clip: 'Replay' } as const;
/** What the maker of a link must hold as long as it is to open. */
export function linkActions({ kind, needs_reshare }: Pick<ShareLinkRow, 'kind' | 'needs_reshare'>): Permission[] {
  return needs_reshare ? [LINK_ACTION[kind], 'Reshare'] : [LINK_ACTION[kind]];
}

const LINK_RIGHT = { live: 'videoView', clip: 'videotapeView' } as const;

/** The table keeps no word by which a link opens, but its hash and a sealed copy for its maker. */
export function linkHashOf(linkId: string): string {
  return createHash('sha256').update(`link ${linkId}`).digest('hex');
}

/** The word stands in the fragment, which no browser sends and no log keeps. */
function linkUrl(origin: PublicOrigin, linkId: string): string {
  return httpUrl(origin, `/guest#${linkId}`);
}

/** Throws 1009 and 1004 as the item's own calls do, 1003 for an order that contradicts itself, 1011 for too many. */
export async function makeLink(
  deps: LinkMakerDeps,
  rights: Rights,
  order: LinkOrder,
  { now, origin }: { now: number; origin: PublicOrigin },
): Promise<MadeLink> {
  const { database, hasher, box } = deps;
  const { kind, item, range: asked } = itemOf(order);
  refuseBadTerms(order, kind, now);
  const device = await authorizeDevice(database, rights, LINK_ACTION[kind], item);
  if (!canOwn(rights.subject)) throw new CallError('permissionDenied');
  await authorizeDevice(database, rights, 'Reshare', item);
  const ownerId = rights.subject.userId;
  const use = { accountId: ownerId, now, take: { links: 1 } };
  // A full account costs no hash and asks no site.
  await refuseExceeded(database, use);
  const range = asked && (await startAtKeyframe(deps, { deviceId: device.deviceId, channelNo: item.channelNo }, asked));
  const clip = { start: range?.startTime ?? null, end: range?.endTime ?? null };
  const linkId = newSecret();
  const linkHash = linkHashOf(linkId);
  const link = {
    link_hash: linkHash,
    sealed: box.seal(linkId, linkHash),
    owner_id: ownerId,
    device_id: device.deviceId,
    channel_no: item.channelNo,
    kind,
    clip_start: clip.start,
    clip_end: clip.end,
    link_name: order.linkName ?? '',
    password_hash: order.password === undefined ? null : await hasher.hash(order.password),
    end_time: order.endTime,
    created_at: now,
  };
  await withinQuota(database, use, (transaction) => insertLink(transaction, link));
  return {
    linkId,
    url: linkUrl(origin, linkId),
    clipStartTime: clip.start,
    clipEndTime: clip.end,
  };
}

function refuseBadTerms({ endTime, permission }: LinkOrder, kind: keyof typeof LINK_RIGHT, now: number): void {
  if (endTime <= now) throw fieldError({ endTime: 'tooSmall' });
  if (permission !== undefined && permission[0] !== LINK_RIGHT[kind]) throw fieldError({ permission: 'notAllowed' });
}

/** No stream is without a keyframe for so long: a site that says so would open more than was given. */
const KEY_BEFORE_MAX_MS = PLAYBACK_WINDOW_S * 1000;

/**
 * Nothing can be shown before a keyframe, and guests get nothing from before the clip: so it begins with the one
 * that shows the start, and its maker is told.
 */
async function startAtKeyframe(
  { database, site }: LinkMakerDeps,
  { deviceId, channelNo }: { deviceId: string; channelNo: number },
  { startTime, endTime }: ClipRange,
): Promise<ClipRange> {
  const channel = await findChannel(database, deviceId, channelNo);
  for (const quality of channel === undefined ? [] : QUALITIES) {
    const asked = { channelId: channel?.channel_id ?? '', quality, startTime, endTime, asksKey: true };
    // A link is made while the site is away too; then the clip begins with the first keyframe in it.
    const answer = await site.call('recordings', asked).catch((error: unknown) => {
      if (error instanceof CallError) return null;
      throw error;
    });
    if (answer === null || answer.spans.length === 0) continue;
    const keyMs = Math.max(answer.keyMs ?? startTime, startTime - KEY_BEFORE_MAX_MS);
    return { startTime: Math.min(startTime, Math.floor(keyMs)), endTime };
  }
  return { startTime, endTime };
}

function itemOf({ live, clip }: LinkOrder) {
  if (live !== undefined && clip === undefined) return { kind: 'live', item: live, range: null } as const;
  if (clip === undefined || live !== undefined)
    throw fieldError({ [live ? 'clip' : 'live']: live ? 'notAllowed' : 'required' });
  const { startTime, endTime, ...item } = clip;
  if (endTime <= startTime) throw fieldError({ 'clip.endTime': 'tooSmall' });
  if (endTime - startTime > PLAYBACK_WINDOW_S * 1000) throw fieldError({ 'clip.endTime': 'tooBig' });
  return { kind: 'clip', item, range: { startTime, endTime } } as const;
}

export async function listLinks(
  { database, box }: LinkMakerDeps,
  rights: Rights,
  page: { pageStart: number; pageSize: number },
  origin: PublicOrigin,
): Promise<{ total: number; linkList: ShareLink[] }> {
  const links = () => linksOf(database, rights.subject.userId);
  const { total } = await links()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const { offset, limit } = pageRange(page);
  const rows = await links()
    .selectAll('share_link')
    .select(['device.device_serial', 'device.owner_id as device_owner', 'organization.path', 'channel.channel_name'])
    .orderBy('share_link.created_at', 'desc')
    .orderBy('share_link.link_hash')
    .offset(offset)
    .limit(limit)
    .execute();
  const linkList = rows.map((row) => {
    const linkId = box.open(row.sealed, row.link_hash);
    const { device_id: deviceId, channel_no: channelNo, device_owner: ownerId } = row;
    const object = { kind: 'channel', ownerId, organizationPath: row.path ?? [], deviceId, channelNo } as const;
    const isOpen =
      !isLinkOver(row, rights.now) && linkActions(row).every((action) => decide({ ...rights, action, object }).allowed);
    return {
      linkId,
      url: linkUrl(origin, linkId),
      kind: row.kind,
      linkName: row.link_name,
      deviceSerial: row.device_serial,
      channelNo,
      channelName: row.channel_name,
      clipStartTime: row.clip_start,
      clipEndTime: row.clip_end,
      endTime: row.end_time,
      hasPassword: row.password_hash !== null,
      state: isOpen ? ('active' as const) : ('ended' as const),
      openCount: row.open_count,
      lastOpenTime: row.last_open_at,
      createTime: row.created_at,
    };
  });
  return { total, linkList };
}

/** Throws 1007 for one that is not the account's or is gone already. */
export async function endLink(database: Database, ownerId: string, linkId: string, now: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const isRevoked = await revokeLink(transaction, { linkHash: linkHashOf(linkId), ownerId }, now);
    if (!isRevoked) throw new CallError('notFound');
    // Its guests' tickets stand under its maker.
    const revocation = { accountId: ownerId, sessionId: null, deviceSerial: null, reason: 'share' } as const;
    await insertRevocations(transaction, now, [revocation]);
  });
}
