// Which recorded files have a verified copy in an object store: one line of JSON for each change, in the folder of their day.
import { join } from 'node:path';
import { type Disk, errorCode, NotAFile } from '@vedette/media/recordings/disk.ts';

/** `verified`: also on the disk; `remote`: only in the store, its index excepted. */
export type CopyState = 'verified' | 'remote';

export interface Copy {
  readonly startMs: number;
  readonly state: CopyState;
  readonly storeId: string;
  /** First part of its keys. */
  readonly root: string;
  readonly mediaBytes: number;
  readonly indexBytes: number;
  /** When the object is to be deleted, ms. */
  readonly until: number;
}

type Line = Copy | { readonly startMs: number; readonly state: 'deleted' };

export const COPIES_NAME = 'copies';

export class Copies {
  readonly #disk: Disk;
  /** By folder of the day, then by start. A day that is not here has none. */
  readonly #days = new Map<string, Map<number, Copy>>();

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  find(day: string, startMs: number): Copy | null {
    return this.#days.get(day)?.get(startMs) ?? null;
  }

  /** Starts of the files of a day whose media is in a store alone. */
  remoteOf(day: string): ReadonlySet<number> {
    const copies = [...(this.#days.get(day)?.values() ?? [])];
    return new Set(copies.filter(({ state }) => state === 'remote').map(({ startMs }) => startMs));
  }

  /** Those of the days below a folder. */
  *below(folder: string): Iterable<{ readonly day: string; readonly copy: Copy }> {
    for (const [day, copies] of this.#days) {
      if (!day.startsWith(`${folder}/`)) continue;
      for (const copy of copies.values()) yield { day, copy };
    }
  }

  /** Reads what the folder of a day says; call it when the folder is listed. */
  async load(day: string): Promise<void> {
    const copies = new Map<number, Copy>();
    for (const text of (await this.#text(join(day, COPIES_NAME))).split('\n')) {
      const line = lineOf(text);
      if (line?.state === 'deleted') copies.delete(line.startMs);
      else if (line) copies.set(line.startMs, line);
    }
    this.#days.set(day, copies);
  }

  /** On the disk for good when it resolves: what is `remote` may then be removed. */
  async set(day: string, copy: Copy): Promise<void> {
    await this.#append(day, copy);
    const copies = this.#days.get(day) ?? new Map<number, Copy>();
    this.#days.set(day, copies.set(copy.startMs, copy));
  }

  async delete(day: string, startMs: number): Promise<void> {
    const copies = this.#days.get(day);
    if (!copies?.has(startMs)) return;
    copies.delete(startMs);
    if (copies.size > 0) return await this.#append(day, { startMs, state: 'deleted' });
    this.#days.delete(day);
    await this.#disk.removeFile(join(day, COPIES_NAME));
  }

  /** Their folder was removed with everything in it. */
  forgetBelow(folder: string): void {
    for (const day of this.#days.keys()) if (day.startsWith(`${folder}/`)) this.#days.delete(day);
  }

  async #text(path: string): Promise<string> {
    try {
      return (await this.#disk.readWhole(path)).toString();
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof NotAFile) return '';
      throw error;
    }
  }

  async #append(day: string, line: Line): Promise<void> {
    const path = join(day, COPIES_NAME);
    // Ends a line that a power cut left unfinished.
    await this.#disk.appendLine(path, Buffer.from(`\n${JSON.stringify(line)}\n`));
    const file = await this.#disk.openFile(path, 'write');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#disk.syncFolder(day);
  }
}

/** Null for anything but a whole line. */
function lineOf(text: string): Line | null {
  if (text === '') return null;
  try {
    const line = JSON.parse(text) as Line;
    return typeof line.startMs === 'number' && (line.state === 'deleted' || isCopy(line)) ? line : null;
  } catch {
    return null;
  }
}

function isCopy({ state, storeId, root, until }: Copy): boolean {
  const isKnown = state === 'verified' || state === 'remote';
  return isKnown && typeof storeId === 'string' && typeof root === 'string' && typeof until === 'number';
}
