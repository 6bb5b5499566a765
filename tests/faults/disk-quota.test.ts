// The storage budget is reached repeatedly: the oldest unlocked recordings are deleted, recording never stops, no kept frame is missing.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIndex } from '../../media/recordings/index-record.ts';
import { RetentionLocks } from '@vedette/media/recordings/retention-locks.ts';
import { indexPath } from '@vedette/media/recordings/recording-path.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FedRecorder, FRAME_MS } from '../harness/fed-recorder.ts';
import { waitFor } from '../harness/wait-for.ts';

const TURNOVERS = 20;
const BUDGET = 24_000_000;
/** A file of a minute takes about 2.5 MB. */
const FILLER = 2000;
const START_MS = Date.UTC(2026, 4, 1);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quota-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it(`[FT-12] 0 frames are lost over ${TURNOVERS} turnovers, and locked recordings stay`, async () => {
  const locked = { startTime: START_MS + 120_000, endTime: START_MS + 150_000 };
  const locks = new RetentionLocks([{ channelId: 'fed1', locks: [locked] }]);
  const fed = await FedRecorder.open({ folder, budgetBytes: BUDGET, fillerBytes: FILLER, locks });
  const { recorder, key } = fed.first;
  let atMs = START_MS;
  let highest = 0;
  while (recorder.report().counters.bytesStored < TURNOVERS * BUDGET) {
    fed.feed(atMs, 30);
    atMs += 30_000;
    await waitFor('the disk to have it', () => recorder.queuedBytes < 2_000_000);
    await fed.recordings.check();
    highest = Math.max(highest, fed.recordings.store.usedBytes);
    expect(fed.recordings.health()).toMatchObject({ state: 'normal', reason: null });
  }
  await recorder.close();
  const { counters } = recorder.report();
  const fedPictures = (atMs - START_MS) / FRAME_MS;
  expect(counters).toMatchObject({ picturesStored: fedPictures, picturesDroppedQueueFull: 0, filesAbandoned: 0 });
  // The file being written and one more come on top of the budget between two checks.
  expect(highest).toBeLessThan(BUDGET + 8_000_000);
  const files = fed.recordings.store.files(key, 0, 1e15);
  const [oldest, next] = files;
  expect(oldest?.startMs).toBeLessThanOrEqual(locked.startTime);
  expect(oldest?.endMs).toBeGreaterThanOrEqual(locked.endTime);
  let left = 0;
  for (const { startMs } of files.slice(1)) {
    const index = readIndex(await readFile(indexPath(folder, key, startMs)));
    left += index?.records.reduce((sum, record) => sum + record.pictures, 0) ?? 0;
  }
  expect(left).toBe((atMs - (next?.startMs ?? 0)) / FRAME_MS);
  const turnovers = Math.round((counters.bytesStored / BUDGET) * 10) / 10;
  process.stdout.write(
    `disk-quota: ${JSON.stringify({ turnovers, pictures: fedPictures, lost: fedPictures - counters.picturesStored, highestMb: Math.round(highest / 1e6) })}\n`,
  );
  await fed.close();
}, 120_000);

it('[FT-12] with everything locked the locks stay, the state says so, and recording continues', async () => {
  const locks = new RetentionLocks([
    { channelId: 'fed1', locks: [{ startTime: START_MS, endTime: START_MS + 600_000 }] },
  ]);
  const fed = await FedRecorder.open({ folder, budgetBytes: 10_000_000, fillerBytes: FILLER, locks });
  const { recorder, key } = fed.first;
  for (let minute = 0; minute < 20; minute += 1) {
    fed.feed(START_MS + minute * 60_000, 60);
    await waitFor('the disk to have it', () => recorder.queuedBytes < 1_000_000);
    await fed.recordings.check();
  }
  expect(fed.recordings.health()).toMatchObject({ state: 'full', reason: 'locked' });
  expect(fed.recordings.isWritable).toBe(true);
  const kept = fed.recordings.store.spans(key, START_MS, START_MS + 600_000);
  expect(kept).toEqual([{ startTime: START_MS, endTime: START_MS + 600_000, recordType: 1 }]);
  expect(recorder.report().counters).toMatchObject({ picturesDroppedQueueFull: 0, picturesDroppedUntilKey: 0 });
  expect(fed.recordings.store.files(key, 0, 1e15).at(-1)?.endMs).toBeGreaterThan(START_MS + 19 * 60_000);
  await fed.close();
}, 60_000);
