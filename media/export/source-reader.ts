// Reads recorded files for an export: fragments verified by their checksums, then their samples; one file is open at a time.
import { type ReadRun, readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import type { Disk, DiskFile } from '../recordings/disk.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { FRAGMENT_MAX_BYTES } from '../recordings/media-scan.ts';
import { DamagedRecording, matches, readProvenInit } from '../recordings/check/proven-media.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { Piece } from './export-plan.ts';

export interface SourceRun extends ReadRun {
  /** Offset of its first sample in the file; the others are contiguous. */
  readonly dataAt: number;
}

export interface PieceHeader {
  readonly video: SourceRun;
  readonly audio: SourceRun | null;
}

export class SourceReader {
  readonly #disk: Disk;
  readonly #store: RecordingsStore;
  readonly #key: TrackKey;
  /** The file whose header was compared with its index. */
  #known: number | null = null;
  #open: { readonly startMs: number; readonly file: DiskFile } | null = null;

  constructor(disk: Disk, store: RecordingsStore, key: TrackKey) {
    this.#disk = disk;
    this.#store = store;
    this.#key = key;
  }

  /** ftyp and moov of a file. Throws RangeError if they changed since recording. */
  async init(fileStartMs: number): Promise<Buffer> {
    const { init } = await readProvenInit({ disk: this.#disk, store: this.#store, key: this.#key }, fileStartMs);
    this.#known = fileStartMs;
    return init;
  }

  /** Throws Mp4Error or RangeError if the fragment does not match its index record. */
  async head({ fileStartMs, record, header }: Piece): Promise<PieceHeader> {
    // Without checksums, the file itself must match the index.
    if (header.origin === undefined && this.#known !== fileStartMs) await this.init(fileStartMs);
    if (record.totalBytes > FRAGMENT_MAX_BYTES) throw new DamagedRecording('larger than any fragment');
    const bytes = await this.read(fileStartMs, record.offset, record.totalBytes);
    if (!matches(record, bytes)) throw new DamagedRecording('not as it was recorded');
    const video = runAt(bytes, { at: CLOCK_BOX_BYTES, end: record.videoBytes, offset: record.offset });
    const hasAudio = header.audio !== 'none' && record.totalBytes > record.videoBytes;
    const audioPart = { at: record.videoBytes, end: record.totalBytes, offset: record.offset };
    return { video, audio: hasAudio ? runAt(bytes, audioPart) : null };
  }

  async read(fileStartMs: number, from: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    if ((await (await this.#file(fileStartMs)).read(bytes, from)) < length) {
      throw new RangeError('the file is shorter than its index');
    }
    return bytes;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.file.close();
  }

  async #file(startMs: number): Promise<DiskFile> {
    if (this.#open?.startMs === startMs) return this.#open.file;
    await this.close();
    const file = await this.#disk.openFile(this.#store.mediaPath(this.#key, startMs), 'read');
    this.#open = { startMs, file };
    return file;
  }
}

/** `offset`: of `bytes` in the file. */
function runAt(bytes: Buffer, { at, end, offset }: { at: number; end: number; offset: number }): SourceRun {
  const [run] = readFragment(bytes.subarray(0, end), at);
  const first = run?.samples[0];
  if (!run || !first) throw new RangeError('a fragment without samples');
  const bytesOfSamples = run.samples.reduce((sum, { size }) => sum + size, 0);
  if (at + first.offset + bytesOfSamples > end) throw new RangeError('samples that leave their fragment');
  return { ...run, dataAt: offset + at + first.offset };
}
