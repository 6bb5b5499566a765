// Runs one contract test file with guards removed from its server, and reports which tests reached them and which failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Guard } from './guards.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const HOOK = new URL('./mutant-hook.js', import.meta.url).pathname;
const REPORTER = new URL('./test-results.js', import.meta.url).pathname;
const RUN_MS_MAX = 600_000;
/** What is seen while no test runs: while the stage is set. */
export const OUTSIDE = '';

export interface GuardedRun {
  readonly tookMs: number;
  readonly hasFailed: boolean;
  /** In the order they ran. */
  readonly failed: readonly string[];
  /** Tests in which a guard refused something, by its id. */
  readonly seen: ReadonlyMap<string, readonly string[]>;
}

export interface GuardedRunOptions {
  readonly guards: readonly Guard[];
  readonly test: string;
  /** Ids by the test that is to miss them. */
  readonly removed: ReadonlyMap<string, readonly string[]>;
  /** A command that starts it, such as `nice`. */
  readonly under: readonly string[];
}

export async function runGuarded({ guards, test, removed, under }: GuardedRunOptions): Promise<GuardedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-guards-'));
  const fileOf = (name: string): string => join(folder, name);
  const [planFile, seenFile, results, runningFile] = ['plan', 'seen', 'results', 'running'].map(fileOf) as [
    string,
    string,
    string,
    string,
  ];
  writeFileSync(runningFile, OUTSIDE);
  // Noting costs time, and with guards taken out it tells nothing.
  const plan = {
    guards,
    taken: Object.fromEntries(removed),
    runningFile,
    seenFile: removed.size === 0 ? seenFile : null,
  };
  writeFileSync(planFile, JSON.stringify(plan));
  const vitest = [process.execPath, `${ROOT}node_modules/vitest/vitest.mjs`, 'run', '--project', 'contract', test];
  const [program = '', ...args]: string[] = [...under, ...vitest, '--retry', '0', `--reporter=${REPORTER}`];
  const env = {
    ...process.env,
    VEDETTE_MUTANT: planFile,
    VEDETTE_MUTANT_OPTIONS: `--import=${HOOK}`,
    VEDETTE_TEST_RESULTS: results,
    VEDETTE_RUNNING_TEST: runningFile,
  };
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: ROOT, stdio: 'ignore', timeout: RUN_MS_MAX, env });
  const [code] = (await once(child, 'exit')) as [number | null];
  const tookMs = Math.round(performance.now() - startedAt);
  const failed = readLines<{ name: string; isFailed: boolean }>(results)
    .filter(({ isFailed }) => isFailed)
    .map(({ name }) => name);
  const seen = new Map<string, string[]>();
  for (const { test: name, id } of readLines<{ test: string; id: string }>(seenFile)) {
    const tests = seen.get(id) ?? [];
    seen.set(id, tests.includes(name) ? tests : [...tests, name]);
  }
  rmSync(folder, { recursive: true, force: true });
  return { tookMs, hasFailed: code !== 0, failed, seen };
}

function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
