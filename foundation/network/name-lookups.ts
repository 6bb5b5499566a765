// DNS look-ups by the system, limited and fair per owner, so that a name server that never answers blocks only those who use it.
import { lookup as lookupBySystem } from 'node:dns/promises';
import { raceSignal } from '../concurrency/race-signal.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { SerialQueue } from '../concurrency/serial-queue.ts';
import { type Clock, systemClock } from '../time/clock.ts';

export interface NameLookupsOptions {
  /**
   * Parallel look-ups. Each holds a thread of libuv's pool until the system gives up. libuv runs them on at most half
   * of the pool's threads, to keep the others for files; with more places libuv would queue them without fairness.
   */
  readonly places: number;
  /** Places for owners whose recent look-ups were slow. */
  readonly slowPlaces: number;
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /** Every address of a name, in the order to try. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

export interface LookupRequest {
  /** Owner of the look-up; each has one under way at a time. */
  readonly owner: string;
  /** Stops waiting; a started look-up continues, since the system cannot cancel it. */
  readonly signal: AbortSignal;
}

/** The system retries after five seconds: faster answers were not delayed. */
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
  /** By owner: until when its look-ups share the few places for slow ones. */
  readonly #slowUntil = new Map<string, number>();
  /** Concurrent look-ups of one name are merged. */
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

/** Includes the hosts file, mDNS and spellings such as 0x7f.1; IPv4 first. */
async function addressesBySystem(host: string): Promise<readonly string[]> {
  const found = await lookupBySystem(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}
