// Power-cut simulation without a mounted image: beside real files, a copy with synced data alone.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createDisk, type Disk, type DiskFile } from '@vedette/media/recordings/disk.ts';

/**
 * Harsher than a journal: a line appended without a sync is never there, a file only as long as it was when its last sync began. Names
 * come with the first sync of their file, as ext4 and XFS have it.
 */
export class SyncedDisk {
  readonly folder: string;
  readonly disk: Disk;
  readonly #root: string;
  readonly #synced: string;

  constructor() {
    this.#root = mkdtempSync(join(tmpdir(), 'synced-'));
    this.folder = join(this.#root, 'disk');
    this.#synced = join(this.#root, 'synced');
    for (const folder of [this.folder, this.#synced]) mkdirSync(folder);
    const real = createDisk();
    this.disk = {
      ...real,
      createFile: async (path) => this.#wrap(path, await real.createFile(path), 0),
      openFile: async (path, access) => {
        const file = await real.openFile(path, access);
        return this.#wrap(path, file, await file.size());
      },
      replaceFile: async (path, bytes) => {
        await real.replaceFile(path, bytes);
        this.#keep(path, bytes);
      },
      removeFile: async (path) => {
        await real.removeFile(path);
        rmSync(this.#copyOf(path), { force: true });
      },
      removeTree: async (path) => {
        await real.removeTree(path);
        rmSync(this.#copyOf(path), { recursive: true, force: true });
      },
    };
  }

  /** The folder as a machine would find it after a cut now; the caller removes it. */
  cut(): string {
    const folder = mkdtempSync(join(tmpdir(), 'cut-'));
    cpSync(this.#synced, folder, { recursive: true });
    return folder;
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #wrap(path: string, file: DiskFile, size: number): DiskFile {
    let written = size;
    return {
      read: (buffer, at) => file.read(buffer, at),
      size: () => file.size(),
      close: () => file.close(),
      truncate: async (length) => {
        await file.truncate(length);
        written = length;
      },
      writeAll: async (buffers, at) => {
        await file.writeAll(buffers, at);
        written = Math.max(written, at + buffers.reduce((sum, one) => sum + one.length, 0));
      },
      sync: async () => {
        const begun = written;
        await file.sync();
        this.#keep(path, readFileSync(path).subarray(0, begun));
      },
    };
  }

  #keep(path: string, bytes: Uint8Array): void {
    const copy = this.#copyOf(path);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, bytes);
  }

  #copyOf(path: string): string {
    return join(this.#synced, relative(this.folder, path));
  }
}
