// Copies finished files into object stores, four at once and never in the way of recording, and deletes objects whose time is over.
import type { StoreReason } from '@vedette/contract/enumerations.ts';
import type { CloudOrder } from '@vedette/contract/site/site-cloud.ts';
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { type Disk, errorCode } from '@vedette/media/recordings/disk.ts';
import { dayFolder } from '@vedette/media/recordings/recording-path.ts';
import type { FileClaims } from '@vedette/media/recordings/disks/file-claims.ts';
import type { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { Copies } from './copies.ts';
import { copyFile } from './copy-file.ts';
import type { ObjectDeletions } from './object-deletions.ts';
import { type ObjectStore, StoreFault } from './object-store.ts';
import { deletionsOf } from './tiered-disk.ts';
import type { WaitingFile, WaitingFiles } from './waiting-files.ts';

export interface OpenStore {
  readonly store: ObjectStore;
  /** First part of the keys of an account. */
  readonly rootOf: (ownerId: string) => string;
}

export interface CopyQueueLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface CopyQueueOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly copies: Copies;
  readonly deletions: ObjectDeletions;
  readonly waiting: WaitingFiles;
  readonly claims: FileClaims;
  readonly recordings: () => RecordingsStore;
  readonly orderOf: (channelId: string) => CloudOrder | null;
  readonly storeOf: (storeId: string) => OpenStore | null;
  readonly log: CopyQueueLog;
}

const LOOK_EVERY_MS = 5000;
const AT_ONCE = 4;
/** Memory of what is on its way; one larger file goes alone. */
const IN_FLIGHT_BYTES = 64 * 1024 * 1024;
const DELETED_AT_ONCE = 100;
const AGAIN = { firstMs: 1000, maxMs: 5 * 60_000, jitter: 0.5 } as const;

interface Pause {
  readonly backoff: Backoff;
  untilMs: number;
  reason: StoreReason | null;
}

export class CopyQueue {
  readonly #options: CopyQueueOptions;
  readonly #closing = new AbortController();
  readonly #pauses = new Map<string, Pause>();
  readonly #running = new Map<string, { readonly bytes: number; readonly done: Promise<void> }>();
  #cancel: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: CopyQueueOptions) {
    this.#options = options;
  }

  start(): void {
    this.#look();
  }

  /** What is on its way is given up and copied again after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancel();
    await this.#looking;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Tries stores again at once: their access has changed. */
  retry(): void {
    this.#pauses.clear();
    if (!this.#closing.signal.aborted) this.#look();
  }

  /** Why the last attempt at a store failed. */
  reasonOf(storeId: string): StoreReason | null {
    return this.#pauses.get(storeId)?.reason ?? null;
  }

  #look(): void {
    const { clock, log } = this.#options;
    this.#cancel();
    this.#cancel = clock.after(LOOK_EVERY_MS, () => this.#look());
    this.#looking = this.#looking
      .then(() => this.#step())
      .catch((error: unknown) => log.warn({ err: error }, 'the copies of recordings could not be looked after'));
  }

  async #step(): Promise<void> {
    const { waiting, recordings, orderOf, clock } = this.#options;
    if (this.#closing.signal.aborted) return;
    waiting.look(recordings(), orderOf, clock.wallMs());
    this.#startCopies();
    await this.#expire();
    await this.#delete();
  }

  #startCopies(): void {
    if (this.#closing.signal.aborted) return;
    for (const file of this.#options.waiting.inOrder()) {
      if (this.#running.size >= AT_ONCE) return;
      const name = `${file.key.channelId}/${file.key.quality}/${file.startMs}`;
      const inFlight = [...this.#running.values()].reduce((sum, { bytes }) => sum + bytes, 0);
      if (this.#running.has(name) || this.#isPaused(file.order.storeId)) continue;
      if (inFlight > 0 && inFlight + file.bytes > IN_FLIGHT_BYTES) continue;
      if (!this.#options.claims.take(file.key, file.startMs)) continue;
      const done = this.#copy(file).finally(() => {
        this.#options.claims.release(file.key, file.startMs);
        this.#running.delete(name);
        this.#startCopies();
      });
      this.#running.set(name, { bytes: file.bytes, done });
    }
  }

  /** Never rejects. */
  async #copy({ key, startMs, order }: WaitingFile): Promise<void> {
    const { disk, copies, waiting, recordings, storeOf, log } = this.#options;
    const folder = recordings().folderOf(key, startMs);
    const { storeId } = order;
    try {
      const opened = storeOf(storeId);
      if (!opened) throw new StoreFault('gone', 'the store is not assigned here');
      const root = opened.rootOf(order.ownerId);
      const { signal } = this.#closing;
      const copied = await copyFile({ disk, folder, store: opened.store, root, key, startMs, signal });
      const until = startMs + order.days * DAY_MS;
      await copies.set(dayFolder(folder, key, startMs), {
        startMs,
        state: 'verified',
        storeId,
        root,
        ...copied,
        until,
      });
      waiting.done(key, startMs);
      this.#pauses.delete(storeId);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      if (errorCode(error) === 'ENOENT') return waiting.done(key, startMs);
      this.#pause(storeId, error);
      log.warn({ storeId, ...key, startMs, err: error }, 'a recording could not be copied; it is tried again');
    }
  }

  /** Of copies beside which the disk still has its file: removing that file deletes the others. */
  async #expire(): Promise<void> {
    const { copies, deletions, recordings, clock } = this.#options;
    const now = clock.wallMs();
    const known = recordings().folders.flatMap((folder) => [...copies.below(folder)]);
    for (const { day, copy } of known) {
      if (copy.state !== 'verified' || copy.until > now) continue;
      await deletions.add(deletionsOf(day, copy));
      await copies.delete(day, copy.startMs);
    }
  }

  async #delete(): Promise<void> {
    const { deletions, storeOf, log } = this.#options;
    const deleted = [];
    for (const deletion of deletions.waiting.slice(0, DELETED_AT_ONCE)) {
      const { storeId, key } = deletion;
      const opened = storeOf(storeId);
      if (this.#closing.signal.aborted || !opened || this.#isPaused(storeId)) continue;
      try {
        await opened.store.delete(key, this.#closing.signal);
        deleted.push(deletion);
      } catch (error) {
        if (this.#closing.signal.aborted) break;
        this.#pause(storeId, error);
        log.warn({ storeId, err: error }, 'an object could not be deleted; it is tried again');
      }
    }
    await deletions.done(deleted);
  }

  #isPaused(storeId: string): boolean {
    return (this.#pauses.get(storeId)?.untilMs ?? 0) > this.#options.clock.monotonicMs();
  }

  /** Files that fail together count once. */
  #pause(storeId: string, error: unknown): void {
    const known = this.#pauses.get(storeId);
    const pause = known ?? { backoff: new Backoff(AGAIN, randomFraction), untilMs: 0, reason: null };
    this.#pauses.set(storeId, pause);
    pause.reason = error instanceof StoreFault ? error.reason : 'answer';
    if (this.#isPaused(storeId)) return;
    pause.untilMs = this.#options.clock.monotonicMs() + pause.backoff.next();
  }
}
