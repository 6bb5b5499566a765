// Packages of client versions on disk: received in parts that can be continued, whole once their signature was verified.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CallError, fieldError } from '../../core/call-error.ts';

const PARTIAL_SUFFIX = '.part';

export interface PackagePart {
  readonly versionId: string;
  readonly offset: number;
  /** The part is refused as soon as it is longer. */
  readonly most: number;
  readonly from: Readable;
}

export class PackageFiles {
  readonly folder: string;
  readonly #busy = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Removes what belongs to no version any more. */
  async clear(versionIds: readonly string[]): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const known = new Set(versionIds.flatMap((id) => [id, id + PARTIAL_SUFFIX]));
    const names = await readdir(this.folder);
    await Promise.all(names.filter((name) => !known.has(name)).map((name) => rm(join(this.folder, name))));
  }

  /** One at a time for a version; throws 1012 for another. */
  async alone<T>(versionId: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(versionId)) throw new CallError('serviceBusy');
    this.#busy.add(versionId);
    try {
      return await work();
    } finally {
      this.#busy.delete(versionId);
    }
  }

  /** Bytes of an unfinished package; 0: there is none. */
  async received(versionId: string): Promise<number> {
    try {
      return (await stat(this.#partial(versionId))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
  }

  /** Resolves with what is received in all. Throws 1010 where the part does not follow it, 1003 for one that is too long; what came stays. */
  async append({ versionId, offset, most, from }: PackagePart): Promise<number> {
    const receivedBytes = offset === 0 ? 0 : await this.received(versionId);
    if (offset !== receivedBytes) throw new CallError('stale', { receivedBytes });
    const to = createWriteStream(this.#partial(versionId), {
      flags: offset === 0 ? 'w' : 'r+',
      start: offset,
      mode: 0o600,
      flush: true,
    });
    await pipeline(from, bounded(most), to);
    return await this.received(versionId);
  }

  /** Hex. */
  async sha256OfPartial(versionId: string): Promise<string> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(this.#partial(versionId)), hash);
    return hash.digest('hex');
  }

  async commit(versionId: string): Promise<void> {
    await rename(this.#partial(versionId), join(this.folder, versionId));
  }

  async dropPartial(versionId: string): Promise<void> {
    await rm(this.#partial(versionId), { force: true });
  }

  async drop(versionId: string): Promise<void> {
    await this.dropPartial(versionId);
    await rm(join(this.folder, versionId), { force: true });
  }

  /** Ids are generated: no caller's name becomes a path. */
  #partial(versionId: string): string {
    return join(this.folder, versionId + PARTIAL_SUFFIX);
  }
}

function bounded(most: number) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > most) throw fieldError({ body: 'tooLong' });
      yield chunk;
    }
  };
}
