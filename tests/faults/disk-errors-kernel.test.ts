// System calls of a recorder fail in the kernel (strace): what is reported as stored still verifies.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { brokenClaims } from '../harness/broken-claims.ts';
import { faultRounds } from '../harness/fault-rounds.ts';

const SCRIPT = new URL('../harness/main-recording-to-fail.ts', import.meta.url).pathname;
const KEY = { channelId: 'fed1', quality: 0 } as const;
/** How often the scenario makes each call, about. */
const CALLS = { pwritev: 24, fdatasync: 12, rename: 1, unlink: 5 } as const;
const ROUNDS = faultRounds(1, 24);
const AT_ONCE = 2;
const run = promisify(execFile);
const canTrace = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'eio-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

interface Told {
  readonly claimed: readonly { readonly startMs: number; readonly endMs: number }[];
  readonly framesStored: number;
  readonly expected: number;
  readonly faults: number;
}

it.skipIf(!canTrace)(
  `[FT-14] EIO from the kernel at ${ROUNDS} of the writes, syncs, renames and unlinks: 0 index rows fail verification`,
  async () => {
    const planned = Object.entries(CALLS).flatMap(([call, count]) =>
      Array.from({ length: Math.min(ROUNDS, count) }, (_, at) => ({
        call,
        nth: at + (ROUNDS === 1 ? 1 + (count >> 1) : 1),
      })),
    );
    const waiting = planned.values();
    let [hit, told] = [0, 0];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const { call, nth } of waiting) {
          const one = await oneFault(call, nth);
          hit += one.isHit ? 1 : 0;
          told += one.faults;
        }
      }),
    );
    process.stdout.write(`disk-errors-kernel: ${JSON.stringify({ runs: planned.length, hit, told })}\n`);
    expect(hit).toBeGreaterThanOrEqual(planned.length / 2);
  },
  60_000 + ROUNDS * 60_000,
);

async function oneFault(call: string, nth: number): Promise<{ faults: number; isHit: boolean }> {
  const where = `${call} ${nth}`;
  const folder = join(root, `${call}-${nth}`);
  const log = join(root, `${call}-${nth}.strace`);
  const inject = `${call}:error=EIO:when=${nth}`;
  // Counted per thread: one thread makes all calls.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  const traced = [
    '-f',
    '-qq',
    '-o',
    log,
    '-e',
    `trace=${call}`,
    '-e',
    `inject=${inject}`,
    process.execPath,
    SCRIPT,
    folder,
  ];
  const { stdout } = await run('strace', traced, { env, timeout: 60_000 });
  const { claimed, framesStored, expected, faults } = JSON.parse(stdout) as Told;
  expect(framesStored, where).toBe(expected);
  expect(await brokenClaims(folder, KEY, claimed), where).toEqual([]);
  return { faults, isHit: (await readFile(log, 'utf8')).includes('INJECTED') };
}
