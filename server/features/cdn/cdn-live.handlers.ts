// Handlers of cdn/live/* and cdn/video/list: addresses at CDN providers, and the pushes of streams to them.
import { createHash } from 'node:crypto';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { CdnLive } from '@vedette/contract/calls/cdn.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { CDN_LIMITS } from '@vedette/contract/limits.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { type AuthorizedDevice, authorizeDevice } from '../../auth/authorize.ts';
import { visibleChannels } from '../../auth/visibility-conditions.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import { quotaHolder } from '../../database/account/quota.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import {
  channelOfStream,
  countLives,
  deleteLive,
  findLive,
  insertLive,
  type ListedLive,
  listLives,
  listProviders,
  setLiveTicket,
} from '../../database/media/cdn.queries.ts';
import type { CdnLiveRow, CdnProviderRow } from '../../database/schema/cdn-schema.ts';
import { auditItemOf, auditShareOf } from '../../http/audit-trail.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { packageOf } from './cdn-code.handlers.ts';
import { originStreamKey } from './origin-address.ts';
import { type AddressAsked, addressAt, keyOf, playedAt, secretOf, streamAt } from './provider-addresses.ts';
import { type Pushes, pushesOf, stopLive } from './site-pushes.ts';
import type { TicketIssuer } from '../../ticket/ticket-issuer.ts';
import { type CdnStream, streamName } from './stream-address.ts';

export interface CdnLiveDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly site: SitesPort;
  readonly tickets: TicketIssuer;
}

/** Every call ends within ten seconds, and with it the starting. */
const STARTING_MS = 10_000;

type LivePath = 'cdn/live/get' | 'cdn/live/start' | 'cdn/live/stop' | 'cdn/video/list';

export function cdnLiveHandlers(deps: CdnLiveDeps): Handlers<LivePath> {
  const { database } = deps;
  return {
    'cdn/live/get': (request) => addressOf(deps, request),
    'cdn/live/start': (request) => start(deps, request),
    'cdn/live/stop': (request) => stop(deps, request),
    'cdn/video/list': async ({ rights, principal, origin, now }) => {
      const lives = await listLives(database, visibleChannels(await rights(), 'Reshare'), principal.userId);
      const siteIds = lives.map((live) => live.site_id);
      const bySite = await pushesOf(deps.site, siteIds);
      const liveList = lives.map((live) => toLive({ box: deps.box, origin, now }, live, bySite.get(live.site_id)));
      const providerList = (await listProviders(database)).map(
        ({ provider_id: providerId, provider_name: providerName, kind }) => ({ providerId, providerName, kind }),
      );
      const holder = await payingHolder(database, principal.userId);
      const resource = holder === null ? null : await packageOf(database, holder);
      return { total: liveList.length, liveList, providerList, resource };
    },
  };
}

/** Throws 1007 without a provider, and 1006 where none has that protocol. */
async function addressOf(
  { database, box }: CdnLiveDeps,
  { input, device, origin, now }: CallRequest<'cdn/live/get'>,
): Promise<CallOutput<'cdn/live/get'>> {
  const { channelNo, quality, protocol, providerId } = input;
  const isAsked = (row: CdnProviderRow) => providerId === undefined || row.provider_id === providerId;
  const providers = (await listProviders(database)).filter(isAsked);
  requireFound(providers[0], 'notFound');
  const channel = requireFound(await findChannel(database, device.deviceId, channelNo), 'devNotExist');
  const place = { stream: { channelId: channel.channel_id, quality }, siteId: device.siteId, protocol };
  for (const provider of providers) {
    const url = addressAt({ box, origin, now }, provider, place);
    if (url !== null) return { url };
  }
  throw new CallError('functionNotSupported');
}

/** Throws 1003 for an address that `cdn/live/get` did not give or that expired. */
async function start(
  deps: CdnLiveDeps,
  { input: { url }, rights, principal, now, audit }: CallRequest<'cdn/live/start'>,
): Promise<CallOutput<'cdn/live/start'>> {
  const { database, box } = deps;
  const { provider, stream } = ownAddress(await listProviders(database), { box, url, now });
  const place = requireFound(await channelOfStream(database, stream.channelId), 'devNotExist');
  const which = { deviceSerial: place.device_serial, channelNo: place.channel_no };
  const device = await authorizeDevice(database, await rights(), 'Reshare', which);
  const itemList = [await auditItemOf(database, device, place.channel_no)];
  const detail = { way: 'live' as const, itemList, ...(await auditShareOf(database, device)) };
  audit.parts.push({ ownerIds: [device.ownerId], detail });
  const key = { provider_id: provider.provider_id, channel_id: stream.channelId, quality: stream.quality };
  const running = await findLive(database, key);
  if (running !== undefined && (await isRunning(deps, { siteId: device.siteId, live: running, now })))
    return { liveId: running.live_id };
  if (running !== undefined) await deleteLive(database, running);
  if ((await countLives(database)) >= CDN_LIMITS.pushes) throw new CallError('quotaExceeded');
  const holder = await payingHolder(database, principal.userId);
  const streams = holder === null ? null : await streamsOf(database, holder);
  const times = { started_at: now, metered_at: now };
  const live = { ...key, ...times, live_id: newId(), account_id: principal.userId, holder_id: holder, ticket_hash: '' };
  const outcome = await insertLive(database, live, streams);
  if (outcome === 'full') throw new CallError('quotaExceeded');
  if (outcome === 'known')
    return { liveId: requireFound(await findLive(database, key), 'serverInternalError').live_id };
  await send(deps, live, { url, provider, device, channelNo: place.channel_no, principal });
  return { liveId: live.live_id };
}

/** Its owner reads how long it went out, and from how many addresses our own origin was asked for it. */
async function stop(
  deps: CdnLiveDeps,
  { input: { liveId }, rights, principal, now, audit }: CallRequest<'cdn/live/stop'>,
): Promise<CallOutput<'cdn/live/stop'>> {
  const lives = await listLives(deps.database, visibleChannels(await rights(), 'Reshare'), principal.userId);
  const live = requireFound(
    lives.find((one) => one.live_id === liveId),
    'notFound',
  );
  const push = (await pushesOf(deps.site, [live.site_id])).get(live.site_id)?.get(liveId);
  const { device_serial: deviceSerial, channel_no: channelNo, channel_name: name } = live;
  const detail = {
    way: 'live' as const,
    itemList: [{ deviceSerial, channelNo, name }],
    footage: { startTime: live.started_at, endTime: now },
    ...(push?.addressCount !== undefined && { addressCount: push.addressCount }),
  };
  audit.parts.push({ ownerIds: [live.owner_id], detail });
  await stopLive(deps, live);
  return {};
}

/** Whose package pays; null: the operator, who needs none. */
async function payingHolder(database: Database, userId: string): Promise<string | null> {
  const { ownerId, userType } = requireFound(await quotaHolder(database, userId), 'notFound');
  return userType === USER_TYPE.super ? null : ownerId;
}

/** Throws 1011 where no minutes are left. */
async function streamsOf(database: Database, holder: string): Promise<number> {
  const { minutes, usedMinutes, streams } = await packageOf(database, holder);
  if (usedMinutes >= minutes) throw new CallError('quotaExceeded');
  return streams;
}

/** Leaves no row of a stream that could not be started. */
async function send(
  { database, box, site, tickets }: CdnLiveDeps,
  live: CdnLiveRow,
  { url, provider, device, channelNo, principal }: SendOrder,
): Promise<void> {
  let ticketHash = '';
  try {
    const order = { kind: 'push', action: 'Reshare', principal, device, channelNo, quality: live.quality } as const;
    const { ticket } = await tickets.issue({ ...order, range: null, probeId: null });
    ticketHash = createHash('sha256').update(ticket).digest('hex');
    await setLiveTicket(database, live.live_id, ticketHash);
    const at = site.at(device.siteId);
    const { live_id: liveId, channel_id: channelId, quality } = live;
    if (provider.kind !== 'origin') await at.call('pushStart', { liveId, ticket, url, ...secretOf(box, provider) });
    else {
      const stream = { channelId, quality };
      const key = originStreamKey(keyOf(box, provider), stream);
      await at.call('originStart', { liveId, ticket, stream: streamName(stream), key });
    }
  } catch (error) {
    await deleteLive(database, { ...live, ticket_hash: ticketHash });
    throw error;
  }
}

interface SendOrder {
  readonly url: string;
  readonly provider: CdnProviderRow;
  readonly device: AuthorizedDevice;
  readonly channelNo: number;
  readonly principal: CallRequest<'cdn/live/start'>['principal'];
}

function ownAddress(
  providers: readonly CdnProviderRow[],
  { box, url, now }: { readonly box: SecretBox; readonly url: string; readonly now: number },
): { readonly provider: CdnProviderRow; readonly stream: CdnStream } {
  for (const provider of providers) {
    const stream = streamAt({ box, now }, provider, url);
    if (stream !== null) return { provider, stream };
  }
  throw fieldError({ url: 'notAllowed' });
}

/** A site that is away keeps what it pushes; one that is being started is not known to it yet. */
async function isRunning(
  { site }: CdnLiveDeps,
  { siteId, live, now }: { readonly siteId: string; readonly live: CdnLiveRow; readonly now: number },
): Promise<boolean> {
  if (now - live.started_at < STARTING_MS) return true;
  const pushes = (await pushesOf(site, [siteId])).get(siteId);
  if (pushes === undefined) return true;
  const push = pushes.get(live.live_id);
  return push !== undefined && push.state !== 'stopped';
}

function toLive(asked: AddressAsked, live: ListedLive, pushes: Pushes | undefined): CdnLive {
  const stream = { channelId: live.channel_id, quality: live.quality };
  return {
    liveId: live.live_id,
    quality: live.quality,
    channelNo: live.channel_no,
    ...playedAt(asked, live, { stream, siteId: live.site_id }),
    deviceSerial: live.device_serial,
    deviceName: live.device_name,
    channelName: live.channel_name,
    providerName: live.provider_name,
    userName: live.user_name,
    startTime: live.started_at,
    ...statusOf(live, pushes),
  };
}

/** A site that knows nothing of it was restarted. */
function statusOf(
  { live_id: liveId, started_at: since }: ListedLive,
  pushes: Pushes | undefined,
): Pick<CdnLive, 'state' | 'since' | 'reason' | 'bitsPerSecond' | 'sentBytes'> {
  if (pushes === undefined) return { state: 'unknown', since, reason: null, bitsPerSecond: 0, sentBytes: 0 };
  const push = pushes.get(liveId);
  if (push === undefined) return { state: 'stopped', since, reason: 'lost', bitsPerSecond: 0, sentBytes: 0 };
  const { liveId: _id, ...status } = push;
  return status;
}
