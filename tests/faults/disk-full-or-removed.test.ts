// The recording disk is filled by others, or unmounted: the state says so within five seconds, live continues, recording resumes by itself.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { SiteHealth, SiteSettings, StorageHealth } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canMount, type MountedDisk, memoryDisk } from '../harness/mounted-disk.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const WITHIN_MS = 5000;
const DISK_MB = 64;

describe.skipIf(!canMount)('a dedicated disk', () => {
  let site: SiteProcess;
  let virtual: VirtualSite;
  let disk: MountedDisk;
  let settings: SiteSettings;
  let serial: string;

  beforeAll(async () => {
    disk = memoryDisk(DISK_MB);
    [site, virtual] = await Promise.all([SiteProcess.create({ VEDETTE_KEEP_WARM: '1' }), startVirtualSite()]);
    await site.serve();
    await site.start();
    const camera = virtual.devices.find((device) => device.kind === 'camera');
    if (!camera) throw new Error('no camera');
    const { target, user, password } = camera;
    const found = await site.ok('probe', { target, user, password, isOperator: true });
    serial = found.deviceSerial;
    const record = { quality: 0, retentionDays: 30 } as const;
    const channels = [{ channelNo: 1, channelId: 'camera1', record, backfillFrom: null }];
    const { driver, native } = found;
    settings = {
      storage: { folder: disk.folder, budgetBytes: 1e12, reserveBytes: 8 * 1024 * 1024 },
      cameraNetworks: [],
    };
    const device = { deviceSerial: serial, driver, native, user, password, isOperatorAddress: true, channels };
    await site.ok('assign', { devices: [device], settings });
  }, 60_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop()]);
    disk?.remove();
  });

  const health = async (): Promise<StorageHealth> => (await site.ok('health', {})).storage;
  const recordedFor = async (sinceMs: number): Promise<number> => {
    const range = { startTime: sinceMs, endTime: sinceMs + 1e9 };
    const { spans } = await site.ok('recordings', { channelId: 'camera1', quality: 0, ...range });
    return spans.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0);
  };
  const lastFrameAt = async (): Promise<number> =>
    Math.max(...((await site.ok('health', {})) as SiteHealth).streams.map((stream) => stream.lastFrameAt ?? 0));
  const gapsSince = async (sinceMs: number) => {
    const range = { startTime: sinceMs, endTime: Date.now() };
    return (await site.ok('recordings', { channelId: 'camera1', quality: 0, ...range })).gaps;
  };

  it('[FT-13] filled by others: reported within 5 s, live continues, recording resumes within 5 s of free space', async () => {
    const startedMs = Date.now();
    await waitFor('footage', async () => (await recordedFor(startedMs)) > 3000, 30_000);
    const filledMs = Date.now();
    writeUntilFull(`${disk.folder}/foreign`);
    await waitFor('the alarm', async () => (await health()).state === 'full', WITHIN_MS + 2000);
    const toldMs = Date.now() - filledMs;
    expect(await health()).toMatchObject({ state: 'full', reason: 'othersFull' });
    const liveAt = await lastFrameAt();
    await waitFor('live to go on', async () => (await lastFrameAt()) > liveAt + 2500, 10_000);
    rmSync(`${disk.folder}/foreign`);
    const spaceMs = Date.now();
    await waitFor('recording again', async () => (await recordedFor(spaceMs)) > 500, 15_000);
    const backMs = Date.now() - spaceMs;
    expect(await health()).toMatchObject({ state: 'normal', reason: null });
    const gaps = await gapsSince(filledMs);
    // What fits into memory meanwhile is written afterwards; the rest is told.
    expect(gaps.every(({ reason }) => reason === 'disk')).toBe(true);
    process.stdout.write(`disk-full: ${JSON.stringify({ toldMs, backMs, gaps })}\n`);
    expect(toldMs).toBeLessThanOrEqual(WITHIN_MS);
    expect(backMs).toBeLessThanOrEqual(WITHIN_MS);
  }, 90_000);

  it('[FT-16] unmounted under load: not one byte into the empty mount point, nor onto another disk in its place', async () => {
    await waitFor('footage', async () => (await recordedFor(Date.now() - 3000)) > 1000, 30_000);
    const takenMs = Date.now();
    disk.unmount();
    await waitFor('the alarm', async () => (await health()).state === 'missing', WITHIN_MS + 2000);
    const toldMs = Date.now() - takenMs;
    // A recorder that tried would have made its folders by now.
    const before = site.log.length;
    await waitFor('a few more tries', async () => {
      await health();
      return Date.now() - takenMs > 6000;
    });
    expect(readdirSync(disk.folder)).toEqual([]);
    expect(before).toBeGreaterThan(0);
    // Another disk in its place is refused as well.
    disk.mount();
    await waitFor('the other disk to be seen', async () => (await health()).state === 'missing');
    await waitFor('a look at it', () => Date.now() - takenMs > 9000);
    expect(readdirSync(disk.folder)).toEqual([]);
    process.stdout.write(`disk-away: ${JSON.stringify({ toldMs })}\n`);
    expect(toldMs).toBeLessThanOrEqual(WITHIN_MS);
  }, 60_000);
});

function writeUntilFull(path: string): void {
  const chunk = Buffer.alloc(1024 * 1024);
  try {
    for (;;) writeFileSync(path, chunk, { flag: 'a' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
