// Keeps a recording disk that does not answer from holding up the others: each has a share of the threads, and calls that are late fail.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { createDisk, type Disk, type DiskFile } from '../disk.ts';
import { DiskGate } from './disk-gate.ts';

export interface DiskGuardOptions {
  /** Without a limit of syncs: the guard limits them. Absent: the disks of this machine. */
  readonly disk?: Disk;
  readonly clock: Pick<Clock, 'after'>;
  /** Of Node's pool. A call that hangs holds one until the kernel lets it go. */
  readonly threads: number;
}

/** Left to everything but recording disks: state of the site, name look-ups. */
const THREADS_SPARED = 2;

export class DiskGuard {
  /** Of everything that reads or writes files. */
  readonly disk: Disk;
  readonly #options: DiskGuardOptions;
  /** By folder. One that hangs stays when it is no longer a recording disk: its threads are still held. */
  readonly #gates = new Map<string, DiskGate>();
  readonly #syncs: Semaphore;

  constructor(options: DiskGuardOptions) {
    this.#options = options;
    this.#syncs = new Semaphore({ places: halfOf(options.threads) });
    this.disk = this.#guarded(options.disk ?? createDisk({ syncsAtOnce: options.threads }));
  }

  /** The recording disks from now on. A single one is not guarded: while it hangs, there is no other. */
  watch(folders: readonly string[]): void {
    const watched = folders.length < 2 ? [] : folders;
    for (const [folder, gate] of this.#gates) {
      if (!watched.includes(folder) && !gate.isHanging) this.#gates.delete(folder);
    }
    const calls = Math.max(1, Math.floor((this.#options.threads - THREADS_SPARED) / watched.length));
    for (const folder of watched) {
      const known = this.#gates.get(folder);
      if (known?.calls === calls) continue;
      // Calls under way end behind the gate that they went through.
      if (known?.isHanging !== true) this.#gates.set(folder, new DiskGate({ clock: this.#options.clock, calls }));
    }
  }

  #guarded(disk: Disk): Disk {
    const at = <T>(path: string, work: () => Promise<T>): Promise<T> => {
      const gate = this.#gateOf(path);
      return gate === null ? work() : gate.run(work);
    };
    const file = async (path: string, open: () => Promise<DiskFile>): Promise<DiskFile> => {
      const gate = this.#gateOf(path);
      if (gate === null) return unguardedFile(await open(), this.#syncs);
      return guardedFile(await gate.run(open, { late: (opened) => opened.close() }), gate);
    };
    return {
      createFile: (path) => file(path, () => disk.createFile(path)),
      openFile: (path, access) => file(path, () => disk.openFile(path, access)),
      readWhole: (path) => at(path, () => disk.readWhole(path)),
      replaceFile: (path, bytes) => at(path, () => disk.replaceFile(path, bytes)),
      renameFile: (from, to) => at(to, () => disk.renameFile(from, to)),
      appendLine: (path, bytes) => at(path, () => disk.appendLine(path, bytes)),
      makeFolder: (path) => at(path, () => disk.makeFolder(path)),
      syncFolder: (path) => at(path, () => disk.syncFolder(path)),
      list: (path) => at(path, () => disk.list(path)),
      sizeOf: (path) => at(path, () => disk.sizeOf(path)),
      identify: (path) => at(path, () => disk.identify(path)),
      removeFile: (path) => at(path, () => disk.removeFile(path)),
      removeEmptyFolder: (path) => at(path, () => disk.removeEmptyFolder(path)),
      removeTree: async (path) => {
        // Many days of a camera take longer than any bound.
        this.#gateOf(path)?.assertAnswers();
        await disk.removeTree(path);
      },
      space: (path) => at(path, () => disk.space(path)),
    };
  }

  #gateOf(path: string): DiskGate | null {
    for (const [folder, gate] of this.#gates) {
      if (path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)) return gate;
    }
    return null;
  }
}

function unguardedFile(file: DiskFile, syncs: Semaphore): DiskFile {
  return {
    writeAll: (buffers, position) => file.writeAll(buffers, position),
    read: (buffer, position) => file.read(buffer, position),
    sync: () => syncs.run(() => file.sync()),
    truncate: (length) => file.truncate(length),
    size: () => file.size(),
    close: () => file.close(),
  };
}

function guardedFile(file: DiskFile, gate: DiskGate): DiskFile {
  return {
    writeAll: (buffers, position) => gate.run(() => file.writeAll(buffers, position)),
    read: (buffer, position) => gate.run(() => file.read(buffer, position)),
    sync: () => gate.sync(() => file.sync()),
    truncate: (length) => gate.run(() => file.truncate(length)),
    size: () => gate.run(() => file.size()),
    close: () => gate.run(() => file.close(), { isOwed: true }),
  };
}

function halfOf(threads: number): number {
  return Math.max(2, Math.floor(threads / 2));
}
