// A file received in parts on the site's disk; it is passed on only if it equals what was announced, byte for byte.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const READ_BYTES = 65_536;
/** Always a new file, never an existing one or the target of a link. */
const OWN = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export class PartialFile {
  readonly path: string;
  readonly bytes: number;
  readonly #sha256: string;
  #handle: Promise<FileHandle> | null = null;
  #isRemoved = false;
  #taken = 0;
  #isAltered = false;
  readonly #hash = createHash('sha256');

  constructor(path: string, bytes: number, sha256: string) {
    this.path = path;
    this.bytes = bytes;
    this.#sha256 = sha256;
  }

  get taken(): number {
    return this.#taken;
  }

  /** The file on the disk changed after it was received. */
  get isAltered(): boolean {
    return this.#isAltered;
  }

  /** False for a part out of order or beyond the announced size. */
  async append(offset: number, part: Buffer): Promise<boolean> {
    if (offset !== this.#taken || offset + part.length > this.bytes) return false;
    this.#taken += part.length;
    this.#hash.update(part);
    const handle = await this.#open();
    await handle.write(part, 0, part.length, offset);
    return true;
  }

  /** False if it differs from what was announced. */
  async finish(): Promise<boolean> {
    return this.#taken === this.bytes && this.#hash.digest('hex') === this.#sha256;
  }

  /**
   * The last bytes follow only after the digest of the whole matches, so that a device never gets a complete altered
   * file. Throws if it was altered.
   */
  async *read(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let held: Buffer | null = null;
    for (let at = 0; at < this.bytes; ) {
      const handle = await this.#open();
      const length = Math.min(READ_BYTES, this.bytes - at);
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) break;
      const part: Buffer = buffer.subarray(0, bytesRead);
      hash.update(part);
      at += bytesRead;
      if (held) yield held;
      held = part;
    }
    if (hash.digest('hex') !== this.#sha256) {
      this.#isAltered = true;
      throw new Error('the firmware is not on the disk as it came');
    }
    if (held) yield held;
  }

  async remove(): Promise<void> {
    this.#isRemoved = true;
    const handle = this.#handle;
    this.#handle = null;
    await (await handle)?.close();
    await rm(this.path, { force: true });
  }

  #open(): Promise<FileHandle> {
    if (this.#isRemoved) return Promise.reject(new Error('the file was removed'));
    this.#handle ??= this.#create();
    return this.#handle;
  }

  async #create(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await rm(this.path, { force: true });
    return await open(this.path, OWN, 0o600);
  }
}
