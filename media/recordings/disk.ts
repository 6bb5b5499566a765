// Disk access of recorder and recordings: the one file of this room that uses node:fs, and where tests inject faults.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { constants, fdatasync, writev } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
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
  /** Fails with EEXIST if the name exists. */
  createFile(path: string): Promise<DiskFile>;
  /** Fails with NotAFile for symbolic links, FIFOs, device nodes, sockets and folders, and never blocks on one. */
  openFile(path: string, access: 'read' | 'write'): Promise<DiskFile>;
  /** As `openFile`; fails with NotAFile for more than `WHOLE_MAX_BYTES` too. */
  readWhole(path: string): Promise<Buffer>;
  /** Atomic: written to a temporary file, synced, renamed. */
  replaceFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Atomic, within one file system. Replaces a file of that name; durable after `syncFolder`. */
  renameFile(from: string, to: string): Promise<void>;
  /** Moves anything but a file out of the way first. */
  appendLine(path: string, bytes: Uint8Array): Promise<void>;
  makeFolder(path: string): Promise<void>;
  /** Makes created and removed names durable. */
  syncFolder(path: string): Promise<void>;
  /** Empty when the folder does not exist. */
  list(path: string): Promise<readonly DiskEntry[]>;
  /** Size of a file; 0 for anything else, null if nothing is there. */
  sizeOf(path: string): Promise<number | null>;
  /** Device and inode, or null when nothing is there. */
  identify(path: string): Promise<string | null>;
  /** A folder of that name stays. */
  removeFile(path: string): Promise<void>;
  /** Only when it is empty; false otherwise. */
  removeEmptyFolder(path: string): Promise<boolean>;
  removeTree(path: string): Promise<void>;
  space(path: string): Promise<{ freeBytes: number; totalBytes: number }>;
}

export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The name belongs to something that is no file: it is not opened. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';
}

/** Far larger than any index, catalog or list of ours; bounds memory. */
const WHOLE_MAX_BYTES = 64 * 1024 * 1024;
/** A FIFO without a writer would block a thread of Node's pool for ever, a symbolic link may lead anywhere. */
const OWN_FILE = constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** open(2) on a symbolic link, a FIFO without a reader, a device without a driver, a socket, a folder. */
const NOT_A_FILE = new Set(['ELOOP', 'ENXIO', 'ENODEV', 'EISDIR', 'EOPNOTSUPP']);

export interface DiskOptions {
  /**
   * Parallel syncs. Each holds a thread of Node's pool; without a limit they would hold all of them, and writes would
   * wait behind syncs.
   */
  readonly syncsAtOnce?: number;
}

const SYNCS_AT_ONCE = 2;

export function createDisk({ syncsAtOnce = SYNCS_AT_ONCE }: DiskOptions = {}): Disk {
  const syncs = new Semaphore({ places: syncsAtOnce });
  return {
    createFile: async (path) => new HandleFile(await open(path, 'wx+', 0o640), syncs),
    openFile: async (path, access) => {
      const flags = access === 'read' ? constants.O_RDONLY : constants.O_RDWR;
      return new HandleFile(await openRegular(path, flags), syncs);
    },
    readWhole,
    replaceFile,
    renameFile: rename,
    appendLine,
    makeFolder,
    syncFolder,
    list,
    sizeOf: async (path) => {
      const found = await absentAsNull(lstat(path));
      return found && (found.isFile() ? found.size : 0);
    },
    identify: async (path) => {
      const found = await absentAsNull(stat(path));
      return found ? `${found.dev}:${found.ino}` : null;
    },
    removeFile,
    removeEmptyFolder,
    // A writer that was told to end may still add a file: the folder is emptied again.
    removeTree: (path) => rm(path, { recursive: true, force: true, maxRetries: 5 }),
    space: async (path) => {
      const found = await statfs(path);
      return { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize };
    },
  };
}

/** Uses the callbacks of node:fs for writes and syncs: FileHandle costs several times as much. */
class HandleFile implements DiskFile {
  readonly #handle: FileHandle;
  readonly #syncs: Semaphore;
  /** Pending calls: a descriptor must not be reused before they have ended. */
  #underWay = 0;
  #whenIdle: (() => void) | null = null;

  constructor(handle: FileHandle, syncs: Semaphore) {
    this.#handle = handle;
    this.#syncs = syncs;
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

  /** Bytes accepted by the system. */
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
    return this.#syncs.run(async () => {
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

/** Not mkdir with `recursive`: under /proc it never returns. */
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

async function openRegular(path: string, flags: number, mode?: number): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(path, flags | OWN_FILE, mode);
  } catch (error) {
    if (NOT_A_FILE.has(errorCode(error) ?? ''))
      throw new NotAFile('something else has the name of a file', { cause: error });
    throw error;
  }
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw new NotAFile('something else has the name of a file');
}

async function readWhole(path: string): Promise<Buffer> {
  const handle = await openRegular(path, constants.O_RDONLY);
  try {
    const { size } = await handle.stat();
    if (size > WHOLE_MAX_BYTES) throw new NotAFile('larger than any file that is read whole');
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function removeFile(path: string): Promise<void> {
  try {
    await absentAsNull(unlink(path));
  } catch (error) {
    // EPERM is POSIX for a folder; Linux returns EISDIR.
    const code = errorCode(error);
    if ((code !== 'EISDIR' && code !== 'EPERM') || !(await absentAsNull(lstat(path)))?.isDirectory()) throw error;
  }
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}.new`;
  // Left by a killed process; a link placed there by somebody else must not be followed.
  await absentAsNull(unlink(beside));
  const handle = await open(beside, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(beside, path);
}

async function appendLine(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await openToAppend(path);
  try {
    await handle.write(bytes);
  } finally {
    await handle.close();
  }
}

async function openToAppend(path: string): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  try {
    return await openRegular(path, flags, 0o640);
  } catch (error) {
    if (!(error instanceof NotAFile)) throw error;
    await rename(path, `${path}.not-a-file`);
    return await openRegular(path, flags, 0o640);
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
