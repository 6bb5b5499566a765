// Plans which guards are removed together for which test file, until each is caught or no file is left.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { findGuards, type Guard } from './guards.ts';
import { type GuardedRun, OUTSIDE, runGuarded } from './guarded-run.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
/** What each test file saw is kept here until the file or a guard changes. */
const CACHE_FILE = `${ROOT}.vedette/guards-seen.json`;

export interface MutationOptions {
  /** Part of the names of those that are tried. */
  readonly word: string;
  readonly isAlone: boolean;
  readonly lanes: number;
  /** Parts of the names of the test files that try them; all where empty. */
  readonly tests: readonly string[];
  /** Those that were missed before: they are tried when nothing else is left. */
  readonly last: ReadonlySet<string>;
  readonly under: readonly string[];
}

/** Of one test file. */
interface BaselineRun {
  readonly hash: string;
  readonly tookMs: number;
  readonly seen: Readonly<Record<string, readonly string[]>>;
}

/** One run of a test file, in which each of its tests is to miss another guard. */
interface Batch {
  readonly test: string;
  readonly ids: readonly string[];
  readonly taken: ReadonlyMap<string, readonly string[]>;
}

/** What those tried last are worth. */
const LITTLE = 0.01;

export class Mutation {
  readonly #options: MutationOptions;
  readonly #guards: readonly Guard[] = findGuards(ROOT);
  readonly #kinds = new Map(this.#guards.map(({ id, kind }) => [id, kind]));
  readonly #baselines = new Map<string, BaselineRun>();
  /** The tests by which each guard is still to be missed, by file; gone once it was. */
  readonly #open = new Map<string, Map<string, Set<string>>>();
  /** Taken out in a run that goes on. */
  readonly #flying = new Set<string>();
  readonly #survivors: string[] = [];

  constructor(options: MutationOptions) {
    this.#options = options;
  }

  /** Answers how many survived. */
  async run(): Promise<number> {
    await this.#runBaselines();
    const chosen = this.#guards.filter(({ id }) => id.includes(this.#options.word));
    for (const { id } of chosen) {
      const files = [...this.#baselines].filter(([, { seen }]) => seen[id] !== undefined);
      this.#open.set(id, new Map(files.map(([test]) => [test, new Set(this.#testsOf(id, test))])));
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
    process.stdout.write(`survivors: ${this.#survivors.length} of ${chosen.length}\n${list}`);
    return this.#survivors.length;
  }

  async #inLanes(lane: () => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.lanes }, lane));
  }

  #giveUp(): void {
    for (const [id, files] of this.#open) {
      if (files.size > 0 || this.#flying.has(id)) continue;
      this.#open.delete(id);
      this.#survivors.push(id);
      process.stdout.write(`SURVIVES  ${id}\n`);
    }
  }

  /** Which tests of each file see which guards at work, with all of them in place. */
  async #runBaselines(): Promise<void> {
    const kept = existsSync(CACHE_FILE)
      ? (JSON.parse(readFileSync(CACHE_FILE, 'utf8')) as Record<string, BaselineRun>)
      : {};
    const left = readdirSync(`${ROOT}tests/contract`).filter(
      (name) => name.endsWith('.test.ts') && this.#isAsked(name),
    );
    await this.#inLanes(async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const test = `tests/contract/${name}`;
        const hash = hashOf(JSON.stringify(this.#guards) + readFileSync(ROOT + test, 'utf8'));
        const before = kept[test];
        this.#baselines.set(test, before?.hash === hash ? before : { hash, ...(await this.#runBaseline(test)) });
        mkdirSync(`${ROOT}.vedette`, { recursive: true });
        writeFileSync(CACHE_FILE, JSON.stringify({ ...kept, ...Object.fromEntries(this.#baselines) }));
      }
    });
  }

  #isAsked(name: string): boolean {
    const { tests } = this.#options;
    return tests.length === 0 || tests.some((part) => name.includes(part));
  }

  async #runBaseline(test: string): Promise<Omit<BaselineRun, 'hash'>> {
    const { hasFailed, failed, tookMs, seen } = await this.#runWithout(test, new Map());
    if (hasFailed) throw new Error(`${test} fails with every guard in place: ${failed[0] ?? 'before any test'}`);
    process.stdout.write(`${test} sees ${seen.size} guards in ${(tookMs / 1000).toFixed(1)} s\n`);
    return { tookMs, seen: Object.fromEntries(seen) };
  }

  async #runWithout(test: string, removed: Batch['taken']): Promise<GuardedRun> {
    return await runGuarded({ guards: this.#guards, test, removed, under: this.#options.under });
  }

  /** The file and the guards that tell the most for the time; marked as tried. */
  #nextBatch(): Batch | null {
    const best = this.#bestBatch();
    if (best !== null) this.#markTried(best);
    return best;
  }

  #bestBatch(): Batch | null {
    let best: { batch: Batch; worth: number } | null = null;
    for (const [test, look] of this.#baselines) {
      const batch = this.#batchOf(test);
      const weight = batch.ids.reduce((sum, id) => sum + (this.#options.last.has(id) ? LITTLE : 1), 0);
      const worth = weight / (look.tookMs + 1000);
      if (batch.ids.length > 0 && (best === null || worth > best.worth)) best = { batch, worth };
    }
    return best?.batch ?? null;
  }

  #markTried({ test, taken }: Batch): void {
    for (const [name, ids] of taken) {
      for (const id of ids) {
        const files = this.#open.get(id);
        files?.get(test)?.delete(name);
        if (files?.get(test)?.size === 0) files.delete(test);
      }
    }
  }

  /** Each test is given one guard that it saw: those that few tests see choose first, then the rest are spread over what is left. */
  #batchOf(test: string): Batch {
    const left = this.#untried(test);
    const ids = [...left.keys()].sort((one, other) => widthOf(left, one) - widthOf(left, other));
    const [first] = ids;
    if (first !== undefined && this.#options.isAlone)
      return batchOf(
        test,
        (left.get(first) ?? []).map((name) => [name, first]),
      );
    const given = spread(ids, left);
    // What sets the stage spoils every test: by itself, when nothing else is left.
    if (given.size === 0 && first !== undefined) given.set(OUTSIDE, first);
    return batchOf(test, [...given]);
  }

  /** Tests of the file by the guards that they saw and have not missed yet. */
  #untried(test: string): ReadonlyMap<string, readonly string[]> {
    const left = new Map<string, string[]>();
    for (const [id, files] of this.#open) {
      const names = this.#flying.has(id) ? undefined : files.get(test);
      if (names !== undefined && names.size > 0) left.set(id, [...names]);
    }
    return left;
  }

  /** A filter is passed by whatever reads the table: what set the stage says nothing of it. */
  #testsOf(id: string, test: string): readonly string[] {
    const tests = this.#baselines.get(test)?.seen[id] ?? [];
    const within = tests.filter((name) => name !== OUTSIDE);
    const isPassed = ['filter', 'sql', 'visible'].includes(this.#kinds.get(id) ?? '');
    return isPassed && within.length > 0 ? within : tests;
  }

  async #tryOut({ test, ids, taken }: Batch): Promise<void> {
    const run = await this.#runWithout(test, taken);
    const missers = missersOf(run.failed, taken);
    // Something failed, and no test that was to miss one of them.
    const isUnexplained = run.hasFailed && missers.size === 0;
    const [only = ''] = ids;
    if (isUnexplained && ids.length > 1) {
      for (const half of halvesOf({ test, ids, taken })) await this.#tryOut(half);
      return;
    }
    if (isUnexplained && ids.length === 1) missers.set(only, run.failed[0] ?? 'before any test');
    for (const [id, misser] of missers) {
      this.#open.delete(id);
      process.stdout.write(`missed    ${id}  by ${test}: ${misser}\n`);
    }
  }
}

/** By guard: the first failed test that was to miss it. */
function missersOf(failed: readonly string[], taken: Batch['taken']): Map<string, string> {
  const missers = new Map<string, string>();
  for (const name of failed) {
    for (const id of taken.get(name) ?? []) if (!missers.has(id)) missers.set(id, name);
  }
  return missers;
}

function halvesOf({ test, ids, taken }: Batch): Batch[] {
  const middle = Math.ceil(ids.length / 2);
  const pairs = [...taken].flatMap(([name, some]) => some.map((id): [string, string] => [name, id]));
  return [ids.slice(0, middle), ids.slice(middle)].map((half) =>
    batchOf(
      test,
      pairs.filter(([, id]) => half.includes(id)),
    ),
  );
}

/** Guards by test: each takes one of its own first, then what is left of them. */
function spread(ids: readonly string[], left: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  const given = new Map<string, string>();
  for (const isFirst of [true, false]) {
    for (const id of ids) {
      const free = (left.get(id) ?? []).filter((name) => name !== OUTSIDE && !given.has(name));
      for (const name of isFirst ? free.slice(0, 1) : free) given.set(name, id);
    }
  }
  return given;
}

function batchOf(test: string, pairs: readonly (readonly [test: string, id: string])[]): Batch {
  const taken = new Map<string, string[]>();
  for (const [name, id] of pairs) taken.set(name, [...(taken.get(name) ?? []), id]);
  return { test, ids: [...new Set(pairs.map(([, id]) => id))], taken };
}

function widthOf(left: ReadonlyMap<string, readonly string[]>, id: string): number {
  return left.get(id)?.length ?? 0;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
