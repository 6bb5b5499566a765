// Fuzzer: mutates inputs of a parser for a while, keeps those that reach new code, and fails at the first violation.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { BlockCoverage } from './block-coverage.ts';
import { INPUT_MAX_BYTES, mutate, seededRandom } from './mutate.ts';
import { Watchdog } from './watchdog.ts';

export interface FuzzTarget {
  /** Also the name of its folder in the corpus. */
  readonly name: string;
  readonly seeds: readonly Buffer[];
  readonly words?: readonly string[];
  /** Takes one input; answers the bytes or items it made of it. Throws only declared errors. */
  readonly run: (input: Buffer) => number | Promise<number>;
  readonly allowed?: readonly (new (...args: never[]) => Error)[];
  /** Most that may be made of an input of so many bytes. */
  readonly outputMax?: (inputBytes: number) => number;
  /** Of the usual number of inputs, for targets that cost more each; 1 when absent. */
  readonly share?: number;
}

export interface FuzzReport {
  readonly target: string;
  readonly seed: number;
  readonly inputs: number;
  readonly kept: number;
  readonly blocks: number;
  readonly slowestMs: number;
}

const CORPUS = new URL('../corpus/', import.meta.url).pathname;
const INPUTS = Number(process.env['FUZZ_INPUTS'] ?? '2000');
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? '0');
const SEED = Number(process.env['FUZZ_SEED'] ?? (SECONDS > 0 ? Date.now() % 2 ** 31 : 20_260_101));
const BATCH = 100;
const HANG_MS = 1000;
const RSS_MAX_BYTES = 512 * 1024 * 1024;

/**
 * Asking for the counters sets them back to zero, and ending to ask switches them off for everybody. Where `npm test` measures branches,
 * the inputs that reached something run once more at the end, so that it sees them.
 */
const isMeasured = process.env['VEDETTE_COVERAGE'] !== undefined;
const runs: FuzzRun[] = [];
if (isMeasured)
  afterAll(async () => {
    for (const run of runs.splice(0)) await run.repeatCorpus();
  });

/** Throws with the input (base64) at the first broken promise; in a long run the input is also put into the corpus. */
export async function fuzz(target: FuzzTarget): Promise<FuzzReport> {
  const run = new FuzzRun(target);
  const report = await run.all();
  if (isMeasured) runs.push(run);
  process.stdout.write(`fuzz: ${JSON.stringify(report)}\n`);
  return report;
}

class FuzzRun {
  readonly #target: FuzzTarget;
  readonly #watchdog: Watchdog;
  readonly #random = seededRandom(SEED);
  readonly #corpus: Buffer[];
  readonly #rssBefore = process.memoryUsage().rss;
  #inputs = 0;
  #slowestMs = 0;

  constructor(target: FuzzTarget) {
    this.#target = target;
    this.#watchdog = new Watchdog(target.name);
    const kept = target.seeds.map((seed) => seed.subarray(0, INPUT_MAX_BYTES));
    this.#corpus = [...kept, ...savedInputs(target.name), Buffer.alloc(0)];
  }

  async all(): Promise<FuzzReport> {
    const coverage = await BlockCoverage.start(/\/(protocols|media|player|site|server|drivers)\//);
    try {
      for (const input of this.#corpus.slice()) await this.#once(input);
      await coverage.take();
      const seeds = this.#corpus.length;
      const end = performance.now() + SECONDS * 1000;
      const inputs = INPUTS * (this.#target.share ?? 1);
      while (SECONDS > 0 ? performance.now() < end : this.#inputs < inputs) await this.#batch(coverage);
      const { name } = this.#target;
      const [kept, blocks] = [this.#corpus.length - seeds, coverage.blocks];
      return { target: name, seed: SEED, inputs: this.#inputs, kept, blocks, slowestMs: Math.round(this.#slowestMs) };
    } finally {
      if (!isMeasured) await coverage.stop();
      await this.#watchdog.stop();
    }
  }

  async repeatCorpus(): Promise<void> {
    for (const input of this.#corpus) {
      try {
        await this.#target.run(Buffer.from(input));
      } catch (error) {
        if (!(this.#target.allowed ?? []).some((kind) => error instanceof kind)) throw error;
      }
    }
  }

  /** Asking for the counters costs more than a run, so it is done once per batch; of a batch that reached new code the shortest inputs stay. */
  async #batch(coverage: BlockCoverage): Promise<void> {
    const options = { random: this.#random, corpus: this.#corpus, words: this.#target.words ?? [] };
    const inputs = Array.from({ length: BATCH }, () => {
      const parent = this.#corpus[Math.floor(this.#random() * this.#corpus.length)] ?? Buffer.alloc(0);
      return mutate(parent, options);
    });
    const before = coverage.blocks;
    for (const input of inputs) await this.#once(input);
    if ((await coverage.take()) === 0) return;
    const found = coverage.blocks - before;
    this.#corpus.push(...inputs.toSorted((a, b) => a.length - b.length).slice(0, Math.min(found, 5)));
  }

  async #once(input: Buffer): Promise<void> {
    this.#inputs += 1;
    // Processor time of this thread: a busy machine is no hang.
    const began = threadMs();
    this.#watchdog.begin(input);
    try {
      // Its own copy: a parser may keep or change what it got.
      const made = await this.#target.run(Buffer.from(input));
      const most = this.#target.outputMax?.(input.length) ?? Infinity;
      if (made > most) this.#fail(input, new Error(`made ${made} of ${input.length} bytes, at most ${most}`));
    } catch (error) {
      const isDeclared = (this.#target.allowed ?? []).some((kind) => error instanceof kind);
      if (!isDeclared) this.#fail(input, error);
    } finally {
      this.#watchdog.end();
    }
    const took = threadMs() - began;
    this.#slowestMs = Math.max(this.#slowestMs, took);
    if (took > HANG_MS) this.#fail(input, new Error(`took ${Math.round(took)} ms`));
    if (this.#inputs % BATCH === 0 && process.memoryUsage().rss - this.#rssBefore > RSS_MAX_BYTES)
      this.#fail(input, new Error('memory grew beyond 512 MB'));
  }

  #fail(input: Buffer, cause: unknown): never {
    const { name } = this.#target;
    const file = `broke-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
    if (SECONDS > 0) {
      mkdirSync(join(CORPUS, name), { recursive: true });
      writeFileSync(join(CORPUS, name, file), input);
    }
    const text = input.toString('base64').slice(0, 4000);
    throw new Error(`${name}, seed ${SEED}, input ${this.#inputs} (${file}): ${String(cause)}; base64 ${text}`, {
      cause,
    });
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Inputs that once broke something, and seeds too long to write down. */
function savedInputs(name: string): Buffer[] {
  const folder = join(CORPUS, name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file)));
}
