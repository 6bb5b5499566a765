// Link to one site that is connected to this server, over reconnects: sends it everything on connect, and passes calls to it.
import type { SiteCallName, SiteCalls, SiteEvent } from '@vedette/contract/site/site.ts';
import type { DirectAttempt } from '@vedette/contract/remote-site.ts';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SiteLine } from '../database/device/site-line.queries.ts';
import { FarBudget } from '../site-inflow/far-inflow.ts';
import { FAR_LIMITS } from '../site-inflow/far-limits.ts';
import { isInside } from './inside-site.ts';
import { RareLog } from './rare-log.ts';
import { siteAway } from './site-route.ts';
import type { SitePort } from './site-port.ts';
import { SiteConnection } from './site-connection.ts';

export interface SiteLinkOptions {
  readonly siteId: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Stores all of them, or throws and they are resent. */
  readonly onEvents: (events: readonly SiteEvent[], line: SiteLine) => Promise<void>;
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

const NOTHING: SiteCapabilities = { rtspPort: null, canTranscode: false };

export class SiteLink implements SitePort {
  readonly #options: SiteLinkOptions;
  readonly #budget: FarBudget | null;
  readonly #rareLog: RareLog;
  #connection: SiteConnection | null = null;
  #capabilities = NOTHING;
  /** Monotonic; of connections before this one. */
  #heardAt: number | null = null;
  /** Being handed its assignment. */
  #arriving: SiteConnection | null = null;
  #connectedAt = 0;
  /** Of the newest connection. */
  #line: SiteLine | null = null;

  constructor(options: SiteLinkOptions) {
    this.#options = options;
    const { siteId, clock, log } = options;
    this.#budget = isInside(siteId) ? null : new FarBudget(FAR_LIMITS, () => clock.monotonicMs());
    this.#rareLog = new RareLog(log.child({ siteId }), clock);
  }

  /** False for a site that reconnects too often, since each connection gets everything. */
  mayConnect(): boolean {
    if ((this.#budget?.connections.take(1) ?? 0) === 0) return true;
    this.#rareLog.warn({}, 'a site connects too often; it is let in later');
    return false;
  }

  readonly isOnline = (): boolean => this.#connection !== null;

  readonly rtspPort = (): number | null => this.capabilities.rtspPort;

  readonly canTranscode = (): boolean => this.capabilities.canTranscode;

  get capabilities(): SiteCapabilities {
    return this.#connection === null ? NOTHING : this.#capabilities;
  }

  /** Null without a connection that has its assignment. */
  get line(): SiteLine | null {
    return this.#connection === null ? null : this.#line;
  }

  /** How long it has given no sign of life; Infinity if it never connected. */
  silentMs(): number {
    const heard = [this.#connection?.heardAt, this.#arriving?.heardAt, this.#heardAt];
    return this.#options.clock.monotonicMs() - Math.max(...heard.map((at) => at ?? Number.NEGATIVE_INFINITY));
  }

  /** How long its connection has held; 0 without one. */
  steadyMs(): number {
    return this.#connection === null ? 0 : this.#options.clock.monotonicMs() - this.#connectedAt;
  }

  /** `mostMs`: as long as somebody waits for it elsewhere. */
  readonly call = <N extends SiteCallName>(
    name: N,
    input: SiteCalls[N]['input'],
    mostMs?: number,
  ): Promise<SiteCalls[N]['output']> =>
    this.#connection?.call(name, input, mostMs) ?? Promise.reject(siteAway(this.#options.siteId));

  close(): void {
    this.#arriving?.close();
    this.#connection?.close();
    this.#connection = null;
  }

  /** Another server has the site since then; answers whether something was closed. */
  closeBefore(epoch: number): boolean {
    if (this.#line === null || this.#line.epoch >= epoch) return false;
    if (this.#arriving === null && this.#connection === null) return false;
    this.close();
    return true;
  }

  /** The newest connection replaces older ones, left by a restarted site. Null where it is the older one itself. */
  attach(socket: WebSocket, offers: SiteCapabilities, line: SiteLine): SiteConnection | null {
    const { clock, log, siteId, onEvents, onDirect, onConnect, onConnected } = this.#options;
    if (this.#line !== null && this.#line.epoch > line.epoch) {
      socket.close(1001, 'connected anew');
      return null;
    }
    this.#line = line;
    const onFault = (error: unknown) => log.error({ err: error, siteId }, 'an event of the site was not stored');
    const [budget, rareLog] = [this.#budget, this.#rareLog];
    const onOwnEvents = (events: readonly SiteEvent[]) => onEvents(events, line);
    const peer = new SiteConnection({
      socket,
      clock,
      budget,
      log: rareLog,
      onEvents: onOwnEvents,
      onDirect,
      onFault,
    });
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
    this.#options.log.warn({ siteId: this.#options.siteId }, 'the site is away');
    this.#options.onDisconnected();
  }
}
