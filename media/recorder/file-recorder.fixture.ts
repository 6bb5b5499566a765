// A recorder that writes into a folder as fast as it is fed and lists its files in a store; any fault is the test's.
import type { Disk } from '../recordings/disk.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import { Recorder } from './recorder.ts';
import { clip, feed, type SyntheticOptions, syntheticUnits } from './synthetic-stream.fixture.ts';

export interface FileRecorderOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly store: RecordingsStore;
  readonly key: TrackKey;
}

export function fileRecorder({ disk, folder, store, key }: FileRecorderOptions): Recorder {
  const fail = (error: unknown): never => {
    throw error;
  };
  return new Recorder({
    disk,
    key,
    sink: {
      folderForWriting: () => folder,
      opened: (of, file) => store.opened(of, file),
      stored: (of, file) => store.stored(of, file),
      closed: (of, file) => store.closed(of, file),
      failed: fail,
    },
    monotonicMs: () => performance.now(),
    wait: () => Promise.resolve(),
    newRunId: () => Math.random(),
    queueMaxBytes: 1e9,
    onFault: fail,
  });
}

/** Records so many seconds of the clip. */
export async function recordClip(options: FileRecorderOptions, clip: SyntheticOptions): Promise<void> {
  const recorder = fileRecorder(options);
  feed(recorder, { firstDts: 77, ...clip });
  await recorder.close();
}

/** 6 s of pictures, 9.8 s by the clock: nothing came for 1.9 s in the first group of pictures, twice. */
export async function recordWithSilences(options: FileRecorderOptions, startMs: number): Promise<void> {
  const recorder = fileRecorder(options);
  recorder.format(clip.format);
  let silentMs = 0;
  for (const [n, unit] of [...syntheticUnits({ startMs, seconds: 6 })].entries()) {
    if (n === 10 || n === 20) {
      // What was at hand is written when nothing follows for a moment.
      recorder.state({ state: 'connecting', attempt: 1 });
      silentMs += 1900;
    }
    recorder.accessUnit({ ...unit, dts: unit.dts + silentMs * 90, wallMs: unit.wallMs + silentMs });
  }
  await recorder.close();
}
