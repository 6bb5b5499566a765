// The site's RTSP listener for native clients: open where the environment says so, closed with a warning where the port is taken.
import type { SiteHealth } from '@vedette/contract/site/site.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { ConnectionLimiter, type EndpointLimits } from '@vedette/media/endpoint/connection-limiter.ts';
import type { AuthoriseRestream } from '@vedette/media/restream/restream-grant.ts';
import { RestreamServer } from '@vedette/media/restream/restream-server.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { Environment } from '../process/environment.ts';
import { random32 } from '@vedette/foundation/random/random-numbers.ts';

export interface RtspListenerOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly authorise: AuthoriseRestream;
  readonly place: Environment['rtsp'];
  readonly log: DriverLog;
}

/** RTP and RTCP ports follow the RTSP port, so that a firewall can allow the range. */
const UDP_AFTER = 2;
const UDP_PORTS = 16;
/** Another recorder may pull all cameras of a building at once. */
const PLACES: EndpointLimits = {
  unauthenticated: 128,
  reserved: 128,
  perAddress: 64,
  perAccount: 256,
  authenticated: 512,
};

export class RtspListener {
  readonly #options: RtspListenerOptions;
  #server: RestreamServer | null = null;
  #port: number | null = null;

  constructor(options: RtspListenerOptions) {
    this.#options = options;
  }

  /** Null while closed. */
  get port(): number | null {
    return this.#port;
  }

  health(): SiteHealth['restream'] {
    return this.#server && { clients: this.#server.clients, ...this.#server.counters };
  }

  /** Logged only: recording and everything else go on without it. */
  async open(): Promise<void> {
    const { hub, clock, authorise, place, log } = this.#options;
    if (place === null) return;
    const first = place.port + UDP_AFTER;
    const server = new RestreamServer({
      hub,
      clock,
      authorise,
      random32,
      limiter: new ConnectionLimiter(PLACES, clock),
      udpPorts: place.port === 0 ? 'any' : { from: first, to: first + UDP_PORTS - 1 },
      onFailure: (error) => log.warn({ err: error }, 'a native client could not be served'),
    });
    try {
      this.#port = await server.listen(place.port, place.host);
      this.#server = server;
    } catch (error) {
      log.warn({ err: error, port: place.port }, 'the RTSP port is taken: native clients are not served');
    }
  }

  endWhere(isOver: (streamKey: string) => boolean): void {
    this.#server?.endWhere(isOver);
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}
