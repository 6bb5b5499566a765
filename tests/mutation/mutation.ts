// Plans which guards are taken out together and by which test file they are to be missed, until each was missed or no file is left.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { findGuards, type Guard } from './guards.ts';
import { type GuardedRun, OUTSIDE, runGuarded } from './guarded-run.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
/** What each test file saw is kept here until the file or a guard changes. */
const KEPT = `${ROOT}.vedette/guards-seen.json`;

export interface MutationOptions {
  /** Part of the names of those that are tried. */
  readonly word: string;
  readonly isAlone: boolean;
  readonly lanes: number;
  readonly under: readonly string[];
}

/** Of one test file. */
interface Look {
  readonly hash: string;
  readonly tookMs: number;
  readonly seen: Readonly<Record<string, readonly string[]>>;
}

interface Batch {
  readonly test: string;
  readonly ids: readonly string[];
}

export class Mutation {
  readonly #options: MutationOptions;
  readonly #guards: readonly Guard[] = findGuards(ROOT);
  readonly #kinds = new Map(this.#guards.map(({ id, kind }) => [id, kind]));
  readonly #looks = new Map<string, Look>();
  /** Files that each guard is still to be missed by; gone once it was. */
  readonly #open = new Map<string, Set<string>>();
  /** Taken out in a run that goes on. */
  readonly #flying = new Set<string>();
  readonly #survivors: string[] = [];

  constructor(options: MutationOptions) {
    this.#options = options;
  }

  /** Answers how many survived. */
  async run(): Promise<number> {
    await this.#lookAtAll();
    const chosen = this.#guards.filter(({ id }) => id.includes(this.#options.word));
    for (const { id } of chosen) {
      const tests = [...this.#looks].filter(([, { seen }]) => seen[id] !== undefined).map(([test]) => test);
      this.#open.set(id, new Set(tests));
    }
    process.stdout.write(`${chosen.length} guards\n`);
    this.#giveUp();
    await this.#inLanes(async () => {
      for (let batch = this.#nextBatch(); batch !== null; batch = this.#nextBatch()) {
        for (const id of batch.ids) this.#flying.add(id);
        await this.#tryOut(batch);
        for (const id of batch.ids) this.#flying.delete(id);
        this.#giveUp();
      }
    });
    const list = this.#survivors.map((id) => `  ${id}\n`).join('');
    process.stdout.write(`survivors: ${this.#survivors.length}\n${list}`);
    return this.#survivors.length;
  }

  async #inLanes(lane: () => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.lanes }, lane));
  }

  #giveUp(): void {
    for (const [id, tests] of this.#open) {
      if (tests.size > 0 || this.#flying.has(id)) continue;
      this.#open.delete(id);
      this.#survivors.push(id);
      process.stdout.write(`SURVIVES  ${id}\n`);
    }
  }

  /** Which tests of each file see which guards at work, with all of them in place. */
  async #lookAtAll(): Promise<void> {
    const kept = existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, Look>) : {};
    const left = readdirSync(`${ROOT}tests/contract`).filter((name) => name.endsWith('.test.ts'));
    await this.#inLanes(async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const test = `tests/contract/${name}`;
        const hash = hashOf(JSON.stringify(this.#guards) + readFileSync(ROOT + test, 'utf8'));
        const before = kept[test];
        this.#looks.set(test, before?.hash === hash ? before : { hash, ...(await this.#lookAt(test)) });
        mkdirSync(`${ROOT}.vedette`, { recursive: true });
        writeFileSync(KEPT, JSON.stringify({ ...kept, ...Object.fromEntries(this.#looks) }));
      }
    });
  }

  async #lookAt(test: string): Promise<Omit<Look, 'hash'>> {
    const { hasFailed, failed, tookMs, seen } = await this.#runWithout(test, []);
    if (hasFailed) throw new Error(`${test} fails with every guard in place: ${failed[0] ?? 'before any test'}`);
    process.stdout.write(`${test} sees ${seen.size} guards in ${(tookMs / 1000).toFixed(1)} s\n`);
    return { tookMs, seen: Object.fromEntries(seen) };
  }

  async #runWithout(test: string, taken: readonly string[]): Promise<GuardedRun> {
    return await runGuarded({ guards: this.#guards, test, taken, under: this.#options.under });
  }

  /** The file and the guards that tell the most for the time; marked as tried. */
  #nextBatch(): Batch | null {
    let best: { batch: Batch; worth: number } | null = null;
    for (const [test, look] of this.#looks) {
      const waiting = [...this.#open].filter(([id, tests]) => tests.has(test) && !this.#flying.has(id));
      const ids = this.#apart(
        waiting.map(([id]) => id),
        test,
      );
      const worth = ids.length / (look.tookMs + 1000);
      if (ids.length > 0 && (best === null || worth > best.worth)) best = { batch: { test, ids }, worth };
    }
    for (const id of best?.batch.ids ?? []) this.#open.get(id)?.delete(best?.batch.test ?? '');
    return best?.batch ?? null;
  }

  /** As many as no test sees two of: the one that fails then tells which guard it missed. */
  #apart(ids: readonly string[], test: string): string[] {
    const width = (id: string): number => this.#testsOf(id, test).length;
    const taken = new Set<string>();
    const chosen: string[] = [];
    for (const id of [...ids].sort((one, other) => width(one) - width(other))) {
      const tests = this.#testsOf(id, test);
      const isSingle = this.#options.isAlone || tests.includes(OUTSIDE);
      if (chosen.length > 0 && (isSingle || tests.some((name) => taken.has(name)))) continue;
      chosen.push(id);
      if (isSingle) break;
      for (const name of tests) taken.add(name);
    }
    return chosen;
  }

  /** A filter is passed by whatever reads the table: what set the stage says nothing of it. */
  #testsOf(id: string, test: string): readonly string[] {
    const tests = this.#looks.get(test)?.seen[id] ?? [];
    const within = tests.filter((name) => name !== OUTSIDE);
    const isPassed = ['filter', 'sql', 'visible'].includes(this.#kinds.get(id) ?? '');
    return isPassed && within.length > 0 ? within : tests;
  }

  async #tryOut({ test, ids }: Batch): Promise<void> {
    const run = await this.#runWithout(test, ids);
    const missers = new Map(ids.map((id) => [id, run.failed.find((name) => this.#testsOf(id, test).includes(name))]));
    const isExplained = [...missers.values()].some((name) => name !== undefined);
    if (ids.length > 1 && run.hasFailed && !isExplained) {
      // Something failed, and no test that sees one of them.
      const middle = Math.ceil(ids.length / 2);
      await this.#tryOut({ test, ids: ids.slice(0, middle) });
      await this.#tryOut({ test, ids: ids.slice(middle) });
      return;
    }
    if (ids.length === 1 && run.hasFailed) missers.set(ids[0] ?? '', run.failed[0] ?? 'before any test');
    for (const [id, misser] of missers) {
      if (misser === undefined) continue;
      this.#open.delete(id);
      process.stdout.write(`missed    ${id}  by ${test}: ${misser}\n`);
    }
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
