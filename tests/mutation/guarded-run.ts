// Runs one contract test file with guards taken out of its server, and tells what each test saw and which failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Guard } from './guards.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const HOOK = new URL('./mutant-hook.js', import.meta.url).pathname;
const REPORTER = new URL('./test-times.js', import.meta.url).pathname;
const RUN_MS_MAX = 600_000;
/** What was seen while no test ran: while the stage was set. */
export const OUTSIDE = '(outside any test)';

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
  readonly taken: readonly string[];
  /** A command that starts it, such as `nice`. */
  readonly under: readonly string[];
}

interface RanTest {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly isFailed: boolean;
}

export async function runGuarded({ guards, test, taken, under }: GuardedRunOptions): Promise<GuardedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-guards-'));
  const [planFile, seenFile, times] = ['plan.json', 'seen', 'times'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  // Noting costs time, and with guards taken out it tells nothing.
  writeFileSync(planFile, JSON.stringify({ guards, taken, seenFile: taken.length === 0 ? seenFile : null }));
  const vitest = [process.execPath, `${ROOT}node_modules/vitest/vitest.mjs`, 'run', '--project', 'contract', test];
  const [program = '', ...args]: string[] = [...under, ...vitest, '--retry', '0', `--reporter=${REPORTER}`];
  const mutant = { VEDETTE_MUTANT: planFile, VEDETTE_MUTANT_OPTIONS: `--import=${HOOK}`, VEDETTE_TEST_TIMES: times };
  const startedAt = performance.now();
  const env = { ...process.env, ...mutant };
  const child = spawn(program, args, { cwd: ROOT, stdio: 'ignore', timeout: RUN_MS_MAX, env });
  const [code] = (await once(child, 'exit')) as [number | null];
  const tookMs = Math.round(performance.now() - startedAt);
  const ran = linesOf(times).map((line) => JSON.parse(line) as RanTest);
  const seen = attribute(linesOf(seenFile), ran);
  rmSync(folder, { recursive: true, force: true });
  const failed = ran.filter(({ isFailed }) => isFailed).map(({ name }) => name);
  return { tookMs, hasFailed: code !== 0, failed, seen };
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** `<ms since 1970> <id>` by the test that ran then. */
function attribute(lines: readonly string[], ran: readonly RanTest[]): Map<string, string[]> {
  const seen = new Map<string, Set<string>>();
  for (const line of lines) {
    const [at = '', id = ''] = line.split(' ');
    const during = ran.filter(({ from, to }) => Number(at) >= Math.floor(from) && Number(at) <= Math.ceil(to));
    const names = during.length === 0 ? [OUTSIDE] : during.map(({ name }) => name);
    seen.set(id, new Set([...(seen.get(id) ?? []), ...names]));
  }
  return new Map([...seen].map(([id, names]) => [id, [...names]]));
}
