// Live streams of remote sites at the local site: pulled once through the media tunnel, however many viewers there are.
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { openRtspSource } from '@vedette/media/source/rtsp-source.ts';
import { SignInGate } from '@vedette/media/source/sign-in-gate.ts';
import type { TicketGrant } from '@vedette/contract/site.ts';
import type { Upstream } from '../device-recorders.ts';
import { randomFraction, randomHex } from '../randomness.ts';
import { type RelayedChannel, relayPath } from '../relay-path.ts';
import type { Uplinks } from './uplinks.ts';

export interface FarStreamsOptions {
  readonly clock: Clock;
  readonly uplinks: Uplinks;
}

/** A camera there may need ten seconds to connect and to send its first key picture. */
const CONNECT_MS = 15_000;

export class FarStreams {
  readonly #options: FarStreamsOptions;
  readonly #signInGate: SignInGate;

  constructor(options: FarStreamsOptions) {
    this.#options = options;
    this.#signInGate = new SignInGate(options.clock);
  }

  /** Null for a grant of the site beside us. */
  upstream(grant: TicketGrant): Upstream | null {
    const { siteId, probeId, deviceSerial, channelNo, quality } = grant;
    if (siteId === undefined) return null;
    const channel: RelayedChannel =
      probeId === null
        ? { of: 'device', name: deviceSerial, channelNo, quality }
        : { of: 'candidate', name: probeId, channelNo, quality };
    const path = relayPath(channel);
    const { clock, uplinks } = this.#options;
    return {
      streamKey: `far-${siteId}/${path}`,
      open: (consumer) =>
        openRtspSource({
          url: `rtsp://site.invalid/${path}`,
          credentials: null,
          dial: () => {
            const stream = uplinks.open(siteId, 'rtsp');
            if (stream) return Promise.resolve(stream);
            return Promise.reject(new RtspError('unreachable', 'the site has no line to the centre'));
          },
          clock,
          random: randomFraction,
          clientNonce: () => randomHex(8),
          signInGate: this.#signInGate,
          consumer,
          connectTimeoutMs: CONNECT_MS,
        }),
    };
  }
}
