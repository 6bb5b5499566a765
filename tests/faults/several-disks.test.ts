// A site with two recording disks: one is taken out while it records, comes back, is missing at a start, and is emptied under kills. Nothing of either is lost.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { DiskHealth } from '@vedette/contract/site/site-disks.ts';
import type { RecordingGap, RecordedSpan, SiteSettings } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordClip } from '../../media/recorder/file-recorder.fixture.ts';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { counterBreaks, countedFrames } from '../harness/counted-frames.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';

const KEY = { channelId: 'counted', quality: 0 } as const;
const DAY_MS = 86_400_000;

let camera: CountedCamera;
let site: SiteProcess;
let disks: readonly [string, string];
let startedMs: number;

const settings = (emptied?: string): SiteSettings => {
  const [folder, other] = disks;
  const moreDisks = [{ folder: other, budgetBytes: 1e12, isEmptying: emptied === other }];
  return {
    storage: { folder, budgetBytes: 1e12, reserveBytes: 0, isEmptying: emptied === folder, moreDisks },
    cameraNetworks: [],
  };
};

async function assign(isRecorded: boolean, emptied?: string): Promise<void> {
  const found = await site.ok('probe', { target: camera.url(), ...CAMERA_ACCOUNT, isOperator: true });
  const { deviceSerial, driver, native } = found;
  const record = isRecorded ? { quality: 0 as const, retentionDays: 30 } : null;
  const channels = [{ channelNo: 1, channelId: KEY.channelId, record, backfillFrom: null }];
  const device = { deviceSerial, driver, native, ...CAMERA_ACCOUNT, isOperatorAddress: true, channels };
  await site.ok('assign', { devices: [device], settings: settings(emptied) });
}

const recorded = async (): Promise<{ spans: readonly RecordedSpan[]; gaps: readonly RecordingGap[] }> =>
  await site.ok('recordings', { ...KEY, startTime: startedMs, endTime: Date.now() + 1000 });
const lengthOf = ({ spans }: { spans: readonly RecordedSpan[] }): number =>
  spans.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0);
const healthOf = async (folder: string): Promise<DiskHealth> => {
  const { disks: all = [] } = (await site.ok('health', {})).storage;
  const found = all.find((disk) => disk.folder === folder);
  if (!found) throw new Error(`the site does not name ${folder}`);
  return found;
};

/** Media of a disk by its path below it. */
function mediaOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mp4'));
  return new Map(names.map((name) => [name, join(folder, name)]));
}

function digestsOf(folders: readonly string[]): Map<string, string> {
  const found = folders.flatMap((folder) => [...mediaOf(folder)]);
  return new Map(
    found.flatMap(([name, path]) =>
      [path, path.replace(/mp4$/, 'idx')].map((one) => [
        `${name} ${one.slice(-3)}`,
        createHash('sha256').update(readFileSync(one)).digest('hex'),
      ]),
    ),
  );
}

/** As a lazy unmount does: who has a file open goes on, the path leads to an empty folder. */
function takeOut(folder: string): () => void {
  renameSync(folder, `${folder}-out`);
  mkdirSync(folder);
  return () => {
    rmdirSync(folder);
    renameSync(`${folder}-out`, folder);
  };
}

beforeAll(async () => {
  [camera, site] = await Promise.all([startCountedCamera(), SiteProcess.create()]);
  disks = [join(site.folder, 'disk-a'), join(site.folder, 'disk-b')];
  await site.serve();
  await site.start();
  startedMs = Date.now();
  await assign(true);
}, 60_000);
afterAll(async () => {
  await Promise.all([site?.stop(), camera?.stop()]);
});

describe('a disk that is taken out', () => {
  it('loses itself alone: the recording goes on within two seconds, and all is there again when it is back', async () => {
    await waitFor('a recording', async () => lengthOf(await recorded()) > 4000, 60_000);
    const taken = disks.find((folder) => mediaOf(folder).size > 0) ?? '';
    const other = disks.find((folder) => folder !== taken) ?? '';
    const before = lengthOf(await recorded());
    const putBack = takeOut(taken);
    await waitFor('the disk to be missed', async () => (await healthOf(taken)).state === 'missing', 10_000);
    expect(await healthOf(taken)).toMatchObject({ state: 'missing', reason: 'absent' });
    expect(await healthOf(other)).toMatchObject({ state: 'normal', reason: null });
    const onOther = async (): Promise<boolean> => mediaOf(other).size > 0 && lengthOf(await recorded()) > 3000;
    await waitFor('a recording on the other', onOther, 30_000);
    expect(readdirSync(taken)).toEqual([]);
    const away = (await recorded()).gaps.filter(({ reason }) => reason === 'diskAway');
    expect(away.reduce((sum, gap) => sum + gap.endTime - gap.startTime, 0)).toBeGreaterThanOrEqual(before - 1000);

    const kept = mediaOf(`${taken}-out`);
    putBack();
    await waitFor('the disk to be back', async () => (await healthOf(taken)).state === 'normal', 10_000);
    await waitFor('all of it', async () => (await recorded()).gaps.length === 0, 10_000);
    expect([...kept.keys()].every((name) => existsSync(join(taken, name)))).toBe(true);
    const { spans } = await recorded();
    expect(spans).toHaveLength(1);
    await assign(false);
    await waitFor(
      'the end of the files',
      async () => !(await site.ok('health', {})).streams.some((s) => s.state === 'playing'),
    );
    const files = [...mediaOf(taken).values(), ...mediaOf(other).values()];
    const inOrder = files.toSorted((a, b) => startOf(a) - startOf(b));
    const frames = (await Promise.all(inOrder.map((path) => countedFrames(path)))).flat();
    expect(counterBreaks(frames)).toEqual([]);
  }, 150_000);

  it('is told as away after a start without it, and has all of its recordings when it comes', async () => {
    const whole = await recorded();
    const [taken = ''] = disks.filter((folder) => mediaOf(folder).size > 0);
    const files = digestsOf(disks);
    await site.kill('SIGTERM');
    const putBack = takeOut(taken);
    await site.start();
    await waitFor('the disk to be missed', async () => (await healthOf(taken)).state === 'missing', 20_000);
    const away = (await recorded()).gaps.filter(({ reason }) => reason === 'diskAway');
    expect(away.length).toBeGreaterThan(0);
    expect((await healthOf(taken)).oldestAt).not.toBeNull();
    putBack();
    await waitFor('the disk to be back', async () => (await healthOf(taken)).state === 'normal', 20_000);
    expect((await recorded()).spans).toEqual(whole.spans);
    expect(digestsOf(disks)).toEqual(files);
  }, 90_000);
});

describe('a disk that is emptied', () => {
  it('gives every file to the others, whole and once, over kills at any step', async () => {
    await site.kill('SIGTERM');
    const [full, other] = disks;
    const disk = createDisk();
    const store = new RecordingsStore({ disk, folder: full });
    const fromMs = startedMs - DAY_MS;
    for (let clip = 0; clip < 40; clip += 1) {
      const key = { channelId: `past${clip % 2}`, quality: 0 } as const;
      await recordClip(
        { disk, folder: full, store, key },
        { startMs: fromMs + clip * 20_000, seconds: 8, audio: null },
      );
    }
    const files = digestsOf(disks);
    await site.start();
    await assign(false, full);
    const rounds = faultRounds(6, 100);
    let kills = 0;
    while (kills < rounds && mediaOf(full).size > 0) {
      const before = mediaOf(full).size;
      await waitFor('a file to be moved', () => mediaOf(full).size < before || mediaOf(full).size === 0, 30_000);
      await site.kill('SIGKILL');
      kills += 1;
      await site.start();
    }
    await waitFor('the end of it', async () => (await healthOf(full)).emptying?.state === 'done', 90_000);
    expect(await healthOf(full)).toMatchObject({ usedBytes: 0, emptying: { filesLeft: 0, bytesLeft: 0 } });
    expect(mediaOf(full).size).toBe(0);
    expect(digestsOf([other])).toEqual(files);
    const { spans } = await site.ok('recordings', { channelId: 'past0', quality: 0, startTime: 0, endTime: startedMs });
    expect(lengthOf({ spans })).toBeGreaterThan(20 * 7500);
    process.stdout.write(`disk-emptying: ${JSON.stringify({ kills, files: files.size / 2 })}\n`);
    rmSync(full, { recursive: true });
    await waitFor('the other to go on', async () => (await healthOf(other)).state === 'normal');
  }, 240_000);
});

function startOf(path: string): number {
  return Number(/(\d+)\.mp4$/.exec(path)?.[1]);
}
