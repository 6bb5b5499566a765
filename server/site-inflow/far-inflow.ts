// Limits how fast a remote site is read: beyond its budget the connection pauses, and TCP slows the site down.
import type { WebSocket } from 'ws';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { FarLimits } from './far-limits.ts';
import { TokenBucket } from './token-bucket.ts';

/** Pongs are not read meanwhile: a longer pause would look like a dead connection. */
const PAUSE_MAX_MS = 5000;

/** Per site, over all its connections: reconnecting gives no new budget. */
export class FarBudget {
  readonly limits: FarLimits;
  readonly bytes: TokenBucket;
  readonly events: TokenBucket;
  readonly lasting: TokenBucket;
  readonly connections: TokenBucket;

  constructor(limits: FarLimits, now: () => number) {
    this.limits = limits;
    this.bytes = new TokenBucket(limits.bytes, now);
    this.events = new TokenBucket(limits.events, now);
    this.lasting = new TokenBucket(limits.lasting, now);
    this.connections = new TokenBucket(limits.connections, now);
  }
}

export class FarInflow {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #budget: FarBudget;
  #cancelPause: (() => void) | null = null;
  #isFull = false;
  #isClosed = false;

  constructor(options: { socket: WebSocket; clock: Clock; budget: FarBudget }) {
    this.#socket = options.socket;
    this.#clock = options.clock;
    this.#budget = options.budget;
  }

  /** Call for each message read. */
  read(bytes: number): void {
    const { limits } = this.#budget;
    const waitMs = this.#budget.bytes.take(Math.max(bytes, limits.messageBytes));
    if (waitMs > 0) this.#pause(waitMs);
  }

  /** Number of events waiting to be stored. */
  waiting(count: number): void {
    const { eventsWaiting } = this.#budget.limits;
    this.#isFull = this.#isFull ? count > eventsWaiting / 2 : count >= eventsWaiting;
    if (this.#isFull) this.#socket.pause();
    else this.#resume();
  }

  /** After storing events: how long the next ones wait. */
  stored(count: number): number {
    const waitMs = Math.max(this.#budget.events.take(count), this.#budget.lasting.take(count));
    return Math.min(waitMs, PAUSE_MAX_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPause?.();
  }

  #pause(ms: number): void {
    if (this.#cancelPause !== null || this.#isClosed) return;
    this.#socket.pause();
    this.#cancelPause = this.#clock.after(Math.min(ms, PAUSE_MAX_MS), () => {
      this.#cancelPause = null;
      this.#resume();
    });
  }

  #resume(): void {
    if (this.#cancelPause === null && !this.#isFull && !this.#isClosed) this.#socket.resume();
  }
}
