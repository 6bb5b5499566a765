// Firmware files on the server's disk, one per package; what was not received whole leaves nothing.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const PART = '.part';

export interface ReceivedFile {
  readonly bytes: number;
  readonly sha256: string;
}

export class FirmwareStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes what an earlier run did not receive whole. */
  async clear(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#folder);
    await Promise.all(names.filter((name) => name.endsWith(PART)).map((name) => rm(join(this.#folder, name))));
  }

  /** Rejects where the stream fails, and nothing stays. The file counts once it is kept. */
  async receive(packageId: string, from: Readable): Promise<ReceivedFile> {
    const path = this.#path(packageId) + PART;
    const hash = createHash('sha256');
    const count = { bytes: 0 };
    try {
      await pipeline(from, counting(hash, count), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { bytes: count.bytes, sha256: hash.digest('hex') };
  }

  async keep(packageId: string): Promise<void> {
    await rename(this.#path(packageId) + PART, this.#path(packageId));
  }

  async drop(packageId: string): Promise<void> {
    await rm(this.#path(packageId) + PART, { force: true });
    await rm(this.#path(packageId), { force: true });
  }

  parts(packageId: string, partBytes: number): AsyncIterable<Buffer> {
    return createReadStream(this.#path(packageId), { highWaterMark: partBytes });
  }

  /** Ids are ours: no name of a caller ever becomes a path. */
  #path(packageId: string): string {
    return join(this.#folder, packageId);
  }
}

function counting(hash: Hash, count: { bytes: number }): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      count.bytes += chunk.length;
      done(null, chunk);
    },
  });
}
