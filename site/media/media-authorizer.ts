// Authorises media requests: turns tickets into live subscriptions and playback ranges.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { DeviceAssignment, TicketGrant } from '@vedette/contract/site/site.ts';
import type { ChannelDriver } from '@vedette/drivers/kit/driver.ts';
import type { Transcoder } from '@vedette/media/codec/transcoder.ts';
import type { FollowTracks, LiveGrant, LiveRefusal } from '@vedette/media/live/live-grant.ts';
import type { AuthoriseRestream, RestreamGrant, RestreamRefusal } from '@vedette/media/restream/restream-grant.ts';
import type { PlaybackGrant, PlaybackRefusal, PlaybackUse } from '@vedette/media/playback/playback-grant.ts';
import type { TrackFollowers } from '../analysis/live-tracks.ts';
import type { RemoteChannel } from '../media-tunnel/remote-tracks.ts';
import type { Candidates } from '../onboarding/candidates.ts';
import type { EdgeRecordings } from '../edge-playback/edge-recordings.ts';
import type { Upstream } from '../recording/device-recorders.ts';
import type { Fleet } from '../supervision/fleet.ts';
import type { TrafficMeter } from '../traffic/traffic-meter.ts';
import { quotaHolderOf } from '../tickets/quota-holder.ts';
import type { TicketRegistry } from '../tickets/ticket-registry.ts';

export interface MediaAuthorizerOptions {
  readonly tickets: TicketRegistry;
  readonly fleet: Fleet;
  /** Of devices that another site has now, too: their recordings here are played. */
  readonly assigned: (deviceSerial: string) => DeviceAssignment | null;
  readonly candidates: Candidates;
  readonly transcoder: Transcoder;
  /** Streams of remote sites, on the local site alone; null elsewhere. */
  readonly remoteUpstream: (grant: TicketGrant) => Upstream | null;
  /** What edge intelligence of a remote site follows, with the capture times of this stream. */
  readonly remoteTracks: (channel: RemoteChannel, streamKey: string) => FollowTracks;
  readonly edgeRecordings: EdgeRecordings;
  readonly traffic: Pick<TrafficMeter, 'sent'>;
  readonly analysis: { readonly followers: Pick<TrackFollowers, 'of'> };
}

/** Bitrate limit of a transcode: for being seen at all, not for detail. */
const HEIGHT_OF_MAIN = 720;
const HEIGHT_OF_OTHERS = 360;

const KINDS_OF_USE: Readonly<Record<PlaybackUse, readonly TicketGrant['kind'][]>> = {
  hls: ['hls'],
  fragments: ['fragments'],
  snapshot: ['snapshot', 'probe'],
};

export class MediaAuthorizer {
  readonly #options: MediaAuthorizerOptions;

  constructor(options: MediaAuthorizerOptions) {
    this.#options = options;
  }

  readonly live = (ticket: string): Promise<LiveGrant | LiveRefusal> => {
    const opened = this.#options.tickets.open(ticket, ['live', 'probe'], { alone: true });
    if ('code' in opened) return Promise.resolve({ allowed: false, code: opened.code });
    const upstream = this.#upstream(opened.grant);
    if (!upstream) return Promise.resolve({ allowed: false, code: ERROR_CODES.devNotExist });
    const { until, ticketId, pageOrigin } = opened.grant;
    const watched = this.#watched(opened.grant, upstream);
    if ('code' in watched) return Promise.resolve({ allowed: false, ...watched });
    return Promise.resolve({
      allowed: true,
      sessionId: ticketId,
      holder: quotaHolderOf(opened.grant),
      ...watched,
      ...this.#tracks(opened.grant, upstream),
      ...(pageOrigin && { pageOrigin }),
      ...(until === null ? {} : { until: { wallMs: until, code: ERROR_CODES.shareEnded } }),
      onSent: this.#counter(opened.grant),
      onEnded: opened.hold(),
    });
  };

  /** Exclusive use: a ticket is useless to others while it is used. */
  readonly restream: AuthoriseRestream = (ticket) => this.#stream(ticket, 'rtsp');

  /** For viewers by WebRTC. */
  readonly whep: AuthoriseRestream = (ticket) => this.#stream(ticket, 'whep');

  /** For a push to a CDN. `playable`: without G.711, which most of them do not play. */
  readonly push: { readonly playable: AuthoriseRestream; readonly asItIs: AuthoriseRestream } = {
    playable: (ticket) => {
      const grant = this.#stream(ticket, 'push');
      return grant.allowed ? { ...grant, ...this.#options.transcoder.playableAudio(grant) } : grant;
    },
    asItIs: (ticket) => this.#stream(ticket, 'push'),
  };

  #stream(ticket: string, kind: 'rtsp' | 'whep' | 'push'): RestreamGrant | RestreamRefusal {
    const opened = this.#options.tickets.open(ticket, [kind], { alone: true });
    if ('code' in opened) return { allowed: false, isKnown: opened.code !== ERROR_CODES.tokenInvalid };
    const upstream = this.#upstream(opened.grant);
    if (!upstream) return { allowed: false, isKnown: true };
    return {
      allowed: true,
      holder: quotaHolderOf(opened.grant),
      ...upstream,
      ...this.#tracks(opened.grant, upstream),
      ended: opened.ended,
      onSent: this.#counter(opened.grant),
      onEnded: opened.hold(),
    };
  }

  readonly playback = (ticket: string, use: PlaybackUse): PlaybackGrant | PlaybackRefusal => {
    const opened = this.#options.tickets.open(ticket, KINDS_OF_USE[use]);
    if ('code' in opened) return { allowed: false, ...opened };
    const { grant, ended } = opened;
    const isRecorded = grant.range !== null;
    const upstream = isRecorded ? null : this.#upstream(grant);
    if (!isRecorded && !upstream) return { allowed: false, status: 404, code: ERROR_CODES.devNotExist };
    const channelId = this.#channelId(grant);
    const edge = channelId === null ? undefined : this.#options.edgeRecordings.of(grant, channelId, ended);
    return {
      allowed: true,
      sessionId: grant.ticketId,
      kind: kindOf(use, grant),
      key: channelId === null ? null : { channelId, quality: grant.quality },
      range: grant.range && { ...grant.range, isExact: grant.isExact === true },
      ...(edge && { edge }),
      upstream,
      ...this.#tracks(grant, upstream),
      deviceSnapshot: use === 'snapshot' ? this.#snapshot(grant) : null,
      ended,
      ...(grant.pageOrigin && { pageOrigin: grant.pageOrigin }),
      onSent: this.#counter(grant),
      hold: () => opened.hold(),
    };
  };

  #counter(grant: TicketGrant): (bytes: number) => void {
    return (bytes) => this.#options.traffic.sent(grant, bytes);
  }

  /** The stream as it is, or transcoded for this viewer. */
  #watched({ transcode, quality }: TicketGrant, upstream: Upstream): Upstream | { code: number; reason: string } {
    if (!transcode) return upstream;
    const { transcoder } = this.#options;
    const height = quality === 0 ? HEIGHT_OF_MAIN : HEIGHT_OF_OTHERS;
    const made = transcode === 'h264' ? transcoder.stream(upstream, height) : transcoder.jpeg(upstream);
    if (made === 'missing') return { code: ERROR_CODES.functionNotSupported, reason: 'unsupportedCodec' };
    return made === 'busy' ? { code: ERROR_CODES.serviceBusy, reason: 'transcoderBusy' } : made;
  }

  #upstream(grant: TicketGrant): Upstream | null {
    const { fleet, candidates, remoteUpstream } = this.#options;
    const { probeId, deviceSerial, channelNo, quality, siteId } = grant;
    if (siteId !== undefined) return remoteUpstream(grant);
    if (probeId !== null) return candidates.upstream(probeId, channelNo, quality);
    return fleet.upstream(deviceSerial, channelNo, quality);
  }

  #channelId({ probeId, deviceSerial, channelNo }: TicketGrant): string | null {
    if (probeId !== null) return null;
    const channels = this.#options.assigned(deviceSerial)?.channels ?? [];
    return channels.find((channel) => channel.channelNo === channelNo)?.channelId ?? null;
  }

  #tracks(grant: TicketGrant, upstream: Upstream | null): Pick<LiveGrant, 'followTracks'> {
    const { siteId, probeId, deviceSerial, channelNo } = grant;
    if (probeId !== null || upstream === null) return {};
    const { remoteTracks, analysis } = this.#options;
    if (siteId !== undefined)
      return { followTracks: remoteTracks({ siteId, deviceSerial, channelNo }, upstream.streamKey) };
    const followTracks = analysis.followers.of(this.#channelId(grant));
    return followTracks === null ? {} : { followTracks };
  }

  #snapshot({ probeId, deviceSerial, channelNo }: TicketGrant): PlaybackGrant['deviceSnapshot'] {
    const { fleet, candidates } = this.#options;
    const driver = probeId === null ? fleet.device(deviceSerial)?.supervisor.driver : candidates.driver(probeId);
    if (!driver) return null;
    return async (signal) => {
      const channel: ChannelDriver = await driver.channel(channelNo, signal);
      return channel.snapshot ? await channel.snapshot(signal) : null;
    };
  }
}

function kindOf(use: PlaybackUse, { range }: TicketGrant): PlaybackGrant['kind'] {
  if (use === 'snapshot') return 'snapshot';
  return range === null ? 'live' : 'recorded';
}
