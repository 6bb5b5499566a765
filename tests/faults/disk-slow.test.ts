// A disk that syncs in two seconds and writes 5 MB a second: memory stays bounded, whole GOPs are dropped, and every gap is marked.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IndexRecord, readIndex, RECORD_FLAG, recordEndMs } from '../../media/recordings/index-record.ts';
import { indexPath } from '@vedette/media/recordings/recording-path.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FedRecorder, FRAME_MS } from '../harness/fed-recorder.ts';
import { slowDisk } from '../harness/slow-disk.ts';
import { waitFor } from '../harness/wait-for.ts';

const SYNC_MS = 2000;
const BYTES_PER_MS = 5000;
const QUEUE_BYTES = 8 * 1024 * 1024;
/** Twice what the disk takes. */
const FILLER = 500_000;
const LIVE_MS = 10_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slow-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('[FT-15] drops whole GOPs, keeps memory bounded, and marks every gap', async () => {
  const fed = await FedRecorder.open({
    folder,
    disk: slowDisk({ syncMs: SYNC_MS, bytesPerMs: BYTES_PER_MS }),
    fillerBytes: FILLER,
    queueMaxBytes: QUEUE_BYTES,
  });
  const { recorder, key } = fed.first;
  const stop = fed.live();
  const until = performance.now() + LIVE_MS;
  let highest = 0;
  await waitFor(
    'the time of the test',
    () => {
      highest = Math.max(highest, recorder.queuedBytes);
      return performance.now() > until;
    },
    LIVE_MS + 10_000,
  );
  stop();
  const fedPictures = recorder.report().counters;
  await recorder.close();
  const { counters } = recorder.report();
  const dropped = counters.picturesDroppedQueueFull + counters.picturesDroppedUntilKey;
  expect(dropped).toBeGreaterThan(0);
  expect(fedPictures.picturesBeforeKey).toBe(0);
  // One picture on top, with its filler.
  expect(highest).toBeLessThanOrEqual(QUEUE_BYTES + 2 * FILLER);
  const records: IndexRecord[] = [];
  for (const { startMs } of fed.recordings.store.files(key, 0, 1e15)) {
    const found = readIndex(await readFile(indexPath(folder, key, startMs)))?.records ?? [];
    // No group is kept in part: after a gap comes a keyframe.
    records.push(...found);
  }
  const gaps = records.flatMap((record, at) => {
    const before = records[at - 1];
    return before && record.wallMs - recordEndMs(before) > FRAME_MS ? [{ before, record }] : [];
  });
  expect(gaps.length).toBeGreaterThan(0);
  for (const { record } of gaps) {
    expect(record.flags & RECORD_FLAG.discontinuity).toBeTruthy();
    expect(record.flags & RECORD_FLAG.key).toBeTruthy();
  }
  const told = fed.recordings.store.gaps(key, { from: 0, to: 1e15 }, fed.first.fedUntilMs);
  const long = gaps.filter(({ before, record }) => record.wallMs - recordEndMs(before) >= 2000);
  for (const { record } of long) {
    expect(told.some(({ endTime, reason }) => reason === 'disk' && Math.abs(endTime - record.wallMs) <= 1)).toBe(true);
  }
  process.stdout.write(
    `disk-slow: ${JSON.stringify({ stored: counters.picturesStored, dropped, gaps: gaps.length, silent: 0, highestMb: Math.round(highest / 1e5) / 10 })}\n`,
  );
  await fed.close();
}, 90_000);
