// Lease that lets one process at a time write into a storage folder: numbered lease files, the highest number wins; a frozen holder notices before its next write.
import { join } from 'node:path';
import { type Disk, type DiskFile, errorCode } from './disk.ts';

/** Distinguishes processes across restarts, containers and machines. */
export interface WriterFacts {
  /** Unique name of this process. */
  readonly self: string;
  /** True only if the process of that name has certainly ended. */
  readonly isGone: (process: string) => Promise<boolean>;
}

export interface WriterLeaseOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly facts: WriterFacts;
  readonly monotonicMs: () => number;
}

/** The holder stops writing after so long without renewal. */
const HELD_MS = 10_000;
/** Others take over after so long without renewal; longer than `HELD_MS` by more than clock drift. */
const EXPIRES_MS = 15_000;
const NAME = /^vedette-writer-(\d{1,9})$/;
const CONTENT_BYTES = 256;

export class WriterLease {
  readonly #options: WriterLeaseOptions;
  #number: number | null = null;
  #beat = 0;
  #heldUntilMs = -Infinity;
  #seen: { readonly text: string; readonly sinceMs: number } | null = null;
  /** Another process may have written meanwhile. */
  #wasElsewhere = false;

  constructor(options: WriterLeaseOptions) {
    this.#options = options;
  }

  /** Whether a write may start now. */
  get isHeld(): boolean {
    return this.#options.monotonicMs() < this.#heldUntilMs;
  }

  /** Takes or renews it; `regained` if others may have written meanwhile. Throws disk errors. */
  async renew(): Promise<'taken' | 'regained' | 'renewed' | 'refused'> {
    const began = this.#options.monotonicMs();
    const highest = await this.#highest();
    if (this.#number !== null && highest === this.#number) {
      await this.#writeBeat();
      this.#heldUntilMs = began + HELD_MS;
      return 'renewed';
    }
    if (this.#number !== null) this.#wasElsewhere = true;
    this.#number = null;
    this.#heldUntilMs = -Infinity;
    const isTaken =
      (highest === null || (await this.#isFree(highest))) && (await this.#take((highest ?? 0) + 1, began));
    const wasElsewhere = this.#wasElsewhere;
    this.#wasElsewhere = !isTaken;
    if (!isTaken) return 'refused';
    return wasElsewhere ? 'regained' : 'taken';
  }

  /** Whether another process, which may still run, holds it. */
  async isElsewhere(): Promise<boolean> {
    const highest = await this.#highest();
    return highest !== null && highest !== this.#number && !(await this.#isFree(highest));
  }

  /** Releases it for another process. */
  async release(): Promise<void> {
    const number = this.#number;
    this.#number = null;
    this.#heldUntilMs = -Infinity;
    if (number !== null) await this.#options.disk.removeFile(this.#path(number));
  }

  async #take(number: number, began: number): Promise<boolean> {
    const { disk } = this.#options;
    let file: DiskFile;
    try {
      file = await disk.createFile(this.#path(number));
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
    await file.close();
    this.#number = number;
    // Synced once: after a power cut the next process must be able to read the holder.
    await this.#writeBeat(true);
    this.#heldUntilMs = began + HELD_MS;
    this.#seen = null;
    for (const { name } of await disk.list(this.#options.folder)) {
      const older = numberOf(name);
      if (older !== null && older < number) await disk.removeFile(this.#path(older));
    }
    return true;
  }

  /** On a full disk the file is empty; its name alone holds the lease. */
  async #writeBeat(isSynced = false): Promise<void> {
    if (this.#number === null) return;
    this.#beat += 1;
    const text = JSON.stringify({ process: this.#options.facts.self, beat: this.#beat }).padEnd(CONTENT_BYTES);
    try {
      const file = await this.#options.disk.openFile(this.#path(this.#number), 'write');
      try {
        await file.writeAll([Buffer.from(text)], 0);
        if (isSynced) await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    }
  }

  async #isFree(number: number): Promise<boolean> {
    const { disk, facts, monotonicMs } = this.#options;
    const content = (await disk.readWhole(this.#path(number))).toString('utf8');
    const holder = processOf(content);
    if (holder !== null && (await facts.isGone(holder))) return true;
    const text = `${number} ${content}`;
    if (this.#seen?.text !== text) this.#seen = { text, sinceMs: monotonicMs() };
    return monotonicMs() - this.#seen.sinceMs >= EXPIRES_MS;
  }

  async #highest(): Promise<number | null> {
    const names = await this.#options.disk.list(this.#options.folder);
    const numbers = names.flatMap(({ name }) => numberOf(name) ?? []);
    return numbers.length === 0 ? null : Math.max(...numbers);
  }

  #path(number: number): string {
    return join(this.#options.folder, `vedette-writer-${number}`);
  }
}

function numberOf(name: string): number | null {
  const match = NAME.exec(name);
  return match ? Number(match[1]) : null;
}

/** Null for a lease that is being written. */
function processOf(content: string): string | null {
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed !== 'object' || parsed === null || !('process' in parsed)) return null;
    return typeof parsed.process === 'string' ? parsed.process : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
