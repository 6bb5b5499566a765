// Handlers of live view: addresses with tickets, streams, keyframe requests and snapshots.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { nearestStream } from '@vedette/rules/stream-choice.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findSite } from '../../database/device/site.queries.ts';
import type { StoredStream } from '../../database/schema/schema.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import { natFactor } from '../site/nat.facts.ts';
import type { SitePort, SitesPort } from '../../site-link/site-port.ts';
import { hlsUrl, liveUrl, rtspUrl, snapshotUrl, whepUrl } from '../../ticket/media-urls.ts';
import type { TicketIssuer, TicketRequest } from '../../ticket/ticket-issuer.ts';
import type { PublicOrigin } from '../../http/public-origin.ts';

export interface MediaDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly site: SitesPort;
  readonly tickets: TicketIssuer;
}

type MediaPath = 'media/url' | 'stream/list' | 'keyframe/invoke' | 'capture/get';

export function mediaHandlers(deps: MediaDeps): Handlers<MediaPath> {
  const { database, site, tickets } = deps;
  return {
    'media/url': (request) => liveAddresses(deps, request),
    'stream/list': async ({ input, device }) => {
      const stored = await storedStreams(database, device, input.channelNo);
      const streamList = site.at(device.siteId).isOnline() ? await liveStreams(site, input, stored) : stored;
      return { total: streamList.length, streamList };
    },
    'keyframe/invoke': async ({ input, device }) => {
      refuseOffline(device);
      await site.call('keyframe', input);
      return {};
    },
    'capture/get': async ({ input, device, principal, origin }) => {
      refuseOffline(device);
      const { ticket } = await tickets.issue({
        kind: 'snapshot',
        action: 'Realplay',
        principal,
        device,
        channelNo: input.channelNo,
        quality: 0,
        range: null,
        probeId: null,
      });
      return { url: snapshotUrl(origin, ticket) };
    },
  };
}

async function liveAddresses(
  deps: MediaDeps,
  { input, device, principal, origin }: CallRequest<'media/url'>,
): Promise<CallOutput<'media/url'>> {
  const { database, site, tickets } = deps;
  refuseOffline(device);
  refuseRemoteOffline(site, device);
  const stored = await storedStreams(database, device, input.channelNo);
  const isAsked = site.at(device.siteId).isOnline() && device.status === DEVICE_STATUS.online;
  const streams = isAsked ? await liveStreams(site, input, stored) : stored;
  // A device that never answered has no streams yet: it is away rather than without video.
  if (streams.length === 0 && device.status !== DEVICE_STATUS.online) throw away(device);
  const { stream, transcode } = answeredStream(
    streams,
    input,
    site.at(site.mediaPlace(device.siteId).siteId).canTranscode(),
  );
  const order = {
    action: 'Realplay',
    principal,
    device,
    channelNo: input.channelNo,
    quality: stream.quality,
    range: null,
    probeId: null,
  } as const;
  const live = await tickets.issue({ ...order, kind: 'live', ...(transcode && { transcode }) });
  const hls = await tickets.issue({ ...order, kind: 'hls' });
  const nativeUrl = await nativeAddress(deps, order, origin);
  const url = liveUrl(origin, live.ticket);
  // Transcoded streams cannot be direct.
  const isDirect = stream.codec === 'h264' && transcode === undefined && (await mayBeDirect(deps, device));
  const direct = isDirect ? await tickets.issue({ ...order, kind: 'whep' }) : null;
  return {
    ticket: live.ticket,
    p2pUrl: direct === null ? url : whepUrl(origin, direct.ticket),
    forwardUrl: url,
    hlsUrl: hlsUrl(origin, hls.ticket),
    rtspUrl: nativeUrl,
    codec: transcode ?? stream.codec,
    quality: stream.quality,
    expireTime: live.firstUseBefore,
  };
}

/** For RTSP clients; '' if off. */
async function nativeAddress(
  { site, tickets }: MediaDeps,
  order: Omit<TicketRequest, 'kind'>,
  origin: PublicOrigin,
): Promise<string> {
  const place = site.mediaPlace(order.device?.siteId ?? LOCAL_SITE);
  // The address by which the caller reached this server is none of another one.
  const port = place.isHere ? site.at(place.siteId).rtspPort() : null;
  if (port === null) return '';
  const { ticket } = await tickets.issue({ ...order, kind: 'rtsp' });
  return rtspUrl(origin, port, ticket);
}

/** At the local site there is no shorter path; at a remote one it is tried unless it failed before. */
async function mayBeDirect(
  { database, clock }: MediaDeps,
  { siteId, deviceSerial }: AuthorizedDevice,
): Promise<boolean> {
  if (siteId === LOCAL_SITE) return false;
  const site = await findSite(database, siteId);
  return site !== undefined && natFactor(site, deviceSerial, clock.wallMs()).factor > 0;
}

/** PM-03; an unknown ability is allowed: the site will report the result. */
function refuseOffline(device: AuthorizedDevice): void {
  if (device.status === DEVICE_STATUS.offline) throw away(device);
}

/** A remote site that is disconnected serves no stream either. */
function refuseRemoteOffline(site: SitesPort, { siteId }: AuthorizedDevice): void {
  if (siteId === LOCAL_SITE || site.at(siteId).isOnline()) return;
  throw new CallError('devResponseTimeOut', { reason: 'siteAway' });
}

function away(device: AuthorizedDevice): CallError {
  return new CallError('devResponseTimeOut', { reason: device.statusReason ?? 'offline' });
}

async function storedStreams(database: Database, device: AuthorizedDevice, channelNo: number): Promise<Stream[]> {
  const channel = await findChannel(database, device.deviceId, channelNo);
  return (channel?.streams ?? []).map(toStream);
}

/** Current streams from the site; those of the last probe if it does not answer. */
async function liveStreams(
  site: SitePort,
  input: { deviceSerial: string; channelNo: number },
  stored: Stream[],
): Promise<Stream[]> {
  try {
    const { streams } = await site.call('streams', { deviceSerial: input.deviceSerial, channelNo: input.channelNo });
    return streams.map(toStream);
  } catch (error) {
    if (error instanceof CallError) return stored;
    throw error;
  }
}

interface Stream extends StoredStream {
  readonly quality: 0 | 1 | 2;
}

function toStream(stream: StoredStream): Stream {
  const { quality, codec, width, height, fps, kbps, audio } = stream;
  const known = quality === 1 || quality === 2 ? quality : 0;
  return { quality: known, codec, width, height, fps: fps ?? null, kbps: kbps ?? null, audio: audio ?? null };
}

/** Codecs that the site decodes, and their conversions, best first. */
const DECODED: ReadonlySet<string> = new Set(['h264', 'h265']);
const VIDEO_OUT = ['h264', 'mjpeg'] as const;

interface AnsweredStream {
  readonly stream: Stream;
  /** Conversion needed for this viewer. */
  readonly transcode?: 'h264' | 'mjpeg';
}

/**
 * A stream that the viewer decodes, else one that can be converted: the smallest, as the cheapest. Otherwise the
 * requested one, and the viewer shows which codec it can't play.
 */
function answeredStream(
  streams: readonly Stream[],
  { quality, codecs }: { readonly quality: number; readonly codecs?: readonly string[] | undefined },
  canTranscode: boolean,
): AnsweredStream {
  const playable = nearestStream(streams, quality, codecs);
  if (playable) return { stream: playable };
  const asked = nearestStream(streams, quality);
  if (asked === undefined) throw new CallError('functionNotSupported', { reason: 'noVideo' });
  const transcode = VIDEO_OUT.find((codec) => codecs?.includes(codec));
  const [source] = streams
    .filter(({ codec }) => DECODED.has(codec))
    .toSorted((one, other) => other.quality - one.quality);
  return source && canTranscode && transcode ? { stream: source, transcode } : { stream: asked };
}
