// Copies of recordings in Ceph's S3 gateway behind a proxy that spoils uploads: nothing is lost, nothing local goes before its copy is verified, and what is only there plays.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceAssignment, SiteSettings } from '@vedette/contract/site/site.ts';
import type { ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { indexPath, mediaPath, type TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readStoredSegment } from '../../media/playback/stored-fragments.ts';
import { planWindow } from '../../media/playback/playback-plan.ts';
import { recordClip } from '../../media/recorder/file-recorder.fixture.ts';
import { sweep } from '../../media/recordings/retention.ts';
import { scanFolder } from '../../media/recordings/scan-folder.ts';
import { CloudStorage } from '../../site/cloud-storage/cloud-storage.ts';
import { objectKey } from '../../site/cloud-storage/object-key.ts';
import { S3Store } from '../../site/cloud-storage/s3-store.ts';
import { operatorPolicy } from '../../site/core/operator-policy.ts';
import { storeSender } from '../../site/cloud-storage/store-request.ts';
import { CephGateway, hasCeph } from '../harness/ceph-gateway.ts';
import { FaultyProxy, type UploadFault } from '../harness/faulty-proxy.ts';
import { waitFor } from '../harness/wait-for.ts';

const LOOPBACK = ['127.0.0.0/8'];
const ROOT = 'vedette/o1';
const CHANNELS = ['camera1', 'camera2', 'camera3'];
const FILES = 6;
const FILE_MS = 6000;
/** Recent, so that no copy is over. */
const START = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000;

const keyOf = (channelId: string): TrackKey => ({ channelId, quality: 0 });
const startOf = (file: number): number => START + file * FILE_MS;
const signal = AbortSignal.timeout(580_000);

let ceph: CephGateway;
let proxy: FaultyProxy;
let folder: string;
let access: ObjectStoreAccess;
let direct: S3Store;
let recordings: RecordingsStore;
const opened: CloudStorage[] = [];

/** As the site does at its start. */
async function open(): Promise<{ cloud: CloudStorage; store: RecordingsStore }> {
  const settings: SiteSettings = {
    storage: { folder, budgetBytes: 1e12, reserveBytes: 0 },
    cameraNetworks: LOOPBACK,
    objectStores: [{ ...access, endpoint: `http://127.0.0.1:${proxy.port}` }],
  };
  const quiet = { info: () => undefined, warn: () => undefined };
  const cloud = new CloudStorage({
    disk: createDisk(),
    clock: systemClock,
    folder,
    ownPorts: () => new Set(),
    settings: () => settings,
    report: () => undefined,
    log: quiet,
  });
  opened.push(cloud);
  const store = new RecordingsStore({ disk: cloud.disk, folder });
  cloud.assign([{ channels: CHANNELS.map(channelOf) } as unknown as DeviceAssignment]);
  const report = await scanFolder({ disk: cloud.disk, folder, onFault: (_path, error) => expect.fail(String(error)) });
  store.load(report.tracks);
  return { cloud, store };
}

function channelOf(channelId: string, at: number) {
  const cloud = { storeId: access.storeId, ownerId: 'o1', comboType: 3, days: 30 } as const;
  return { channelNo: at + 1, channelId, record: null, backfillFrom: null, cloud };
}

async function backlog(cloud: CloudStorage) {
  const { channels } = await cloud.calls.cloudBacklog();
  return {
    waiting: channels.reduce((sum, one) => sum + one.waitingFiles, 0),
    stored: channels.reduce((sum, one) => sum + one.storedFiles, 0),
    reasons: channels.map(({ reason }) => reason),
  };
}

async function copyAll(cloud: CloudStorage): Promise<void> {
  await cloud.start(() => recordings);
  const all = CHANNELS.length * FILES;
  await waitFor('all copies', async () => (await backlog(cloud)).stored === all, 240_000);
  expect((await backlog(cloud)).waiting).toBe(0);
}

async function segments(cloud: CloudStorage, store: RecordingsStore, key: TrackKey): Promise<Buffer[]> {
  const plan = await planWindow({ store, key, startMs: START, endMs: startOf(FILES) });
  return await Promise.all(
    plan.segments.map(async (segment) => {
      const index = await store.readIndex(key, segment.fileStartMs);
      if (!index) throw new Error('no index');
      return await readStoredSegment({ disk: cloud.disk, store, key }, index, segment);
    }),
  );
}

const mediaFiles = async () => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.mp4'));

describe.skipIf(!hasCeph)('copies of recordings in an object store', () => {
  beforeAll(async () => {
    ceph = await CephGateway.start();
  }, 150_000);
  afterAll(async () => await ceph?.stop());

  beforeEach(async () => {
    proxy = await FaultyProxy.start(ceph.port);
    folder = await mkdtemp(join(tmpdir(), 'copies-'));
    access = await ceph.makeBucket(`b${Date.now()}`);
    direct = new S3Store({
      access,
      wallMs: Date.now,
      send: storeSender(() => operatorPolicy(LOOPBACK, new Set())),
    });
    const disk = createDisk();
    recordings = new RecordingsStore({ disk, folder });
    for (const channelId of CHANNELS)
      for (let file = 0; file < FILES; file += 1) {
        const clip = { startMs: startOf(file), seconds: FILE_MS / 1000 };
        await recordClip({ disk, folder, store: recordings, key: keyOf(channelId) }, clip);
      }
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((cloud) => cloud.close()));
    await proxy.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('[FT-28] survive refusals, cuts, changes, losses, a frozen store and slow lines, and are equal to their files', async () => {
    const faults: UploadFault[] = [
      'error',
      'cut',
      'changed',
      'lost',
      'slow',
      'denied',
      'frozen',
      'error',
      'lost',
      'cut',
    ];
    proxy.faults.push(...faults);
    const { cloud } = await open();
    await copyAll(cloud);
    expect(proxy.seen).toEqual(faults);
    for (const channelId of CHANNELS)
      for (let file = 0; file < FILES; file += 1) {
        const key = keyOf(channelId);
        for (const [kind, pathOf] of [['mp4', mediaPath] as const, ['idx', indexPath] as const]) {
          const local = await readFile(pathOf(folder, key, startOf(file)));
          const range = { from: 0, length: local.length + 1 };
          const stored = await direct.get(objectKey(ROOT, key, startOf(file), kind), range, signal);
          expect(stored.equals(local)).toBe(true);
        }
      }
  }, 300_000);

  it('tell why they wait while the store is away, and are made once it is back', async () => {
    const { cloud } = await open();
    const { port } = proxy;
    await proxy.stop();
    await cloud.start(() => recordings);
    await waitFor('the reason', async () => (await backlog(cloud)).reasons.every((one) => one === 'unreachable'));
    expect((await backlog(cloud)).waiting).toBe(CHANNELS.length * FILES);
    expect(await mediaFiles()).toHaveLength(CHANNELS.length * FILES);
    proxy = await FaultyProxy.start(ceph.port, port);
    await waitFor('all copies', async () => (await backlog(cloud)).waiting === 0, 120_000);
    expect((await backlog(cloud)).reasons).toEqual(CHANNELS.map(() => null));
  }, 180_000);

  it('play from the store alone, also after a restart, and go with their time', async () => {
    const first = await open();
    await copyAll(first.cloud);
    const key = keyOf('camera1');
    const before = await segments(first.cloud, recordings, key);
    expect(before.length).toBeGreaterThanOrEqual(FILES);
    const keepOnDisk = (days: number, now: number, store: RecordingsStore, cloud: CloudStorage) =>
      sweep({
        store,
        now,
        limits: { budgetBytes: 1e12, reserveBytes: 0 },
        freeBytes: async () => 1e12,
        isRefused: false,
        rules: {
          retentionDays: () => days,
          quotaBytes: () => null,
          isLocked: (channelId) => channelId === 'camera3',
          copies: cloud.rulesOf(() => store),
        },
      });
    await keepOnDisk(0, Date.now(), recordings, first.cloud);
    // What is locked stays on the disk.
    const left = await mediaFiles();
    expect(left).toHaveLength(FILES);
    expect(left.every((name) => name.startsWith('camera3'))).toBe(true);
    expect(
      (await segments(first.cloud, recordings, key)).map((one, at) => one.equals(before[at] as Buffer)),
    ).not.toContain(false);
    await first.cloud.close();

    const again = await open();
    expect(again.store.spans(key, START, startOf(FILES))).toEqual(recordings.spans(key, START, startOf(FILES)));
    const after = await segments(again.cloud, again.store, key);
    expect(after.map((one, at) => one.equals(before[at] as Buffer))).not.toContain(false);
    await again.cloud.start(() => again.store);
    await keepOnDisk(0, Date.now() + 31 * DAY_MS, again.store, again.cloud);
    await waitFor('the objects to go', async () => {
      const kept = await direct.list(`${ROOT}/`, '', signal);
      return kept.length > 0 && kept.every((name) => name.startsWith(`${ROOT}/camera3/`));
    });
    expect(again.store.spans(key, START, startOf(FILES))).toEqual([]);
  }, 300_000);
});
