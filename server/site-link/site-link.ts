// Link to one site over reconnects: sends it everything on connect, and is the port for calls to it.
import type { SiteCallName, SiteCalls, SiteEvent } from '@vedette/contract/site/site.ts';
import { type DirectAttempt, LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { FarBudget } from './far-inflow.ts';
import { FAR_LIMITS } from './far-limits.ts';
import { RareLog } from './rare-log.ts';
import type { SitePort } from './site-port.ts';
import { SiteConnection } from './site-connection.ts';

/** A restarted site is back within this time: calls wait for it instead of failing. */
const RECONNECT_GRACE_MS = 3000;

export interface SiteLinkOptions {
  readonly siteId: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Stores all of them, or throws and they are resent. */
  readonly onEvents: (events: readonly SiteEvent[]) => Promise<void>;
  readonly onDirect: (direct: DirectAttempt) => void;
  /** Runs on each connection first: the whole assignment, then the check of open tickets. */
  readonly onConnect: (site: SitePort) => Promise<void>;
  readonly onConnected: () => void;
  readonly onDisconnected: () => void;
}

/** What the site reported in its first message. */
export interface SiteCapabilities {
  readonly rtspPort: number | null;
  readonly canTranscode: boolean;
}

export class SiteLink implements SitePort {
  readonly #options: SiteLinkOptions;
  readonly #budget: FarBudget | null;
  readonly #rareLog: RareLog;
  readonly #waiting = new Set<(peer: SiteConnection) => void>();
  #connection: SiteConnection | null = null;
  #capabilities: SiteCapabilities = { rtspPort: null, canTranscode: false };
  /** Monotonic; null if it never connected. */
  #disconnectedAt: number | null = null;
  /** Monotonic; of connections before this one. */
  #heardAt: number | null = null;
  /** Being handed its assignment. */
  #arriving: SiteConnection | null = null;
  #connectedAt = 0;

  constructor(options: SiteLinkOptions) {
    this.#options = options;
    const { siteId, clock, log } = options;
    this.#budget = siteId === LOCAL_SITE ? null : new FarBudget(FAR_LIMITS, () => clock.monotonicMs());
    this.#rareLog = new RareLog(log.child({ siteId }), clock);
  }

  /** False for a site that reconnects too often, since each connection gets everything. */
  mayConnect(): boolean {
    if ((this.#budget?.connections.take(1) ?? 0) === 0) return true;
    this.#rareLog.warn({}, 'a site connects too often; it is let in later');
    return false;
  }

  readonly isOnline = (): boolean => this.#connection !== null;

  readonly rtspPort = (): number | null => (this.#connection === null ? null : this.#capabilities.rtspPort);

  readonly canTranscode = (): boolean => this.#connection !== null && this.#capabilities.canTranscode;

  /** How long it has given no sign of life; Infinity if it never connected. */
  silentMs(): number {
    const heard = [this.#connection?.heardAt, this.#arriving?.heardAt, this.#heardAt];
    return this.#options.clock.monotonicMs() - Math.max(...heard.map((at) => at ?? Number.NEGATIVE_INFINITY));
  }

  /** How long its connection has held; 0 without one. */
  steadyMs(): number {
    return this.#connection === null ? 0 : this.#options.clock.monotonicMs() - this.#connectedAt;
  }

  readonly call = <N extends SiteCallName>(name: N, input: SiteCalls[N]['input']): Promise<SiteCalls[N]['output']> => {
    if (this.#connection !== null) return this.#connection.call(name, input);
    return this.#whenConnected().then((peer) => peer.call(name, input));
  };

  /** The connected peer; rejects if the site stays away. */
  #whenConnected(): Promise<SiteConnection> {
    const graceMs = this.#graceMs();
    if (graceMs <= 0) return Promise.reject(this.#offlineError());
    const { promise, resolve, reject } = Promise.withResolvers<SiteConnection>();
    const giveUp = this.#options.clock.after(graceMs, () => {
      this.#waiting.delete(arrived);
      reject(this.#offlineError());
    });
    const arrived = (peer: SiteConnection): void => {
      giveUp();
      resolve(peer);
    };
    this.#waiting.add(arrived);
    return promise;
  }

  /** The local site is always about to return; a remote connection may be down for days. */
  #graceMs(): number {
    const { siteId, clock } = this.#options;
    if (siteId === LOCAL_SITE) return RECONNECT_GRACE_MS;
    return this.#disconnectedAt === null ? 0 : RECONNECT_GRACE_MS - (clock.monotonicMs() - this.#disconnectedAt);
  }

  #offlineError(): CallError {
    return this.#options.siteId === LOCAL_SITE
      ? new CallError('serviceBusy')
      : new CallError('devResponseTimeOut', { reason: 'siteAway' });
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  /** The newest connection replaces older ones, left by a restarted site. */
  attach(socket: WebSocket, offers: SiteCapabilities): SiteConnection {
    const { clock, log, siteId, onEvents, onDirect, onConnect, onConnected } = this.#options;
    const onFault = (error: unknown) => log.error({ err: error, siteId }, 'an event of the site was not stored');
    const [budget, rareLog] = [this.#budget, this.#rareLog];
    const peer = new SiteConnection({ socket, clock, budget, log: rareLog, onEvents, onDirect, onFault });
    socket.on('close', () => this.#detach(peer));
    this.#connection?.close();
    this.#arriving = peer;
    const direct: SitePort = {
      isOnline: () => true,
      rtspPort: () => offers.rtspPort,
      canTranscode: () => offers.canTranscode,
      call: (name, input) => peer.call(name, input),
    };
    onConnect(direct).then(
      () => {
        if (socket.readyState !== socket.OPEN) return;
        if (this.#arriving === peer) this.#arriving = null;
        this.#connection = peer;
        this.#connectedAt = clock.monotonicMs();
        this.#capabilities = offers;
        log.info({ siteId }, 'the site is connected');
        for (const arrived of this.#waiting) arrived(peer);
        this.#waiting.clear();
        onConnected();
      },
      (error: unknown) => {
        log.error({ err: error, siteId }, 'the site did not take its assignment');
        socket.close(1011, 'not assigned');
      },
    );
    return peer;
  }

  #detach(peer: SiteConnection): void {
    peer.close();
    this.#heardAt = Math.max(peer.heardAt, this.#heardAt ?? peer.heardAt);
    if (this.#arriving === peer) this.#arriving = null;
    if (this.#connection !== peer) return;
    this.#connection = null;
    this.#disconnectedAt = this.#options.clock.monotonicMs();
    this.#options.log.warn({ siteId: this.#options.siteId }, 'the site is away');
    this.#options.onDisconnected();
  }
}
