// Opens guest links: checks the password and the creator's rights, and issues tickets that end with the link.
import type { CallOutput, CallParsed } from '@vedette/contract/calls/calls.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { nearestStream } from '@vedette/rules/stream-choice.ts';
import { type AuthorizedDevice, authorizeDevice } from '../../auth/authorize.ts';
import type { PasswordHasher } from '../../auth/password-hash.ts';
import { loadAccountRights } from '../../auth/rights.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { findAccount } from '../../database/account/account.queries.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findDevice } from '../../database/device/device.queries.ts';
import type { ChannelRow } from '../../database/schema/schema.ts';
import type { ShareLinkRow } from '../../database/schema/share-schema.ts';
import { countOpening, findLink, isLinkOver } from '../../database/access/share-link.queries.ts';
import type { AuditPart } from '../../http/audit-trail.ts';
import type { PublicOrigin } from '../../http/public-origin.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { fragmentsUrl, hlsUrl, liveUrl } from '../../ticket/media-urls.ts';
import { earliest, type TicketIssuer, type TicketRequest } from '../../ticket/ticket-issuer.ts';
import { linkOpeningAuditPart } from './link-audit.ts';
import type { LinkLimit } from './link-limit.ts';
import { LINK_ACTION, linkActions, linkHashOf, QUALITIES } from './link-maker.ts';

export interface LinkOpenerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly site: SitesPort;
  readonly tickets: TicketIssuer;
  readonly linkLimit: LinkLimit;
}

type Opening = CallParsed<'share/link/open'>;
type Opened = CallOutput<'share/link/open'>;

/** Throws 1005, 1007, 1017, 2004 and what the item's own calls do. */
export async function openLink(
  deps: LinkOpenerDeps,
  input: Opening,
  { address, origin }: { address: string; origin: PublicOrigin },
): Promise<{ opened: Opened; part: AuditPart }> {
  const { database, clock } = deps;
  const link = await admitted(deps, input, address);
  const { device, channel, order } = await itemOf(deps, link);
  const names = { linkName: link.link_name, channelName: channel.channel_name, endTime: link.end_time };
  const opened =
    link.kind === 'live'
      ? await openLive(deps, { device, channel, order, input, origin })
      : await openClip(deps, { link, channel, order, origin });
  await countOpening(database, link.link_hash, clock.wallMs());
  return { opened: { ...opened, ...names }, part: await linkOpeningAuditPart(database, link, device) };
}

async function admitted(deps: LinkOpenerDeps, input: Opening, address: string): Promise<ShareLinkRow> {
  const { database, clock, hasher, linkLimit } = deps;
  const linkHash = linkHashOf(input.linkId);
  const waitMs = linkLimit.begin(linkHash, address);
  if (waitMs > 0) throw new CallError('tooManyRequests', { retryAfter: Math.ceil(waitMs / 1000) });
  const link = await findLink(database, linkHash);
  if (link === undefined) throw new CallError('notFound');
  if (link.password_hash !== null) {
    if (input.password === undefined) {
      // Asking whether there is a password is no try at it.
      linkLimit.right(linkHash, address);
      throw new CallError('userPWDIncorrect', { passwordRequired: true });
    }
    if (!(await hasher.verify(link.password_hash, input.password))) throw new CallError('userPWDIncorrect');
  }
  linkLimit.right(linkHash, address);
  if (isLinkOver(link, clock.wallMs())) throw new CallError('shareEnded');
  return link;
}

type GuestOrder = Pick<TicketRequest, 'action' | 'principal' | 'device' | 'channelNo' | 'probeId' | 'link'>;

interface Item {
  readonly device: AuthorizedDevice;
  readonly channel: ChannelRow;
  readonly order: GuestOrder;
}

/** What the maker of the link may not see any more, nobody sees by it. */
async function itemOf({ database, clock }: LinkOpenerDeps, link: ShareLinkRow): Promise<Item> {
  const [maker, row] = [await findAccount(database, link.owner_id), await findDevice(database, link.device_id)];
  if (!maker?.is_enabled || row === undefined) throw new CallError('shareEnded');
  const rights = await loadAccountRights(database, clock, link.owner_id);
  const action = LINK_ACTION[link.kind];
  const channelNo = link.channel_no;
  const which = { deviceSerial: row.device_serial, channelNo };
  const may = (one: Permission) =>
    authorizeDevice(database, rights, one, which).catch((error: unknown) => {
      throw error instanceof CallError ? new CallError('shareEnded') : error;
    });
  let until: number | null = link.end_time;
  for (const one of linkActions(link)) until = earliest(until, (await may(one)).decision.until);
  const device = await may(action);
  const channel = requireFound(await findChannel(database, device.deviceId, channelNo), 'shareEnded');
  const guest = { linkHash: link.link_hash, until: until ?? link.end_time };
  return {
    device,
    channel,
    order: { action, principal: rights.subject, device, channelNo, probeId: null, link: guest },
  };
}

type Media = Omit<Opened, 'linkName' | 'channelName' | 'endTime'>;

async function openLive(
  { site, tickets }: LinkOpenerDeps,
  { device, channel, order, input, origin }: Item & { input: Opening; origin: PublicOrigin },
): Promise<Media> {
  if (device.status === DEVICE_STATUS.offline) {
    throw new CallError('devResponseTimeOut', { reason: device.statusReason ?? 'offline' });
  }
  const playable = nearestStream(channel.streams, input.quality, input.codecs);
  const stream = playable ?? nearestStream(channel.streams, input.quality);
  if (stream === undefined) throw new CallError('functionNotSupported', { reason: 'noVideo' });
  const quality = stream.quality === 1 || stream.quality === 2 ? stream.quality : 0;
  const transcode =
    playable === undefined && site.at(site.mediaPlace(device.siteId).siteId).canTranscode()
      ? (['h264', 'mjpeg'] as const).find((codec) => input.codecs?.includes(codec))
      : undefined;
  const common = { ...order, quality, range: null } as const;
  const live = await tickets.issue({ ...common, kind: 'live', ...(transcode && { transcode }) });
  const hls = await tickets.issue({ ...common, kind: 'hls' });
  return {
    kind: 'live',
    ticket: live.ticket,
    url: liveUrl(origin, live.ticket),
    hlsUrl: hlsUrl(origin, hls.ticket),
    codec: transcode ?? stream.codec,
    quality,
    clipStartTime: null,
    clipEndTime: null,
    expireTime: live.firstUseBefore,
  };
}

/** In the first quality that has recordings of it; throws 1007 where none is left. */
async function openClip(
  { site, tickets }: LinkOpenerDeps,
  { link, channel, order, origin }: Pick<Item, 'channel' | 'order'> & { link: ShareLinkRow; origin: PublicOrigin },
): Promise<Media> {
  const range = { startTime: link.clip_start ?? 0, endTime: link.clip_end ?? 0 };
  for (const quality of QUALITIES) {
    const { spans } = await site.call('recordings', { channelId: channel.channel_id, quality, ...range });
    if (spans.length === 0) continue;
    const common = { ...order, quality, range } as const;
    const fragments = await tickets.issue({ ...common, kind: 'fragments' });
    const hls = await tickets.issue({ ...common, kind: 'hls' });
    return {
      kind: 'clip',
      ticket: fragments.ticket,
      url: fragmentsUrl(origin, fragments.ticket),
      hlsUrl: hlsUrl(origin, hls.ticket),
      codec: '',
      quality,
      clipStartTime: link.clip_start,
      clipEndTime: link.clip_end,
      expireTime: fragments.firstUseBefore,
    };
  }
  throw new CallError('notFound');
}
