// Route to one site, whichever server it is connected to: here, at another one, or about to be back.
import type { SiteCallName, SiteCalls } from '@vedette/contract/site/site.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CallError } from '../core/call-error.ts';
import { isInside } from './inside-site.ts';
import type { SitePort } from './site-port.ts';

/** A restarted site is back within this time: calls wait for it instead of failing. */
const RECONNECT_GRACE_MS = 3000;

export interface SiteRouteOptions {
  readonly siteId: string;
  readonly clock: Clock;
  readonly here: SitePort;
  /** Over another server that has it; null: none has. */
  readonly elsewhere: () => SitePort | null;
}

export class SiteRoute implements SitePort {
  readonly #options: SiteRouteOptions;
  readonly #waiting = new Set<(site: SitePort) => void>();
  /** Monotonic; null if it was never connected to any server that is known. */
  #leftAt: number | null = null;

  constructor(options: SiteRouteOptions) {
    this.#options = options;
  }

  readonly isOnline = (): boolean => this.#holder() !== null;

  readonly rtspPort = (): number | null => this.#holder()?.rtspPort() ?? null;

  readonly canTranscode = (): boolean => this.#holder()?.canTranscode() ?? false;

  readonly call = <N extends SiteCallName>(name: N, input: SiteCalls[N]['input']): Promise<SiteCalls[N]['output']> => {
    const holder = this.#holder();
    return holder === null ? this.#whenConnected().then((site) => site.call(name, input)) : holder.call(name, input);
  };

  /** A server has it now. */
  connected(): void {
    const holder = this.#holder();
    if (holder === null) return;
    for (const arrived of this.#waiting) arrived(holder);
    this.#waiting.clear();
  }

  /** A server does not have it any more. */
  disconnected(): void {
    if (!this.isOnline()) this.#leftAt = this.#options.clock.monotonicMs();
  }

  #holder(): SitePort | null {
    const { here, elsewhere } = this.#options;
    return here.isOnline() ? here : elsewhere();
  }

  /** Rejects if the site stays away. */
  #whenConnected(): Promise<SitePort> {
    const { clock, siteId } = this.#options;
    const graceMs = this.#graceMs();
    if (graceMs <= 0) return Promise.reject(siteAway(siteId));
    const { promise, resolve, reject } = Promise.withResolvers<SitePort>();
    const giveUp = clock.after(graceMs, () => {
      this.#waiting.delete(arrived);
      reject(siteAway(siteId));
    });
    const arrived = (site: SitePort): void => {
      giveUp();
      resolve(site);
    };
    this.#waiting.add(arrived);
    return promise;
  }

  /** The local site is always about to return; a remote connection may be down for days. */
  #graceMs(): number {
    const { siteId, clock } = this.#options;
    if (siteId === LOCAL_SITE) return RECONNECT_GRACE_MS;
    return this.#leftAt === null ? 0 : RECONNECT_GRACE_MS - (clock.monotonicMs() - this.#leftAt);
  }
}

/** Of a call to a site that is connected to no server. */
export function siteAway(siteId: string): CallError {
  return isInside(siteId) ? new CallError('serviceBusy') : new CallError('devResponseTimeOut', { reason: 'siteAway' });
}
