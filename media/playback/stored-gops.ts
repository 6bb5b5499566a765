// Recordings of a window as GOPs: the keyframe of each alone, and all of it only where it is asked for.
import type { CodedKeyframe } from '../codec/codec-worker.ts';
import { readStoredKeyframe } from '../snapshot/stored-keyframe.ts';
import type { FileIndex } from '../recordings/index-record.ts';
import type { RecordedMedia } from '../recordings/check/proven-media.ts';
import { type PlannedSegment, planWindow } from './playback-plan.ts';
import { readInit, readSegment } from './stored-media.ts';

export interface StoredGop {
  readonly wallMs: number;
  readonly endMs: number;
  /** Rejects with RangeError where it is damaged, and with the disk's error where retention removed it. */
  readonly keyframe: () => Promise<CodedKeyframe>;
  /** Init segment, then fragments without audio. Rejects as `keyframe` does. */
  readonly media: () => Promise<readonly Buffer[]>;
}

/** Oldest first, those that begin in the window; short ones are joined. */
export async function storedGops(
  media: RecordedMedia,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<readonly StoredGop[]> {
  const { segments } = await planWindow({ store: media.store, key: media.key, startMs, endMs });
  const indexes = new IndexReader(media);
  return segments.filter(({ isKey }) => isKey).map((segment) => storedGop(media, segment, indexes));
}

function storedGop(media: RecordedMedia, segment: PlannedSegment, indexes: IndexReader): StoredGop {
  const { fileStartMs, firstRecord, wallMs, endMs } = segment;
  return {
    wallMs,
    endMs,
    keyframe: async () => {
      const index = await indexes.of(fileStartMs);
      const record = index.records[firstRecord];
      if (record === undefined) throw new RangeError('no such record');
      return await readStoredKeyframe(media, { fileStartMs, record, index });
    },
    media: async () => {
      const index = await indexes.of(fileStartMs);
      const init = await readInit(media, { fileStartMs, hasAudio: false });
      return [init, ...(await readSegment(media, index, { ...segment, hasAudio: false }))];
    },
  };
}

/** The index of a file is asked for by each of its GOPs in turn. */
class IndexReader {
  readonly #media: RecordedMedia;
  #held: { readonly fileStartMs: number; readonly index: FileIndex } | null = null;

  constructor(media: RecordedMedia) {
    this.#media = media;
  }

  async of(fileStartMs: number): Promise<FileIndex> {
    if (this.#held?.fileStartMs === fileStartMs) return this.#held.index;
    const { store, key } = this.#media;
    const index = await store.readIndex(key, fileStartMs);
    if (index === null) throw new RangeError('the file is gone');
    this.#held = { fileStartMs, index };
    return index;
  }
}
