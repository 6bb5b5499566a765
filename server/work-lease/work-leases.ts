// Work leases of this server: takes what is free, renews what it holds, and runs each work only while its lease is held.
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../database/connection.ts';
import type { WorkLeaseRow } from '../database/schema/work-lease-schema.ts';
import { addLeases, giveUpLeases, lookAtLeases, renewLeases, takeLease } from '../database/work-lease.queries.ts';
import { type Held, HeldLease } from './held-lease.ts';
import { LEASE_MS, mayTake, RENEW_EVERY_MS, type Watch, watchAfter } from './lease-judge.ts';
import { LeaseSession } from './lease-session.ts';

/** What runs while a lease is held. */
export interface LeasedWork {
  /** Ends it. When the lease is given up, what is under way may be finished; a lease that is lost is not waited for long. */
  close(): void | Promise<void>;
}

export type BeginWork = (held: Held) => LeasedWork | Promise<LeasedWork>;

/** What this server does over the same connection with each turn. */
export interface LeaseCompanion {
  turn(client: pg.Client): Promise<void>;
  /** At a clean end. */
  leave(client: pg.Client): Promise<void>;
}

export interface WorkLeasesOptions {
  readonly nodeId: string;
  readonly newClient: () => pg.Client;
  readonly fencedBy: DatabaseConnection['fencedBy'];
  readonly clock: Clock;
  readonly log: Logger;
}

const TURN_EVERY_MS = 1000;
/** Another server takes the work over anyway. */
const CLOSE_WITHIN_MS = 2500;
const GIVE_UP_WITHIN_MS = 1000;
/** A work that could not begin is tried again then, unless another server has taken it. */
const AGAIN_AFTER_MS = 5000;

interface Kept {
  readonly name: string;
  readonly begin: BeginWork;
  held: HeldLease | null;
  /** Null where it could not begin. */
  work: Promise<LeasedWork | null>;
  /** Settles when nothing of it runs any more, or when that takes too long. */
  ending: Promise<void> | null;
  /** Monotonic. */
  notBefore: number;
}

export class WorkLeases {
  readonly #options: WorkLeasesOptions;
  readonly #session: LeaseSession;
  readonly #kept = new Map<string, Kept>();
  #companion: LeaseCompanion | null = null;
  #watch: Watch | null = null;
  #renewAt = Number.NEGATIVE_INFINITY;
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #areAdded = false;
  #isClosed = false;

  constructor(options: WorkLeasesOptions) {
    this.#options = options;
    this.#session = new LeaseSession(options);
  }

  /** Before anything else of this server touches the database. Throws IdentityInUse. */
  async claimIdentity(): Promise<void> {
    await this.#session.open();
  }

  /** Before the start; `begin` runs at once. */
  async accompany(companion: LeaseCompanion, begin: (client: pg.Client) => Promise<void>): Promise<void> {
    await begin(await this.#session.open());
    this.#companion = companion;
  }

  /** Before the start. `begin` runs each time that this server gets the lease. */
  keep(name: string, begin: BeginWork): void {
    if (this.#kept.has(name)) throw new Error(`two works are named ${name}`);
    const work = Promise.resolve(null);
    this.#kept.set(name, { name, begin, held: null, work, ending: null, notBefore: Number.NEGATIVE_INFINITY });
  }

  /** Has begun what is free when it answers, unless the database is away. */
  async start(): Promise<void> {
    this.#running = this.#turn();
    await this.#running;
    await Promise.all(this.#kept.values().map(({ work }) => work));
    if (!this.#isClosed) this.#turnLater();
  }

  /** Finishes what is under way, and gives all up. */
  async close(): Promise<void> {
    const { clock } = this.#options;
    this.#isClosed = true;
    this.#cancel();
    await finishesWithin(clock, GIVE_UP_WITHIN_MS, this.#running);
    const held = heldEpochs(this.#kept.values());
    const all = [...this.#kept.values()];
    for (const kept of all) this.#end(kept);
    await Promise.all(all.flatMap(({ ending }) => ending ?? []));
    await finishesWithin(clock, GIVE_UP_WITHIN_MS, this.#giveUp(held));
    if (this.#companion !== null) await finishesWithin(clock, GIVE_UP_WITHIN_MS, this.#leave(this.#companion));
    await this.#session.close();
  }

  #turnLater(): void {
    this.#cancel = this.#options.clock.after(TURN_EVERY_MS, () => {
      this.#running = this.#turn().finally(() => {
        if (!this.#isClosed) this.#turnLater();
      });
    });
  }

  async #turn(): Promise<void> {
    try {
      const client = await this.#session.open();
      await this.#lookAfterAll(client);
      await this.#companion?.turn(client);
    } catch (error) {
      this.#session.failed(error);
    }
  }

  async #lookAfterAll(client: pg.Client): Promise<void> {
    if (!this.#areAdded) await addLeases(client, [...this.#kept.keys()]);
    this.#areAdded = true;
    await this.#renew(client);
    const free = [...this.#kept.values()].filter((kept) => this.#isWanted(kept)).map(({ name }) => name);
    // Who holds all watches nobody.
    if (free.length === 0) return;
    const { now, rows } = await lookAtLeases(client, free);
    this.#watch = watchAfter(this.#watch, { now, monotonicMs: this.#options.clock.monotonicMs() });
    for (const row of rows) await this.#takeIfFree(client, row, this.#watch);
  }

  #isWanted({ held, notBefore }: Kept): boolean {
    return held === null && this.#options.clock.monotonicMs() >= notBefore;
  }

  async #renew(client: pg.Client): Promise<void> {
    const { clock, nodeId } = this.#options;
    const asked = clock.monotonicMs();
    const held = heldEpochs(this.#kept.values());
    if (held.size === 0 || asked < this.#renewAt) return;
    const renewed = await renewLeases(client, held, { nodeId, forMs: LEASE_MS });
    this.#renewAt = asked + RENEW_EVERY_MS;
    for (const [name, epoch] of held) {
      const lease = this.#kept.get(name)?.held;
      if (lease?.epoch !== epoch) continue;
      if (renewed.has(name)) lease.renewed(asked + LEASE_MS);
      else lease.lose();
    }
  }

  async #takeIfFree(client: pg.Client, row: WorkLeaseRow, watch: Watch): Promise<void> {
    const { clock, nodeId, log, fencedBy } = this.#options;
    const kept = this.#kept.get(row.name);
    // While another connection has the identity of this server, it may be its own of before, or another server.
    const isTwinPossible = row.holder === nodeId && !this.#session.isAlone;
    if (kept === undefined || this.#isClosed || isTwinPossible || !mayTake(row, watch, nodeId)) return;
    const safeUntil = clock.monotonicMs() + LEASE_MS;
    const epoch = await takeLease(client, row, { nodeId, forMs: LEASE_MS });
    if (epoch === null) return;
    const { name } = kept;
    const database = fencedBy({ name, holder: nodeId, epoch });
    const onLost = () => {
      log.warn({ lease: name, epoch }, 'the lease of a work was lost; it ends here');
      this.#end(kept);
    };
    // Where one server is alone nobody needs to know.
    const isTakenOver = row.holder !== null && row.holder !== nodeId;
    log[isTakenOver ? 'info' : 'debug']({ lease: name, epoch, before: row.holder }, 'took the lease of a work');
    const held = new HeldLease({ name, epoch, database, clock, safeUntil, onLost });
    kept.held = held;
    kept.work = this.#begun(kept, held);
  }

  async #begun(kept: Kept, held: HeldLease): Promise<LeasedWork | null> {
    const { log, clock } = this.#options;
    try {
      return await kept.begin(held);
    } catch (error) {
      log.warn({ err: error, lease: kept.name }, 'a work could not begin');
      kept.notBefore = clock.monotonicMs() + AGAIN_AFTER_MS;
      held.end();
      if (kept.held === held && kept.ending === null) kept.held = null;
      return null;
    }
  }

  /** The lease stays valid until the work has ended, unless it is lost. */
  #end(kept: Kept): void {
    const { clock, log } = this.#options;
    const { held, work } = kept;
    if (held === null || kept.ending !== null) return;
    const closed = work
      .then((one) => one?.close())
      .catch((error: unknown) => log.warn({ err: error, lease: kept.name }, 'a work did not end in order'));
    kept.ending = finishesWithin(clock, CLOSE_WITHIN_MS, closed).then((isDone) => {
      if (!isDone) log.warn({ lease: kept.name }, 'a work takes long to end; it can store nothing more');
      held.end();
      kept.ending = null;
      kept.held = null;
    });
  }

  async #leave(companion: LeaseCompanion): Promise<void> {
    try {
      await companion.leave(await this.#session.open());
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the other servers could not be told that this one ends');
    }
  }

  async #giveUp(held: ReadonlyMap<string, number>): Promise<void> {
    if (held.size === 0) return;
    try {
      await giveUpLeases(await this.#session.open(), held, this.#options.nodeId);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'leases could not be given up; they run out');
    }
  }
}

/** Of those that are not lost. */
function heldEpochs(all: Iterable<Kept>): ReadonlyMap<string, number> {
  const held = [...all].flatMap(({ name, held: lease }) =>
    lease === null || lease.signal.aborted ? [] : [[name, lease.epoch] as const],
  );
  return new Map(held);
}
