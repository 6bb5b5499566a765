// Serves live streams to the local site through the media tunnel: one RTSP session per stream, named by relay-path.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { RestreamGrant, RestreamRefusal } from '@vedette/media/restream/restream-grant.ts';
import { RestreamServer } from '@vedette/media/restream/restream-server.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { Candidates } from '../onboarding/candidates.ts';
import type { Upstream } from '../recording/device-recorders.ts';
import type { Fleet } from '../supervision/fleet.ts';
import { random32 } from '@vedette/foundation/random/random-numbers.ts';
import { readRelayPath } from './relay-path.ts';
import type { TunnelStream } from './tunnel-stream.ts';

export interface RelayListenerOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly fleet: Fleet;
  readonly candidates: Candidates;
  readonly onFailure: (error: unknown) => void;
}

export class RelayListener {
  readonly #options: RelayListenerOptions;
  readonly #server: RestreamServer;
  /** The local site ends its streams itself when a right goes. */
  readonly #never = new AbortController();

  constructor(options: RelayListenerOptions) {
    this.#options = options;
    const { hub, clock, onFailure } = options;
    this.#server = new RestreamServer({
      hub,
      clock,
      authorise: (path) => this.#grantOf(path),
      random32,
      limiter: null,
      udpPorts: null,
      onFailure,
    });
  }

  accept(stream: TunnelStream): void {
    this.#server.accept(stream);
  }

  deviceGone(deviceSerial: string): void {
    this.#server.endWhere((streamKey) => streamKey.startsWith(`${deviceSerial}/`));
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  #grantOf(path: string): RestreamGrant | RestreamRefusal {
    const upstream = this.#upstream(path);
    if (!upstream) return { allowed: false, isKnown: true };
    return { allowed: true, holder: 'centre', ...upstream, ended: this.#never.signal, onEnded: () => undefined };
  }

  #upstream(path: string): Upstream | null {
    const channel = readRelayPath(path);
    if (!channel) return null;
    const { fleet, candidates } = this.#options;
    const { of, name, channelNo, quality } = channel;
    return of === 'device' ? fleet.upstream(name, channelNo, quality) : candidates.upstream(name, channelNo, quality);
  }
}
