// Reads recorded files one after another for an export: heads of fragments, then their samples; one file is open at a time.
import { type ReadRun, readBox, readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import type { Disk, DiskFile } from '../recordings/disk.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { readFileStart } from '../recordings/media-scan.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { Piece } from './export-outline.ts';

/** A moof of a fragment of one second, most often; read again where it is longer. */
const HEAD_BYTES = 4096;

export interface SourceRun extends ReadRun {
  /** Where its first sample lies in the file; the others follow at once. */
  readonly dataAt: number;
}

export interface PieceHead {
  readonly video: SourceRun;
  readonly audio: SourceRun | null;
}

export class SourceReader {
  readonly #disk: Disk;
  readonly #store: RecordingsStore;
  readonly #key: TrackKey;
  #open: { readonly startMs: number; readonly file: DiskFile } | null = null;

  constructor(disk: Disk, store: RecordingsStore, key: TrackKey) {
    this.#disk = disk;
    this.#store = store;
    this.#key = key;
  }

  /** ftyp and moov of a file. */
  async init(fileStartMs: number): Promise<Buffer> {
    const file = await this.#file(fileStartMs);
    const start = await readFileStart(file);
    if (!start) throw new RangeError('the file has no whole start');
    const bytes = Buffer.allocUnsafe(start.initBytes);
    await file.read(bytes, 0);
    return bytes;
  }

  /** Throws Mp4Error or RangeError where the fragment is not what its record says. */
  async head({ fileStartMs, record, header }: Piece): Promise<PieceHead> {
    const file = await this.#file(fileStartMs);
    const video = await readRun(file, record.offset + CLOCK_BOX_BYTES);
    const hasAudio = header.audio !== 'none' && record.totalBytes > record.videoBytes;
    return { video, audio: hasAudio ? await readRun(file, record.offset + record.videoBytes) : null };
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

async function readRun(file: DiskFile, at: number): Promise<SourceRun> {
  let bytes = Buffer.alloc(HEAD_BYTES);
  let length = await file.read(bytes, at);
  const moof = readBox(bytes.subarray(0, length), 0);
  if (moof && moof.end > length) {
    bytes = Buffer.alloc(moof.end);
    length = await file.read(bytes, at);
  }
  const [run] = readFragment(bytes.subarray(0, length), 0);
  const first = run?.samples[0];
  if (!run || !first) throw new RangeError('a fragment without samples');
  return { ...run, dataAt: at + first.offset };
}
