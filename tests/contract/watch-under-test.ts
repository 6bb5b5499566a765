// A recorder watch over a real database, beside links of sites that say nothing or something: time passes second by second.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import type { Move } from '@vedette/rules/recorder-group/take-over.ts';
import { pino } from 'pino';
import type { DatabaseConnection } from '../../server/database/connection.ts';
import { AlarmWriter } from '../../server/features/alarm/alarm-writer.ts';
import { TakeOverAlarms } from '../../server/health/take-over-alarms.ts';
import { RecorderWatch, type RecorderWatchDeps } from '../../server/site-link/recorder-watch.ts';
import { waitFor } from '../harness/wait-for.ts';

const log = pino({ level: 'silent' });
const SECOND = 1000;

/** Knows when a beat is over: it then asks for the next one. */
class BeatClock extends FakeClock {
  beats = 0;
  #stoodStillMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.#stoodStillMs;
  }

  override after(ms: number, run: () => void): () => void {
    if (ms === SECOND) this.beats += 1;
    return super.after(ms, run);
  }

  /** No timer runs meanwhile. */
  standStill(ms: number): void {
    this.#stoodStillMs += ms;
  }
}

export class WatchUnderTest {
  readonly clock = new BeatClock(Date.now());
  /** Sites that give a sign of life each second. */
  readonly alive = new Set<string>();
  /** Of sites that were told, in order. */
  readonly told: string[][] = [];
  readonly returns: Move[] = [];
  readonly #connection: DatabaseConnection;
  readonly #heardAt = new Map<string, number>();
  readonly #watch: RecorderWatch;
  /** The database has time of its own, which goes on. */
  #passedAt = performance.now();

  constructor(connection: DatabaseConnection, alive: readonly string[], deps: Partial<RecorderWatchDeps> = {}) {
    this.#connection = connection;
    for (const siteId of alive) this.alive.add(siteId);
    const { database } = connection;
    const { clock } = this;
    const settings = () => Promise.resolve({ retentionDays: 30, topicList: [] });
    const alarms = new AlarmWriter({ database, clock, log, settings, timeZone: 'UTC' });
    this.#watch = new RecorderWatch({
      database,
      clock,
      log,
      sites: { linkOf: (siteId) => this.#linkOf(siteId) },
      canStore: () => true,
      onMoved: async (siteIds) => void this.told.push([...siteIds]),
      onReturns: async (moves) => void this.returns.push(...moves),
      onBeat: new TakeOverAlarms({ database, clock, alarms }).look,
      ...deps,
    });
    this.#hear();
    this.#watch.start();
  }

  /** The clock of the database goes on as this one does: what it stored lies further back. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      const now = performance.now();
      await this.age(Math.max(0, SECOND - Math.round(now - this.#passedAt)));
      this.#passedAt = now;
      this.#hear();
      await this.beat();
    }
  }

  async beat(): Promise<void> {
    const { beats } = this.clock;
    this.clock.advance(SECOND);
    await waitFor('the beat', () => this.clock.beats > beats);
  }

  async age(ms: number): Promise<void> {
    await this.#connection.pool.query('update recorder_member set heard_at = heard_at - $1::bigint', [ms]);
    await this.#connection.pool.query(
      `update recorder_watch set beat_at = beat_at - $1::bigint, since = since - $1::bigint, open_since = open_since - $1::bigint`,
      [ms],
    );
  }

  async close(): Promise<void> {
    await this.#watch.close();
  }

  #hear(): void {
    for (const siteId of this.alive) this.#heardAt.set(siteId, this.clock.monotonicMs());
  }

  #linkOf(siteId: string) {
    const silentMs = (): number => this.clock.monotonicMs() - (this.#heardAt.get(siteId) ?? Number.NEGATIVE_INFINITY);
    return { silentMs, steadyMs: () => (this.alive.has(siteId) ? Number.POSITIVE_INFINITY : 0) };
  }
}
