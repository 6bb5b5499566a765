// One connection of a site: sends numbered calls, reads answers by their schemas, passes events on, and ends all of it when the socket closes.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { ServerToSite, SiteCallName, SiteCalls, SiteEvent } from '@vedette/contract/site/site.ts';
import { siteAnswers, siteRefusals } from '@vedette/contract/site/site-answers.ts';
import type { DirectAttempt } from '@vedette/contract/remote-site.ts';
import type { SiteMessage } from '@vedette/contract/site/site-messages.ts';
import { LIFE_SIGN_MS } from '@vedette/rules/recorder-group/take-over.ts';
import type { WebSocket } from 'ws';
import { CallError, callErrorOf } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type FarBudget, FarInflow } from '../site-inflow/far-inflow.ts';
import type { RareLog } from './rare-log.ts';
import { siteCallTimeout, siteCallTimeoutMs } from './site-call-timeouts.ts';

/** Events per commit: large batches share its cost under a storm of ten thousand a second. */
const EVENTS_PER_COMMIT = 4000;

interface Waiting {
  readonly name: SiteCallName;
  /** False if the answer is invalid for the call. */
  readonly resolve: (data: unknown) => boolean;
  readonly reject: (error: Error) => void;
  readonly cancelTimer: () => void;
}

/** An event with its number; null: invalid, and dropped on both sides. */
interface TakenEvent {
  readonly seq: number;
  readonly event: SiteEvent | null;
}

export interface SitePeerOptions {
  readonly socket: WebSocket;
  readonly clock: Clock;
  /** Null for the local site. */
  readonly budget: FarBudget | null;
  readonly log: RareLog;
  readonly onEvents: (events: readonly SiteEvent[]) => Promise<void>;
  readonly onDirect: (direct: DirectAttempt) => void;
  readonly onFault: (error: unknown) => void;
}

export class SiteConnection {
  readonly #options: SitePeerOptions;
  readonly #inflow: FarInflow | null;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  /** In the site's order; those that arrive during a commit are stored together. */
  #events: TakenEvent[] = [];
  #isStoring = false;
  /** One failed to be stored: later ones on this connection must wait until it is resent. */
  #isBroken = false;
  #endWait: (() => void) | null = null;
  /** Monotonic: the newest sign of life. */
  #heardAt: number;
  #cancelPing: () => void = () => undefined;

  constructor(options: SitePeerOptions) {
    this.#options = options;
    const { socket, clock, budget } = options;
    this.#inflow = budget === null ? null : new FarInflow({ socket, clock, budget });
    this.#heardAt = clock.monotonicMs();
    socket.on('pong', () => this.#heard());
    this.#pingLater();
  }

  get heardAt(): number {
    return this.#heardAt;
  }

  /** `mostMs`: as long as somebody waits for it elsewhere. */
  call<N extends SiteCallName>(
    name: N,
    input: SiteCalls[N]['input'],
    mostMs = Number.POSITIVE_INFINITY,
  ): Promise<SiteCalls[N]['output']> {
    const { clock, budget, log } = this.#options;
    if (budget !== null && this.#waiting.size >= budget.limits.calls) {
      log.warn({ call: name }, 'a site leaves too many calls without an answer');
      return Promise.reject(new CallError('serviceBusy'));
    }
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const withinMs = Math.min(mostMs, siteCallTimeoutMs(name, clock.monotonicMs()));
      const cancelTimer = clock.after(withinMs, () => {
        this.#waiting.delete(id);
        reject(siteCallTimeout(name));
      });
      const keep = (data: unknown): boolean => {
        const read = siteAnswers[name].safeParse(data);
        if (read.success) resolve(read.data);
        return read.success;
      };
      this.#waiting.set(id, { name, resolve: keep, reject, cancelTimer });
      this.#send({ type: 'call', id, name, input });
    });
  }

  /** A message after `hello`, with its length; a second hello ends the connection. */
  receive(message: SiteMessage, bytes: number): void {
    const { clock, socket, onDirect } = this.#options;
    this.#heard();
    this.#inflow?.read(bytes);
    if (message.type === 'answer') {
      this.#settle(message.id, message.code, message.data);
    } else if (message.type === 'event' || message.type === 'badEvent') {
      if (this.#isBroken) return;
      this.#events.push({ seq: message.seq, event: message.type === 'event' ? message.event : null });
      this.#inflow?.waiting(this.#events.length);
      if (!this.#isStoring) void this.#storeEvents();
    } else if (message.type === 'direct') {
      onDirect({ at: clock.wallMs(), isConnected: message.isConnected });
    } else {
      socket.close(4400, 'hello twice');
    }
  }

  close(): void {
    this.#isBroken = true;
    this.#events = [];
    this.#endWait?.();
    this.#cancelPing();
    this.#inflow?.close();
    for (const waiting of this.#waiting.values()) {
      waiting.cancelTimer();
      waiting.reject(new CallError('serviceBusy'));
    }
    this.#waiting.clear();
    this.#options.socket.terminate();
  }

  #heard(): void {
    this.#heardAt = this.#options.clock.monotonicMs();
  }

  /** How long a site is silent decides whether others take its cameras over. */
  #pingLater(): void {
    const { clock, socket } = this.#options;
    this.#cancelPing = clock.after(LIFE_SIGN_MS, () => {
      if (socket.readyState === socket.OPEN) socket.ping();
      this.#pingLater();
    });
  }

  /** Acknowledged only when stored; after a failure the site resends them on reconnect. */
  async #storeEvents(): Promise<void> {
    const { budget, onFault, socket } = this.#options;
    this.#isStoring = true;
    try {
      while (this.#events.length > 0) {
        const taken = this.#events.splice(0, budget?.limits.eventsAtOnce ?? EVENTS_PER_COMMIT);
        await this.#store(taken);
        this.#send({ type: 'ack', seq: taken.at(-1)?.seq ?? 0 });
        await this.#rest(taken.length);
        this.#inflow?.waiting(this.#events.length);
      }
    } catch (error) {
      this.#isBroken = true;
      this.#events = [];
      this.#inflow?.waiting(0);
      onFault(error);
      socket.close(1011, 'event not stored');
    } finally {
      this.#isStoring = false;
    }
  }

  /** Invalid events can never be stored: counted, and acknowledged so that the site drops them. */
  async #store(taken: readonly TakenEvent[]): Promise<void> {
    const events = taken.flatMap(({ event }) => event ?? []);
    const malformed = taken.length - events.length;
    if (malformed > 0) this.#options.log.warn({ malformed }, 'a site told events that are none; they were dropped');
    if (events.length > 0) await this.#options.onEvents(events);
  }

  async #rest(count: number): Promise<void> {
    const waitMs = this.#inflow?.stored(count) ?? 0;
    if (waitMs <= 0 || this.#isBroken) return;
    this.#options.log.warn({}, 'a site tells more events than it may; it is read more slowly');
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(waitMs, resolve);
      this.#endWait = () => {
        cancel();
        resolve();
      };
    });
    this.#endWait = null;
  }

  /** Answers to unknown or expired calls are ignored. */
  #settle(id: number, code: number, data: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    waiting.cancelTimer();
    if (code !== ERROR_CODES.success) return waiting.reject(this.#refusal(waiting.name, code, data));
    if (!waiting.resolve(data)) waiting.reject(this.#noAnswer(waiting.name));
  }

  /** A site may not answer codes that end a session or ask for a password. */
  #refusal(name: SiteCallName, code: number, data: unknown): CallError {
    const read = siteRefusals.get(code)?.safeParse(data);
    return read?.success === true ? callErrorOf(code, read.data) : this.#noAnswer(name);
  }

  #noAnswer(name: SiteCallName): CallError {
    this.#options.log.warn({ call: name }, 'a site answered what is no answer to the call');
    return new CallError('devInternalErr', { reason: 'fault' });
  }

  #send(message: ServerToSite): void {
    const { socket, budget, log } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (budget !== null && socket.bufferedAmount > budget.limits.unsentBytes) {
      log.warn({}, 'a site does not read what it is sent; its connection is cut');
      socket.terminate();
      return;
    }
    socket.send(JSON.stringify(message));
  }
}
