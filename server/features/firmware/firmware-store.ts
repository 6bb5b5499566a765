// Firmware files on disk, one per package; an incomplete upload leaves nothing.
import { createHash, type Hash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const PARTIAL_SUFFIX = '.part';

export interface ReceivedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** The stored file differs from the upload. */
export class AlteredFirmware extends Error {
  override readonly name = 'AlteredFirmware';
}

/** Opening a FIFO would block a thread of Node's pool, a link may lead anywhere. */
const OWN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export class FirmwareStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes incomplete files of an earlier run. */
  async clear(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#folder);
    await Promise.all(
      names.filter((name) => name.endsWith(PARTIAL_SUFFIX)).map((name) => rm(join(this.#folder, name))),
    );
  }

  /** Rejects if the stream fails, leaving nothing. The file counts once it is stored. */
  async receive(packageId: string, from: Readable): Promise<ReceivedFile> {
    const path = this.#path(packageId) + PARTIAL_SUFFIX;
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

  async commit(packageId: string): Promise<void> {
    await rename(this.#path(packageId) + PARTIAL_SUFFIX, this.#path(packageId));
  }

  async drop(packageId: string): Promise<void> {
    await rm(this.#path(packageId) + PARTIAL_SUFFIX, { force: true });
    await rm(this.#path(packageId), { force: true });
  }

  /** The whole file; throws AlteredFirmware, at its end at the latest, if it changed. */
  async *chunks(packageId: string, received: ReceivedFile, chunkBytes: number): AsyncGenerator<Buffer> {
    const handle = await this.#open(packageId, received.bytes);
    const hash = createHash('sha256');
    try {
      for (let at = 0; at < received.bytes; ) {
        const { bytesRead, buffer } = await handle.read(
          Buffer.alloc(Math.min(chunkBytes, received.bytes - at)),
          0,
          null,
          at,
        );
        if (bytesRead === 0) throw new AlteredFirmware('shorter than it was');
        const part = buffer.subarray(0, bytesRead);
        hash.update(part);
        at += bytesRead;
        yield part;
      }
    } finally {
      await handle.close();
    }
    if (hash.digest('hex') !== received.sha256) throw new AlteredFirmware('not the bytes that were received');
  }

  async #open(packageId: string, bytes: number): Promise<FileHandle> {
    let handle: FileHandle;
    try {
      handle = await open(this.#path(packageId), OWN_FILE);
    } catch (error) {
      throw new AlteredFirmware('the file is gone, or is none', { cause: error });
    }
    const found = await handle.stat();
    if (found.isFile() && found.size === bytes) return handle;
    await handle.close();
    throw new AlteredFirmware('another file lies there');
  }

  /** Ids are generated: no caller's name becomes a path. */
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
