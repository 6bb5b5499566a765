// The recorded keyframe of an instant: found at or before it in the index and read from its file.
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import type { CodedKeyframe } from '../codec/codec-worker.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { type FileIndex, type IndexRecord, RECORD_FLAG } from '../recordings/index-record.ts';
import { type RecordedMedia, readProven, readProvenInit } from '../recordings/check/proven-media.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';

export interface StoredKeyframe {
  readonly fileStartMs: number;
  readonly record: IndexRecord;
  readonly index: FileIndex;
}

/** Longest distance before the instant at which a frame still represents it. */
const SEARCH_BACK_MS = 15_000;
/** A file starts with its first keyframe; the instant may be slightly before. */
const SEARCH_AHEAD_MS = 1000;

/** Null if nothing was recorded around `atMs`. */
export async function findStoredKeyframe(
  store: RecordingsStore,
  key: TrackKey,
  atMs: number,
): Promise<StoredKeyframe | null> {
  const files = store.files(key, atMs - SEARCH_BACK_MS, atMs + SEARCH_AHEAD_MS);
  let after: StoredKeyframe | null = null;
  for (const { startMs } of files.reverse()) {
    const index = await store.readIndex(key, startMs);
    if (!index) continue;
    const keys = index.records.filter(
      (record) => (record.flags & RECORD_FLAG.key) !== 0 && store.undamaged(key, startMs, [record]).length > 0,
    );
    const before = keys.findLast(({ wallMs }) => wallMs <= atMs);
    if (before && before.wallMs >= atMs - SEARCH_BACK_MS) return { fileStartMs: startMs, record: before, index };
    const [first] = keys;
    if (first && first.wallMs > atMs && first.wallMs <= atMs + SEARCH_AHEAD_MS) {
      after = { fileStartMs: startMs, record: first, index };
    }
  }
  return after;
}

/** Throws RangeError if the file does not match its index, ENOENT if retention removed it. */
export async function readStoredKeyframe(
  media: RecordedMedia,
  { fileStartMs, record, index }: StoredKeyframe,
): Promise<CodedKeyframe> {
  const { init } = await readProvenInit(media, fileStartMs);
  const ref = { fileStartMs, firstRecord: index.records.indexOf(record), count: 1 };
  const fragment = (await readProven(media, index, ref, false)).bytes.subarray(CLOCK_BOX_BYTES);
  const track = readInitSegment(init).find(({ kind }) => kind === 'video');
  const sample = readFragment(fragment, 0)[0]?.samples[0];
  if (!track || !sample?.isKey) throw new RangeError('no key picture where the index has one');
  const { width, height, config, sampleEntry } = track;
  const codec = sampleEntry.startsWith('avc') ? 'h264' : 'h265';
  return {
    format: { codec, width, height, config: Buffer.from(config) },
    data: fragment.subarray(sample.offset, sample.offset + sample.size),
  };
}
