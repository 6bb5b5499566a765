// The file an export is written to: hashed while written, checked for space and cancel, and verified before it is served.
import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Disk, DiskFile } from '../recordings/disk.ts';
import { ExportError } from './export-error.ts';

/** Free space is checked again after so many bytes. */
const ROOM_CHECK_BYTES = 32 * 1024 * 1024;
const READ_BACK_BYTES = 1024 * 1024;

export interface ExportOutputOptions {
  readonly disk: Disk;
  readonly path: string;
  /** Free bytes above the reserve. */
  readonly room: () => Promise<number>;
  readonly signal: AbortSignal;
  /** Bytes written or read back since the last call. */
  readonly onProgress: (kind: 'written' | 'checked', bytes: number) => void;
}

/** A range of the file with a known hash. */
export interface HashedStretch {
  readonly offset: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: number;
}

export class ExportOutput {
  readonly #options: ExportOutputOptions;
  readonly #file: DiskFile;
  #position = 0;
  #sinceCheck = Number.POSITIVE_INFINITY;
  #stretch: { readonly offset: number; readonly hash: Hash; crc: number } | null = null;

  private constructor(options: ExportOutputOptions, file: DiskFile) {
    this.#options = options;
    this.#file = file;
  }

  /** A file of an earlier attempt is overwritten. */
  static async create(options: ExportOutputOptions): Promise<ExportOutput> {
    await options.disk.removeFile(options.path);
    return new ExportOutput(options, await options.disk.createFile(options.path));
  }

  get position(): number {
    return this.#position;
  }

  async write(buffers: readonly Uint8Array[]): Promise<void> {
    const { signal, onProgress, room } = this.#options;
    signal.throwIfAborted();
    const bytes = buffers.reduce((sum, one) => sum + one.length, 0);
    this.#sinceCheck += bytes;
    if (this.#sinceCheck >= ROOM_CHECK_BYTES) {
      this.#sinceCheck = 0;
      if ((await room()) < bytes) throw new ExportError(ERROR_CODES.quotaExceeded, 'no room for the export');
    }
    await this.#file.writeAll(buffers, this.#position);
    this.#position += bytes;
    for (const buffer of this.#stretch ? buffers : []) {
      this.#stretch?.hash.update(buffer);
      if (this.#stretch) this.#stretch.crc = crc32(buffer, this.#stretch.crc);
    }
    onProgress('written', bytes);
  }

  /** Hashes what is written from here to `endStretch`. */
  beginStretch(): void {
    this.#stretch = { offset: this.#position, hash: createHash('sha256'), crc: 0 };
  }

  endStretch(): HashedStretch {
    const stretch = this.#stretch;
    if (!stretch) throw new RangeError('no stretch was begun');
    this.#stretch = null;
    const { offset, hash, crc } = stretch;
    return { offset, bytes: this.#position - offset, sha256: hash.digest('hex'), crc32: crc };
  }

  /** Overwrites bytes outside of all ranges. */
  async patch(at: number, bytes: Uint8Array): Promise<void> {
    await this.#file.writeAll([bytes], at);
  }

  /** What was written before. */
  async read(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    if ((await this.#file.read(bytes, offset)) < length) throw new RangeError('the file lost its end');
    return bytes;
  }

  /** Syncs, reads everything back and returns the hash of the file; throws if a range differs. */
  async check(stretches: readonly HashedStretch[]): Promise<string> {
    const { signal, onProgress } = this.#options;
    await this.#file.sync();
    const whole = createHash('sha256');
    const buffer = Buffer.allocUnsafe(READ_BACK_BYTES);
    const read = async (at: number, end: number, hash: Hash | null): Promise<void> => {
      for (let next = at; next < end; ) {
        signal.throwIfAborted();
        const part = buffer.subarray(0, Math.min(buffer.length, end - next));
        if ((await this.#file.read(part, next)) < part.length) throw new RangeError('the export lost its end');
        whole.update(part);
        hash?.update(part);
        next += part.length;
        onProgress('checked', part.length);
      }
    };
    let at = 0;
    for (const stretch of stretches) {
      await read(at, stretch.offset, null);
      const hash = createHash('sha256');
      at = stretch.offset + stretch.bytes;
      await read(stretch.offset, at, hash);
      if (hash.digest('hex') !== stretch.sha256) throw new Error('the disk gave back other bytes than it was given');
    }
    await read(at, this.#position, null);
    return whole.digest('hex');
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
