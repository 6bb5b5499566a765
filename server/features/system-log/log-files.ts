// Reads the files of one process's log backwards, over their rotation, from the end or from a line that was read before.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogPart } from '@vedette/contract/calls/system-log.ts';

/** Older files of each log that the launcher keeps (launcher/process/log.js). */
const ROTATED = ['', '.1', '.2'] as const;
const BLOCK_BYTES = 64 * 1024;
/** The launcher cuts longer lines; what is longer here was not written by it. */
const LINE_MAX_BYTES = 256 * 1024;
const NEW_LINE = 10;

/** Everything before `offset` of the file with this inode, and the older files. */
export interface LogPosition {
  readonly inode: string;
  readonly offset: number;
}

export interface RawLogLine {
  readonly text: string;
  readonly inode: string;
  /** Of its first byte, and of the byte after its line break. */
  readonly start: number;
  readonly end: number;
}

interface OpenFile {
  readonly handle: FileHandle;
  readonly inode: string;
  readonly size: number;
  readonly changedAt: number;
}

export class LogFiles {
  readonly #files: readonly OpenFile[];
  #bytesRead = 0;

  private constructor(files: readonly OpenFile[]) {
    this.#files = files;
  }

  /** The newest first. A file that is renamed meanwhile is opened once. */
  static async open(folder: string, part: LogPart): Promise<LogFiles> {
    const files: OpenFile[] = [];
    for (const suffix of ROTATED) {
      const file = await openIfThere(join(folder, `${part}.log${suffix}`));
      if (file === null) continue;
      if (files.some(({ inode }) => inode === file.inode)) await file.handle.close();
      else files.push(file);
    }
    return new LogFiles(files);
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** For lines without a time of their own. */
  get changedAt(): number {
    return this.#files[0]?.changedAt ?? 0;
  }

  /** The newest first; nothing where the file of the position is gone, as older ones went before it. */
  async *backwards(from: LogPosition | null): AsyncGenerator<RawLogLine, undefined> {
    const first = from === null ? 0 : this.#files.findIndex(({ inode }) => inode === from.inode);
    if (first < 0) return;
    for (const [at, file] of this.#files.slice(first).entries()) {
      const end = at === 0 && from !== null ? Math.min(from.offset, file.size) : file.size;
      yield* this.#fileBackwards(file, end);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#files.map(({ handle }) => handle.close()));
  }

  async *#fileBackwards({ handle, inode }: OpenFile, end: number): AsyncGenerator<RawLogLine, undefined> {
    let position = end;
    let rest = Buffer.alloc(0);
    // A line without its line break is still being written, or a position lies inside of it: half a line is never shown.
    let isWhole = false;
    while (position > 0) {
      const length = Math.min(BLOCK_BYTES, position);
      position -= length;
      const block = Buffer.alloc(length);
      const { bytesRead } = await handle.read(block, 0, length, position);
      this.#bytesRead += bytesRead;
      let bytes = Buffer.concat([block, rest]);
      for (let before = bytes.lastIndexOf(NEW_LINE); before >= 0; before = bytes.lastIndexOf(NEW_LINE)) {
        if (isWhole && before + 1 < bytes.length) yield lineOf(bytes, inode, { from: before + 1, position });
        isWhole = true;
        // Its line break stays as the end of the line before.
        bytes = bytes.subarray(0, before);
      }
      rest = bytes.length > LINE_MAX_BYTES ? bytes.subarray(0, LINE_MAX_BYTES) : bytes;
    }
    if (isWhole && rest.length > 0) yield lineOf(rest, inode, { from: 0, position: 0 });
  }
}

function lineOf(bytes: Buffer, inode: string, { from, position }: { from: number; position: number }): RawLogLine {
  const text = bytes.toString('utf8', from);
  return { text, inode, start: position + from, end: position + bytes.length + 1 };
}

async function openIfThere(file: string): Promise<OpenFile | null> {
  try {
    // A link that somebody put there leads nowhere.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { ino, size, mtimeMs } = await handle.stat();
    return { handle, inode: String(ino), size, changedAt: Math.round(mtimeMs) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP')) return null;
    throw error;
  }
}
