// One file being recorded: fragments are written at once, synced together, and indexed only then.
import { CATALOG_NAME, writeCatalogEntry } from '../recordings/day-catalog.ts';
import { type Disk, type DiskFile, errorCode } from '../recordings/disk.ts';
import { writeHeaderBox } from '../recordings/file-boxes.ts';
import {
  INDEX_ENTRY_BYTES,
  type IndexHeader,
  type IndexRecord,
  RECORD_FLAG,
  recordEndMs,
  VIDEO_TIMESCALE,
  originOf,
  writeIndexHeader,
  writeIndexRecord,
} from '../recordings/index-record.ts';
import { dayFolder, indexPath, mediaPath, type TrackKey, trackFolder } from '../recordings/recording-path.ts';
import { type Fragment, fragmentBytes, type Run } from './fragment.ts';
import { AUDIO_LEAD_TICKS, layOutFragment } from './fragment-bytes.ts';

const FILE_TICKS = 60 * VIDEO_TIMESCALE;
/** Longest file of a stream without keyframes. */
const FILE_MAX_TICKS = 600 * VIDEO_TIMESCALE;
/** Gaps below this stay within a file. */
const FILE_GAP_TICKS = 2 * VIDEO_TIMESCALE;
/**
 * Of synced recordings, so much may lack index records: readers get them from memory, and after a kill from the file
 * itself. One write per sync was a third of all disk calls.
 */
const ROWS_AHEAD_TICKS = 4 * VIDEO_TIMESCALE;
/** Offsets of the index are 32 bits. */
const FILE_MAX_BYTES = 2 ** 31;

export interface RecordingFileOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly key: TrackKey;
  readonly first: Fragment;
  /** Starts that files in other folders have. */
  readonly isTaken?: (startMs: number) => boolean;
}

interface Written {
  readonly fragment: Fragment;
  readonly record: IndexRecord;
}

/** Fragments covered by a finished sync, with their records. */
export type SyncedFragments = readonly Written[];

export class RecordingFile {
  readonly startMs: number;
  readonly folder: string;
  readonly run: Run;
  readonly #disk: Disk;
  readonly #media: DiskFile;
  readonly #index: DiskFile;
  readonly #catalogPath: string;
  readonly #header: IndexHeader;
  #mediaBytes: number;
  #indexBytes = INDEX_ENTRY_BYTES;
  #sequence = 1;
  #unsynced: Written[] = [];
  /** Synced, and not yet in the index on disk. */
  #ahead: IndexRecord[] = [];
  #startTicks: number;
  #lastTicks: number;
  #endTicks: number;
  #endMs: number;
  #records = 0;

  private constructor(
    options: RecordingFileOptions,
    opened: { startMs: number; media: DiskFile; index: DiskFile; header: IndexHeader; mediaBytes: number },
  ) {
    this.startMs = opened.startMs;
    this.folder = options.folder;
    this.run = options.first.run;
    this.#disk = options.disk;
    this.#media = opened.media;
    this.#index = opened.index;
    this.#header = opened.header;
    this.#mediaBytes = opened.mediaBytes;
    this.#catalogPath = `${dayFolder(options.folder, options.key, opened.startMs)}/${CATALOG_NAME}`;
    this.#startTicks = options.first.video.startTicks;
    this.#lastTicks = this.#startTicks;
    this.#endTicks = this.#startTicks;
    this.#endMs = opened.startMs;
  }

  /** Never overwrites a file: if two start in the same millisecond (a clock was set back), the next free one is taken. */
  static async create(options: RecordingFileOptions): Promise<RecordingFile> {
    const { disk, folder, key, first } = options;
    const lead = first.run.audio === 'none' ? 0 : AUDIO_LEAD_TICKS;
    const baseTicks = first.video.startTicks - lead;
    const { startMs, media } = await createMedia(options);
    let index: DiskFile | null = null;
    try {
      const header = indexHeader(first.run, baseTicks, originOf(key, startMs));
      const start = [first.run.init, writeHeaderBox(header)];
      await media.writeAll(start, 0);
      index = await disk.createFile(indexPath(folder, key, startMs));
      await index.writeAll([writeIndexHeader(header)], 0);
      await disk.syncFolder(dayFolder(folder, key, startMs));
      const mediaBytes = start.reduce((sum, one) => sum + one.length, 0);
      return new RecordingFile(options, { startMs, media, index, header, mediaBytes });
    } catch (error) {
      await Promise.allSettled([media.close(), index?.close()]);
      throw error;
    }
  }

  get mediaBytes(): number {
    return this.#mediaBytes;
  }

  get indexBytes(): number {
    return this.#indexBytes;
  }

  get endMs(): number {
    return this.#endMs;
  }

  get recordsAhead(): readonly IndexRecord[] {
    return this.#ahead;
  }

  /** Written and not yet synced; `since`: monotonic arrival of the oldest frame in it. */
  get unsynced(): { readonly ticks: number; readonly bytes: number; readonly since: number | null } {
    let ticks = 0;
    let bytes = 0;
    for (const { record } of this.#unsynced) {
      ticks += record.durationTicks;
      bytes += record.totalBytes;
    }
    return { ticks, bytes, since: this.#unsynced[0]?.fragment.arrivedMs ?? null };
  }

  /** Whether `fragment` fits in this file; otherwise another one starts with it. */
  takes(fragment: Fragment): boolean {
    const { startTicks } = fragment.video;
    if (fragment.run !== this.run || startTicks < this.#lastTicks) return false;
    if (startTicks - this.#endTicks >= FILE_GAP_TICKS) return false;
    if (this.#mediaBytes + fragmentBytes(fragment) > FILE_MAX_BYTES) return false;
    const elapsed = startTicks - this.#startTicks;
    return elapsed < FILE_MAX_TICKS && !(fragment.isKey && elapsed >= FILE_TICKS);
  }

  /** One writev. The fragment counts as stored after the next `sync`. */
  async write(fragment: Fragment): Promise<void> {
    const offset = this.#mediaBytes;
    const laidOut = layOutFragment(fragment, this.#header.baseTicks, this.#sequence);
    const { buffers, videoBytes, totalBytes, videoCrc, audioCrc } = laidOut;
    this.#sequence += 2;
    await this.#media.writeAll(buffers, offset);
    this.#mediaBytes += totalBytes;
    const { wallMs, durationTicks } = fragment;
    this.#lastTicks = fragment.video.startTicks;
    this.#endTicks = fragment.video.startTicks + durationTicks;
    const flags = flagsOf(fragment);
    const pictures = fragment.video.samples.length;
    this.#unsynced.push({
      fragment,
      record: { wallMs, offset, videoBytes, totalBytes, durationTicks, flags, pictures, videoCrc, audioCrc },
    });
  }

  /** Syncs what was written, and writes its index records when there are enough. */
  async sync(): Promise<SyncedFragments> {
    const batch = [...this.#unsynced];
    if (batch.length === 0) return batch;
    await this.#media.sync();
    const rows = [...this.#ahead, ...batch.map(({ record }) => record)];
    // Event marks are only in the index.
    const isDue = batch.some(({ fragment }) => fragment.isAlarm) || ticksOf(rows) >= ROWS_AHEAD_TICKS;
    if (isDue) await this.#name(rows);
    else this.#ahead = rows;
    this.#unsynced.splice(0, batch.length);
    for (const { record } of batch) this.#endMs = Math.max(this.#endMs, recordEndMs(record));
    return batch;
  }

  async #name(rows: readonly IndexRecord[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#index.writeAll(
      rows.map((row) => writeIndexRecord(row, this.#header)),
      this.#indexBytes,
    );
    this.#indexBytes += rows.length * INDEX_ENTRY_BYTES;
    this.#records += rows.length;
    this.#ahead = [];
  }

  /** After the last `sync`: adds the file to the day's catalog, so that the next start need not check it. */
  async finish(): Promise<void> {
    await this.#name(this.#ahead);
    await this.#index.sync();
    await this.close();
    const entry = { startMs: this.startMs, endMs: this.#endMs, mediaBytes: this.#mediaBytes, records: this.#records };
    await this.#disk.appendLine(this.#catalogPath, writeCatalogEntry(entry));
  }

  /** Closed without a catalog line: the check at the next start completes its index. */
  async close(): Promise<void> {
    try {
      await this.#name(this.#ahead);
    } finally {
      await Promise.allSettled([this.#media.close(), this.#index.close()]);
    }
  }

  /** Fragments accepted and not yet synced. */
  takeUnsynced(): Fragment[] {
    const fragments = this.#unsynced.map((one) => one.fragment);
    this.#unsynced = [];
    return fragments;
  }
}

async function createMedia(options: RecordingFileOptions): Promise<{ startMs: number; media: DiskFile }> {
  const { disk, folder, key, first, isTaken = () => false } = options;
  for (let startMs = Math.round(first.wallMs); ; startMs += 1) {
    if (isTaken(startMs)) continue;
    try {
      return { startMs, media: await disk.createFile(mediaPath(folder, key, startMs)) };
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') {
        await disk.makeFolder(dayFolder(folder, key, startMs));
        await disk.syncFolder(trackFolder(folder, key));
        startMs -= 1;
      } else if (code !== 'EEXIST') throw error;
    }
  }
}

function ticksOf(records: readonly IndexRecord[]): number {
  return records.reduce((sum, { durationTicks }) => sum + durationTicks, 0);
}

function flagsOf({ isKey, isDiscontinuity, isAlarm }: Fragment): number {
  return (
    (isKey ? RECORD_FLAG.key : 0) |
    (isDiscontinuity ? RECORD_FLAG.discontinuity : 0) |
    (isAlarm ? RECORD_FLAG.alarm : 0)
  );
}

function indexHeader({ id, initHash, audio, audioRate }: Run, baseTicks: number, origin: number): IndexHeader {
  return { runId: id, baseTicks, initHash, audio, audioRate, origin };
}
