// A file that arrives in parts, on the site's disk until it was handed on.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export class PartialFile {
  readonly path: string;
  readonly bytes: number;
  readonly #sha256: string;
  #handle: FileHandle | null = null;
  #taken = 0;
  readonly #hash = createHash('sha256');

  constructor(path: string, bytes: number, sha256: string) {
    this.path = path;
    this.bytes = bytes;
    this.#sha256 = sha256;
  }

  get taken(): number {
    return this.#taken;
  }

  /** False for a part that does not follow the last, or is more than was announced. */
  async append(offset: number, part: Buffer): Promise<boolean> {
    if (offset !== this.#taken || offset + part.length > this.bytes) return false;
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    this.#handle ??= await open(this.path, 'w', 0o600);
    await this.#handle.write(part);
    this.#hash.update(part);
    this.#taken += part.length;
    return true;
  }

  /** False where it is not what was announced. */
  async finish(): Promise<boolean> {
    await this.#handle?.close();
    this.#handle = null;
    return this.#taken === this.bytes && this.#hash.digest('hex') === this.#sha256;
  }

  read(): AsyncIterable<Uint8Array> {
    return createReadStream(this.path, { highWaterMark: 65_536 });
  }

  async remove(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
    await rm(this.path, { force: true });
  }
}
