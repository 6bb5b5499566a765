// What recorder and recordings do on the disk: the one file of this room that touches node:fs, and the seam where tests plant faults.
import { constants, fdatasync, writev } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises';
import { dirname } from 'node:path';

export interface DiskFile {
  /** All buffers in order at `position`; a short write is continued. */
  writeAll(buffers: readonly Uint8Array[], position: number): Promise<void>;
  /** Bytes read; fewer than asked only at the end of the file. */
  read(buffer: Buffer, position: number): Promise<number>;
  /** fdatasync. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface DiskEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface Disk {
  /** Fails with EEXIST when the name is taken. */
  createFile(path: string): Promise<DiskFile>;
  openFile(path: string, access: 'read' | 'write'): Promise<DiskFile>;
  readWhole(path: string): Promise<Buffer>;
  /** Written beside, synced, renamed over. */
  replaceFile(path: string, bytes: Uint8Array): Promise<void>;
  appendLine(path: string, bytes: Uint8Array): Promise<void>;
  makeFolder(path: string): Promise<void>;
  /** Makes created and removed names durable. */
  syncFolder(path: string): Promise<void>;
  /** Empty when the folder does not exist. */
  list(path: string): Promise<readonly DiskEntry[]>;
  /** Bytes of a file, or null when nothing is there. */
  sizeOf(path: string): Promise<number | null>;
  /** Device and inode, or null when nothing is there. */
  identify(path: string): Promise<string | null>;
  removeFile(path: string): Promise<void>;
  /** Only when it is empty; false otherwise. */
  removeEmptyFolder(path: string): Promise<boolean>;
  removeTree(path: string): Promise<void>;
  space(path: string): Promise<{ freeBytes: number; totalBytes: number }>;
}

export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export interface DiskOptions {
  /**
   * Syncs at a time. Each holds a thread of Node's pool for as long as the disk takes; without a bound they would
   * hold all of them, and writes would wait behind syncs.
   */
  readonly syncsAtOnce?: number;
}

const SYNCS_AT_ONCE = 2;

export function createDisk({ syncsAtOnce = SYNCS_AT_ONCE }: DiskOptions = {}): Disk {
  const gate = new SyncGate(syncsAtOnce);
  return {
    createFile: async (path) => new HandleFile(await open(path, 'wx+', 0o640), gate),
    openFile: async (path, access) => new HandleFile(await open(path, access === 'read' ? 'r' : 'r+'), gate),
    readWhole: (path) => readFile(path),
    replaceFile,
    appendLine,
    makeFolder,
    syncFolder,
    list,
    sizeOf: async (path) => (await absentAsNull(stat(path)))?.size ?? null,
    identify: async (path) => {
      const found = await absentAsNull(stat(path));
      return found ? `${found.dev}:${found.ino}` : null;
    },
    removeFile: async (path) => {
      await absentAsNull(unlink(path));
    },
    removeEmptyFolder,
    removeTree: (path) => rm(path, { recursive: true, force: true }),
    space: async (path) => {
      const found = await statfs(path);
      return { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize };
    },
  };
}

/** Lets a few run, the others wait in order. */
class SyncGate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  async run(work: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    try {
      await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Writes and syncs go by the callbacks of node:fs: a FileHandle's own cost several times as much on their way. */
class HandleFile implements DiskFile {
  readonly #handle: FileHandle;
  readonly #gate: SyncGate;
  /** Calls under way: their number must not be given to another file before they are over. */
  #underWay = 0;
  #whenIdle: (() => void) | null = null;

  constructor(handle: FileHandle, gate: SyncGate) {
    this.#handle = handle;
    this.#gate = gate;
  }

  async writeAll(buffers: readonly Uint8Array[], position: number): Promise<void> {
    let left = 0;
    for (const { length } of buffers) left += length;
    if (left === 0) return;
    let written = await this.#write(buffers, position);
    if (written === left) return;
    const whole = Buffer.concat(buffers);
    while (written < left) written += await this.#write([whole.subarray(written)], position + written);
  }

  /** Bytes that the system took. */
  #write(buffers: readonly Uint8Array[], position: number): Promise<number> {
    return this.#call((done) => writev(this.#handle.fd, buffers, position, done));
  }

  async read(buffer: Buffer, position: number): Promise<number> {
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  }

  sync(): Promise<void> {
    return this.#gate.run(async () => {
      await this.#call((done) => fdatasync(this.#handle.fd, done));
    });
  }

  truncate(length: number): Promise<void> {
    return this.#handle.truncate(length);
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async close(): Promise<void> {
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    await this.#handle.close();
  }

  #call(begin: (done: (error: Error | null, count?: number) => void) => void): Promise<number> {
    return new Promise((resolve, reject) => {
      begin((error, count = 0) => {
        this.#underWay -= 1;
        if (this.#underWay === 0) this.#whenIdle?.();
        if (error) reject(error);
        else resolve(count);
      });
      this.#underWay += 1;
    });
  }
}

/** Not `recursive` of mkdir: under /proc that one never returns. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o750 });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || (await absentAsNull(stat(parent)))) throw error;
    await makeFolder(parent);
    await makeFolder(path);
  }
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}.new`;
  const handle = await open(beside, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(beside, path);
}

async function appendLine(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'a', 0o640);
  try {
    await handle.write(bytes);
  } finally {
    await handle.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function list(path: string): Promise<readonly DiskEntry[]> {
  const found = await absentAsNull(readdir(path, { withFileTypes: true }));
  return (found ?? []).map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

async function removeEmptyFolder(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    if (code === 'ENOENT') return true;
    throw error;
  }
}

async function absentAsNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
