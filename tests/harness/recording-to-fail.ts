// A short recording with every kind of disk operation: write, budget removal, notes and close.
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { RecordedFile } from '@vedette/media/recordings/recordings-store.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { FedRecorder, FRAME_MS } from './fed-recorder.ts';
import { waitFor } from './wait-for.ts';

const START_MS = Date.UTC(2026, 4, 1);
const SECONDS = 2;
/** Pictures that went in. */
export const FRAMES_FED = (2 * SECONDS * 1000) / FRAME_MS;

export interface RecordedToFail {
  readonly key: TrackKey;
  /** What is claimed to be stored. */
  readonly claimed: readonly RecordedFile[];
  readonly framesStored: number;
  readonly faults: number;
}

export async function recordToFail(folder: string, disk?: Disk): Promise<RecordedToFail> {
  const fed = await FedRecorder.open({ folder, budgetBytes: 30_000, fillerBytes: 500, ...(disk && { disk }) });
  // A folder that could not be opened is tried again, as the site does.
  await waitFor('the storage', async () => {
    await fed.recordings.check();
    return fed.recordings.isWritable;
  });
  const { recorder, key } = fed.first;
  fed.feed(START_MS, SECONDS);
  // The budget has room for one of the two.
  fed.feed(START_MS + 100_000, SECONDS);
  fed.recordings.note(key, { kind: 'alarm', startMs: START_MS, endMs: START_MS + 1000 });
  // Without this the newest half second is written at the close, which tries once.
  recorder.rest();
  await waitFor('the disk to have it', () => recorder.queuedBytes === 0);
  await fed.recordings.check();
  await fed.recordings.check();
  await recorder.close();
  const claimed = fed.recordings.store.files(key, 0, 1e15);
  const { picturesStored: framesStored } = recorder.report().counters;
  await fed.recordings.close();
  return { key, claimed, framesStored, faults: fed.faults.length };
}
