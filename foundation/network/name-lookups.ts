// Looks names up as the system does, few at once and fairly: a name server that never answers holds up whoever named it, and nobody else.
import { lookup as lookupBySystem } from 'node:dns/promises';
import { raceSignal } from '../concurrency/race-signal.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { SerialQueue } from '../concurrency/serial-queue.ts';
import { type Clock, systemClock } from '../time/clock.ts';

export interface NameLookupsOptions {
  /**
   * Look-ups under way at once. Each holds a thread of libuv's pool until the system gives it up. libuv starts at most as many as half
   * of the pool's threads and keeps the others for files: with more places, turns would be libuv's, which knows no owners.
   */
  readonly places: number;
  /** Places of them for those whose look-ups lately took long. */
  readonly slowPlaces: number;
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /** Every address of a name, in the order to try. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

export interface LookupRequest {
  /** Who named it. Each has one look-up under way at a time. */
  readonly owner: string;
  /** Gives up waiting; a look-up that has begun goes on, as the system's cannot be called off. */
  readonly signal: AbortSignal;
}

/** The system asks a name server again after five seconds: what answered by then was not held up. */
const SLOW_MS = 5000;
/** Since the last slow look-up. */
const SLOW_FOR_MS = 600_000;

interface OwnerTurns {
  readonly queue: SerialQueue;
  waiting: number;
}

export class NameLookups {
  readonly #lookup: (host: string) => Promise<readonly string[]>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #places: Semaphore;
  readonly #slowPlaces: Semaphore;
  readonly #turns = new Map<string, OwnerTurns>();
  /** By owner: until when its look-ups share the few places. */
  readonly #slowUntil = new Map<string, number>();
  /** One name is looked up once at a time, whoever asks. */
  readonly #underWay = new Map<string, Promise<readonly string[]>>();

  constructor({ places, slowPlaces, clock = systemClock, lookup = addressesBySystem }: NameLookupsOptions) {
    this.#places = new Semaphore({ places });
    this.#slowPlaces = new Semaphore({ places: slowPlaces });
    this.#clock = clock;
    this.#lookup = lookup;
  }

  /** Rejects with what the look-up rejects with, or with the signal's reason. */
  async addressesOf(host: string, { owner, signal }: LookupRequest): Promise<readonly string[]> {
    signal.throwIfAborted();
    const work = this.#underWay.get(host) ?? this.#inTurn(owner, () => this.#enter(host, owner, signal));
    return await raceSignal(work, signal);
  }

  async #inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const turns = this.#turns.get(owner) ?? { queue: new SerialQueue(), waiting: 0 };
    this.#turns.set(owner, turns);
    turns.waiting += 1;
    try {
      return await turns.queue.run(work);
    } finally {
      turns.waiting -= 1;
      if (turns.waiting === 0) this.#turns.delete(owner);
    }
  }

  async #enter(host: string, owner: string, signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted();
    const start = () =>
      this.#places.run(async () => await (this.#underWay.get(host) ?? this.#start(host, owner)), { signal });
    return this.#isSlow(owner) ? await this.#slowPlaces.run(start, { signal }) : await start();
  }

  async #start(host: string, owner: string): Promise<readonly string[]> {
    const startedMs = this.#clock.monotonicMs();
    const started = this.#lookup(host);
    this.#underWay.set(host, started);
    try {
      return await started;
    } finally {
      this.#underWay.delete(host);
      const nowMs = this.#clock.monotonicMs();
      if (nowMs - startedMs >= SLOW_MS) this.#noteSlow(owner, nowMs);
    }
  }

  #isSlow(owner: string): boolean {
    return (this.#slowUntil.get(owner) ?? 0) > this.#clock.monotonicMs();
  }

  #noteSlow(owner: string, nowMs: number): void {
    for (const [other, untilMs] of this.#slowUntil) if (untilMs <= nowMs) this.#slowUntil.delete(other);
    this.#slowUntil.set(owner, nowMs + SLOW_FOR_MS);
  }
}

/** Hosts file, mDNS and odd spellings such as 0x7f.1 included; IPv4 first. */
async function addressesBySystem(host: string): Promise<readonly string[]> {
  const found = await lookupBySystem(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}
