// Live streams of remote sites at the local site: pulled once through the media tunnel, however many viewers there are.
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { openRtspSource, type RtspMediaSource } from '@vedette/media/source/rtsp-source.ts';
import type { MediaSource } from '@vedette/media/stream/source.ts';
import type { StreamConsumer } from '@vedette/media/stream/stream.ts';
import { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { TicketGrant } from '@vedette/contract/site/site.ts';
import type { Upstream } from '../recording/device-recorders.ts';
import { randomFraction, randomHex } from '@vedette/foundation/random/random-numbers.ts';
import { type RelayedChannel, relayPath } from './relay-path.ts';
import type { MediaTunnels } from './media-tunnels.ts';

export interface RemoteStreamsOptions {
  readonly clock: Clock;
  readonly mediaTunnels: MediaTunnels;
}

interface RemoteStream {
  readonly siteId: string;
  readonly path: string;
  readonly streamKey: string;
}

/** A remote camera may need ten seconds to connect and send its first keyframe. */
const CONNECT_MS = 15_000;

export class RemoteStreams {
  readonly #options: RemoteStreamsOptions;
  readonly #signInLimiter: SignInLimiter;
  readonly #sources = new Map<string, RtspMediaSource>();

  constructor(options: RemoteStreamsOptions) {
    this.#options = options;
    this.#signInLimiter = new SignInLimiter(options.clock);
  }

  /** Null for a grant of the local site. */
  upstream(grant: TicketGrant): Upstream | null {
    const { siteId, probeId, deviceSerial, channelNo, quality } = grant;
    if (siteId === undefined) return null;
    const channel: RelayedChannel =
      probeId === null
        ? { of: 'device', name: deviceSerial, channelNo, quality }
        : { of: 'candidate', name: probeId, channelNo, quality };
    const path = relayPath(channel);
    const streamKey = `far-${siteId}/${path}`;
    return { streamKey, open: (consumer) => this.#open({ siteId, path, streamKey }, consumer) };
  }

  /** How much later the capture times of a stream are here than at its site, which reports its own; null while unknown. */
  leadMs(streamKey: string): number | null {
    return this.#sources.get(streamKey)?.leadMs ?? null;
  }

  #open({ siteId, path, streamKey }: RemoteStream, consumer: StreamConsumer): MediaSource {
    const { clock, mediaTunnels } = this.#options;
    const source = openRtspSource({
      url: `rtsp://site.invalid/${path}`,
      credentials: null,
      dial: () => {
        const stream = mediaTunnels.open(siteId, 'rtsp');
        if (stream) return Promise.resolve(stream);
        return Promise.reject(new RtspError('unreachable', 'the site has no line to the centre'));
      },
      clock,
      random: randomFraction,
      clientNonce: () => randomHex(8),
      signInLimiter: this.#signInLimiter,
      consumer,
      connectTimeoutMs: CONNECT_MS,
    });
    this.#sources.set(streamKey, source);
    return {
      counters: source.counters,
      get server() {
        return source.server;
      },
      retryNow: () => source.retryNow(),
      requestKeyframe: () => source.requestKeyframe?.(),
      close: async () => {
        if (this.#sources.get(streamKey) === source) this.#sources.delete(streamKey);
        await source.close();
      },
    };
  }
}
