// The recorded picture of an instant: finds the key picture at or before it in the index and reads that one picture from its file.
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import type { KeyPicture } from '../codec/codec-worker.ts';
import type { Disk } from '../recordings/disk.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { type IndexRecord, RECORD_FLAG } from '../recordings/index-record.ts';
import { readFileStart } from '../recordings/media-scan.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';

export interface FoundStill {
  readonly fileStartMs: number;
  readonly record: IndexRecord;
}

/** How far before the asked instant a picture still tells what was to be seen then. */
const LOOK_BACK_MS = 15_000;
/** A file begins with its first key picture; what was asked may lie a moment before it. */
const LOOK_AHEAD_MS = 1000;

/** Null when nothing was recorded around `atMs`. */
export async function findStill(store: RecordingsStore, key: TrackKey, atMs: number): Promise<FoundStill | null> {
  const files = store.files(key, atMs - LOOK_BACK_MS, atMs + LOOK_AHEAD_MS);
  let after: FoundStill | null = null;
  for (const { startMs } of files.reverse()) {
    const records = (await store.readIndex(key, startMs))?.records ?? [];
    const keys = records.filter(({ flags }) => (flags & RECORD_FLAG.key) !== 0);
    const before = keys.findLast(({ wallMs }) => wallMs <= atMs);
    if (before && before.wallMs >= atMs - LOOK_BACK_MS) return { fileStartMs: startMs, record: before };
    const [first] = keys;
    if (first && first.wallMs > atMs && first.wallMs <= atMs + LOOK_AHEAD_MS) {
      after = { fileStartMs: startMs, record: first };
    }
  }
  return after;
}

/** Throws RangeError for a file that does not hold what its index says, ENOENT when retention took it meanwhile. */
export async function readStill(disk: Disk, path: string, { record }: FoundStill): Promise<KeyPicture> {
  const file = await disk.openFile(path, 'read');
  try {
    const start = await readFileStart(file);
    if (!start) throw new RangeError('the file has no whole start');
    const init = Buffer.allocUnsafe(start.initBytes);
    await file.read(init, 0);
    const fragment = Buffer.allocUnsafe(record.videoBytes - CLOCK_BOX_BYTES);
    if ((await file.read(fragment, record.offset + CLOCK_BOX_BYTES)) < fragment.length) {
      throw new RangeError('the file is shorter than its index');
    }
    const track = readInitSegment(init).find(({ kind }) => kind === 'video');
    const sample = readFragment(fragment, 0)[0]?.samples[0];
    if (!track || !sample?.isKey) throw new RangeError('no key picture where the index has one');
    const { width, height, config, sampleEntry } = track;
    const codec = sampleEntry.startsWith('avc') ? 'h264' : 'h265';
    return {
      format: { codec, width, height, config: Buffer.from(config) },
      data: fragment.subarray(sample.offset, sample.offset + sample.size),
    };
  } finally {
    await file.close();
  }
}
