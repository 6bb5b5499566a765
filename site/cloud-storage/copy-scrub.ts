// Reads one copy in a hundred back each day: a store that lost or changed what it once confirmed is found, and what the disk still has is copied again.
import { createHash } from 'node:crypto';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { DAY_MS, HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { Copies, Copy } from './copies.ts';
import { objectKey, trackOf } from './object-key.ts';
import { type ObjectStore, StoreFault } from './object-store.ts';

export interface CopyScrubOptions {
  readonly clock: Clock;
  readonly copies: Copies;
  /** Of the recordings. */
  readonly folders: () => readonly string[];
  /** Null: the installation no longer has that store. */
  readonly storeOf: (storeId: string) => ObjectStore | null;
  /** From 0 to 1. */
  readonly randomFraction: () => number;
  /** A file of the disk is to be copied again. */
  readonly onMissing: () => void;
  /** The only copy of a recording is gone; said once while the site runs. */
  readonly onLost: (lost: LostCopy) => void;
  readonly log: { warn(details: object, message: string): void };
}

export interface LostCopy {
  readonly track: TrackKey;
  readonly startMs: number;
  readonly storeId: string;
}

const TURN_EVERY_MS = HOUR_MS;
const SHARE_A_DAY = 0.01;

interface FoundCopy {
  /** Folder of its day. */
  readonly day: string;
  readonly copy: Copy;
}

export class CopyScrub {
  readonly #options: CopyScrubOptions;
  readonly #closing = new AbortController();
  /** Copies without a file on the disk that their store does not have any more, by path. */
  readonly #lost = new Set<string>();
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: CopyScrubOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#cancel = clock.after(TURN_EVERY_MS, () => {
      this.start();
      this.#running = this.#running
        .then(() => this.run())
        .catch((error: unknown) => log.warn({ err: error }, 'copies of recordings could not be read back'));
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancel();
    await this.#running;
  }

  /** Files whose only copy is lost, below a folder. */
  lostBelow(folder: string): number {
    return [...this.#lost].filter((path) => path.startsWith(`${folder}/`)).length;
  }

  /** The share of one turn, by chance; at least one copy. */
  async run(): Promise<void> {
    const { copies, folders, randomFraction } = this.#options;
    const all = folders().flatMap((folder) => [...copies.below(folder)]);
    const count = Math.min(all.length, Math.ceil((all.length * SHARE_A_DAY * TURN_EVERY_MS) / DAY_MS));
    for (let done = 0; done < count && !this.#closing.signal.aborted; done += 1) {
      const [found] = all.splice(Math.floor(randomFraction() * all.length), 1);
      if (found) await this.#check(found);
    }
  }

  async #check({ day, copy }: FoundCopy): Promise<void> {
    const { copies, onMissing, onLost, log } = this.#options;
    const path = `${day}/${copy.startMs}`;
    const isThere = await this.#isThere({ day, copy });
    if (isThere === null) return;
    const isKnown = this.#lost.delete(path) && !isThere;
    if (isThere) return;
    log.warn({ storeId: copy.storeId, path }, 'an object store does not hold a recording that it confirmed');
    if (copy.state === 'remote') {
      this.#lost.add(path);
      if (!isKnown) onLost({ track: trackOf(day), startMs: copy.startMs, storeId: copy.storeId });
    } else {
      await copies.delete(day, copy.startMs);
      onMissing();
    }
  }

  /** Null where the store does not say. */
  async #isThere({ day, copy }: FoundCopy): Promise<boolean | null> {
    const store = this.#options.storeOf(copy.storeId);
    if (store === null) return null;
    const { signal } = this.#closing;
    const keys = (['mp4', 'idx'] as const).map((kind) => objectKey(copy.root, trackOf(day), copy.startMs, kind));
    try {
      for (const [at, bytes] of [copy.mediaBytes, copy.indexBytes].entries()) {
        if (!(await isWhole(store, { key: keys[at] ?? '', bytes }, signal))) return false;
      }
      return true;
    } catch (error) {
      if (error instanceof StoreFault || signal.aborted) return null;
      throw error;
    }
  }
}

async function isWhole(
  store: ObjectStore,
  { key, bytes }: { readonly key: string; readonly bytes: number },
  signal: AbortSignal,
): Promise<boolean> {
  const stored = await store.head(key, signal);
  if (stored?.bytes !== bytes) return false;
  const read = await store.get(key, { from: 0, length: bytes }, signal);
  const digest = createHash('sha256').update(read).digest('hex');
  return read.length === bytes && (stored.sha256 === null || stored.sha256 === digest);
}
