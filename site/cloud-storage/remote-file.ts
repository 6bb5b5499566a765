// A recorded file whose bytes are in an object store, read in ranges; what was read lately is kept, so that a GOP costs one request.
import type { DiskFile } from '@vedette/media/recordings/disk.ts';
import type { ObjectStore } from './object-store.ts';

/** About two seconds of a main stream. */
const CHUNK_BYTES = 512 * 1024;
/** 32 MB in all. */
const CHUNKS_KEPT = 64;
const WITHIN_MS = 20_000;

/** Of all files; the oldest is dropped first. */
export class RemoteChunks {
  readonly #chunks = new Map<string, Promise<Buffer>>();

  async read(store: ObjectStore, key: string, number: number): Promise<Buffer> {
    const name = `${key}#${number}`;
    const known = this.#chunks.get(name);
    const chunk =
      known ?? store.get(key, { from: number * CHUNK_BYTES, length: CHUNK_BYTES }, AbortSignal.timeout(WITHIN_MS));
    this.#chunks.delete(name);
    this.#chunks.set(name, chunk);
    // Asked for again next time.
    if (!known) chunk.catch(() => this.#chunks.delete(name));
    const [oldest] = this.#chunks.keys();
    if (this.#chunks.size > CHUNKS_KEPT && oldest !== undefined) this.#chunks.delete(oldest);
    return await chunk;
  }
}

export interface RemoteFileOptions {
  readonly store: ObjectStore;
  readonly chunks: RemoteChunks;
  readonly key: string;
  readonly bytes: number;
}

/** `read` rejects with StoreFault. Finished files are never written. */
export function remoteFile({ store, chunks, key, bytes }: RemoteFileOptions): DiskFile {
  const refuse = (): Promise<never> => Promise.reject(new Error('a file in an object store is not written'));
  return {
    read: async (buffer, position) => {
      const end = Math.min(bytes, position + buffer.length);
      const first = Math.floor(position / CHUNK_BYTES);
      const count = Math.max(0, Math.ceil(end / CHUNK_BYTES) - first);
      const found = Array.from({ length: count }, (_, at) => chunks.read(store, key, first + at));
      let filled = 0;
      for (const [at, chunk] of (await Promise.all(found)).entries()) {
        const from = at === 0 ? position - first * CHUNK_BYTES : 0;
        filled += chunk.copy(buffer, filled, from, Math.min(chunk.length, from + end - position - filled));
      }
      return filled;
    },
    size: async () => bytes,
    close: async () => undefined,
    writeAll: refuse,
    sync: refuse,
    truncate: refuse,
  };
}
