// Power cuts while four channels are recorded, opened as after a reboot: once as a copy of the disk image, once as only synced data.
import { readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { checkFolder } from '@vedette/media/recordings/check/check-folder.ts';
import { createDisk, type Disk } from '@vedette/media/recordings/disk.ts';
import { readIndex } from '../../media/recordings/index-record.ts';
import { indexPath, mediaPath } from '@vedette/media/recordings/recording-path.ts';
import { expect, it } from 'vitest';
import { faultRounds } from '../harness/fault-rounds.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { FedRecorder } from '../harness/fed-recorder.ts';
import { canMountImages, copiedDisk, imageDisk } from '../harness/mounted-disk.ts';
import { SyncedDisk } from '../harness/synced-disk.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROUNDS = faultRounds(2, 200);
const CHANNELS = 4;
const IMAGE_MB = 48;
const LOST_MAX_MS = 2000;

/** The bytes below the file system at one instant: read again until nothing was written meanwhile. */
async function cutAt(image: string): Promise<{ atMs: number; bytes: Buffer }> {
  return await waitFor('an instant between two writes', () => {
    const atMs = Date.now();
    const bytes = readFileSync(image);
    return readFileSync(image).equals(bytes) && { atMs, bytes };
  });
}

interface Cuttable {
  readonly folder: string;
  readonly disk?: Disk;
  /** What is there after a cut at an instant, and how to clean up behind it. */
  cut(): Promise<{ atMs: number; folder: string; remove(): void }>;
  remove(): void;
}

function mountedImage(): Cuttable {
  const disk = imageDisk(IMAGE_MB);
  return {
    folder: disk.folder,
    cut: async () => {
      const { atMs, bytes } = await cutAt(disk.image ?? '');
      const after = copiedDisk(bytes);
      return { atMs, folder: after.folder, remove: () => after.remove() };
    },
    remove: () => disk.remove(),
  };
}

function syncedFiles(): Cuttable {
  const synced = new SyncedDisk();
  return {
    folder: synced.folder,
    disk: synced.disk,
    cut: async () => {
      const folder = synced.cut();
      return { atMs: Date.now(), folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
    },
    remove: () => synced.remove(),
  };
}

it.skipIf(!canMountImages)(
  `[FT-20] ${ROUNDS} power cuts of the disk image: at most 2 s lost per stream, none of it reported as stored, index and files agree`,
  () => cutAgainAndAgain('image', mountedImage()),
  60_000 + ROUNDS * 20_000,
);

it(
  `[FT-20] ${ROUNDS} power cuts losing all unsynced data: at most 2 s lost per stream, none of it reported as stored, index and files agree`,
  () => cutAgainAndAgain('synced', syncedFiles()),
  60_000 + ROUNDS * 20_000,
);

async function cutAgainAndAgain(kind: string, cuttable: Cuttable): Promise<void> {
  const fed = await FedRecorder.open({
    folder: cuttable.folder,
    ...(cuttable.disk && { disk: cuttable.disk }),
    channels: CHANNELS,
    fillerBytes: 1000,
    budgetBytes: 30e6,
  });
  const stop = fed.live();
  const lost: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const until = performance.now() + 2000 + Math.random() * 2000;
      await waitFor('the instant of the cut', () => performance.now() > until);
      const reportedMs = fed.fed.map(({ recorder }) => recorder.report().lastStoredMs ?? 0);
      const after = await cuttable.cut();
      try {
        lost.push(...(await lostIn(after.folder, after.atMs, reportedMs)));
      } finally {
        after.remove();
      }
    }
  } finally {
    stop();
    await fed.close();
    cuttable.remove();
  }
  lost.sort((a, b) => a - b);
  process.stdout.write(
    `power-cut: ${JSON.stringify({ kind, cuts: ROUNDS, streams: CHANNELS, lostMedianMs: lost[lost.length >> 1], lostMaxMs: lost.at(-1) })}\n`,
  );
  expect(lost.at(-1)).toBeLessThanOrEqual(LOST_MAX_MS);
}

/** As a start after the cut finds it; answers per channel how much before the cut is missing. */
async function lostIn(folder: string, atMs: number, reportedMs: readonly number[]): Promise<number[]> {
  const opened = await FedRecorder.open({ folder, knownId: 'fed', channels: CHANNELS });
  try {
    expect(opened.recordings.state).toBe('normal');
    const lost: number[] = [];
    for (const [n, { key }] of opened.fed.entries()) {
      const files = opened.recordings.store.files(key, 0, 1e15);
      const last = files.at(-1);
      if (!last) throw new Error(`${key.channelId} has no footage after the cut`);
      const index = readIndex(await readFile(indexPath(folder, key, last.startMs)));
      // What was told to be stored before the cut is there.
      expect(index?.records.at(-1)?.wallMs).toBeGreaterThanOrEqual(reportedMs[n] ?? 0);
      lost.push(atMs - last.endMs);
      if (n === 0) expect((await verifyMedia(mediaPath(folder, key, last.startMs))).errors).toBe('');
    }
    await opened.close();
    const onFinding = (): void => undefined;
    const checked = await checkFolder({ disk: createDisk(), folder, isRepairing: false, isInUse: false, onFinding });
    expect(checked.found, JSON.stringify(checked.findings)).toBe(0);
    return lost;
  } finally {
    await opened.close();
  }
}
