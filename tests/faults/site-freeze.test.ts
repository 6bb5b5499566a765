// A frozen site resumes after another one took over its folder: never two writers, and the first resumes when it may.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceAssignment, SiteSettings } from '@vedette/contract/site/site.ts';
import { type IndexRecord, readIndex, recordEndMs } from '../../media/recordings/index-record.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLongRun } from '../harness/fault-rounds.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

/** The long run stands still for as long as the table says. */
const FREEZE_MS = isLongRun ? 30_000 : 12_000;

let first: SiteProcess;
let second: SiteProcess;
let virtual: VirtualSite;
let devices: DeviceAssignment[];
let settings: SiteSettings;

beforeAll(async () => {
  [first, second, virtual] = await Promise.all([SiteProcess.create(), SiteProcess.create(), startVirtualSite()]);
  await Promise.all([first.serve(), second.serve()]);
  await first.start();
  const camera = virtual.devices.find((device) => device.kind === 'camera');
  if (!camera) throw new Error('no camera');
  const { target, user, password } = camera;
  const { deviceSerial, driver, native } = await first.ok('probe', { target, user, password, isOperator: true });
  const record = { quality: 0, retentionDays: 30 } as const;
  const channels = [{ channelNo: 1, channelId: 'camera1', record, backfillFrom: null }];
  devices = [{ deviceSerial, driver, native, user, password, isOperatorAddress: true, channels }];
  settings = first.settings;
  await first.ok('assign', { devices, settings });
}, 60_000);
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop(), virtual?.stop()]);
});

interface Written {
  readonly startMs: number;
  readonly records: readonly IndexRecord[];
}

async function filesOfChannel(): Promise<Written[]> {
  const folder = join(first.recordings, 'camera1', '0');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.idx'));
  const files = names.map(async (name) => ({
    startMs: Number(/(\d+)\.idx$/.exec(name)?.[1]),
    records: readIndex(await readFile(join(folder, name)))?.records ?? [],
  }));
  return (await Promise.all(files)).sort((a, b) => a.startMs - b.startMs);
}

/** Fragments of two files that cover the same time. */
async function overlaps(): Promise<number> {
  const all = (await filesOfChannel()).flatMap(({ startMs, records }) =>
    records.map((record) => ({ startMs, record })),
  );
  return all.filter(({ startMs, record }) =>
    all.some(
      (other) =>
        other.startMs !== startMs &&
        other.record.wallMs < recordEndMs(record) - 100 &&
        recordEndMs(other.record) - 100 > record.wallMs,
    ),
  ).length;
}

async function recordsSince(site: SiteProcess, sinceMs: number, timeoutMs: number): Promise<number> {
  await waitFor(
    'footage',
    async () => {
      const range = { startTime: sinceMs, endTime: sinceMs + 1e9 };
      const { spans } = await site.ok('recordings', { channelId: 'camera1', quality: 0, ...range });
      return spans.some(({ startTime, endTime }) => endTime - Math.max(startTime, sinceMs) > 1000);
    },
    timeoutMs,
  );
  return Date.now() - sinceMs;
}

it('[FT-21] a frozen site that was replaced records nothing more; 0 overlapping writers', async () => {
  await recordsSince(first, Date.now(), 30_000);
  const frozenMs = Date.now();
  process.kill(first.pid, 'SIGSTOP');
  await second.start();
  await second.ok('assign', { devices, settings });
  const takenOverMs = await recordsSince(second, frozenMs, 60_000);
  // The first one stood still for longer than anybody waits for it.
  expect(takenOverMs).toBeGreaterThan(10_000);
  process.kill(first.pid, 'SIGCONT');
  const thawedMs = Date.now();
  await waitFor(
    'the first one to see it',
    async () => (await first.ok('health', {})).storage.reason === 'inUse',
    20_000,
  );
  await recordsSince(second, Date.now(), 20_000);
  expect(await overlaps()).toBe(0);
  const leftMs = Date.now();
  await second.stop();
  const backMs = await recordsSince(first, leftMs, 30_000);
  expect(await overlaps()).toBe(0);
  expect(await first.ok('health', {})).toMatchObject({ storage: { state: 'normal' } });
  // What the other one wrote meanwhile is in the list of the first.
  const { spans } = await first.ok('recordings', {
    channelId: 'camera1',
    quality: 0,
    startTime: thawedMs,
    endTime: leftMs,
  });
  expect(spans.reduce((sum, one) => sum + one.endTime - one.startTime, 0)).toBeGreaterThan(500);
  process.stdout.write(`site-freeze: ${JSON.stringify({ takenOverMs, backMs, overlaps: 0 })}\n`);
}, 180_000);

it('[FT-21] a site that was frozen resumes by itself, and records nothing twice', async () => {
  const frozenMs = Date.now();
  process.kill(first.pid, 'SIGSTOP');
  await waitFor('the freeze', () => Date.now() - frozenMs > FREEZE_MS, FREEZE_MS + 10_000);
  process.kill(first.pid, 'SIGCONT');
  const thawedMs = Date.now();
  const backMs = await recordsSince(first, thawedMs, 30_000);
  expect(await overlaps()).toBe(0);
  process.stdout.write(`site-thaw: ${JSON.stringify({ frozenMs: thawedMs - frozenMs, backMs })}\n`);
  expect(backMs).toBeLessThan(10_000);
}, 90_000);
