// Live streams of remote sites at the local site: pulled once through the media tunnel, however many viewers there are.
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { openRtspSource } from '@vedette/media/source/rtsp-source.ts';
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

/** A remote camera may need ten seconds to connect and send its first keyframe. */
const CONNECT_MS = 15_000;

export class RemoteStreams {
  readonly #options: RemoteStreamsOptions;
  readonly #signInLimiter: SignInLimiter;

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
    const { clock, mediaTunnels } = this.#options;
    return {
      streamKey: `far-${siteId}/${path}`,
      open: (consumer) =>
        openRtspSource({
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
        }),
    };
  }
}
