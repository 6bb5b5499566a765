// The folder recordings live in: proves it is the right one and writable before anything is recorded, and watches that it stays so.
import { join } from 'node:path';
import { type Disk, errorCode } from './disk.ts';

const IDENTITY_NAME = 'vedette-storage.json';
const PROBE_NAME = '.write-probe';
const PROBE_BYTES = 4096;

export type StorageState = 'normal' | 'full' | 'failing' | 'missing';

/** Nothing may be written at present; `state` says why. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  readonly state: StorageState;

  constructor(state: StorageState) {
    super(`storage is ${state}`);
    this.state = state;
  }
}

export interface StorageFolderOptions {
  readonly disk: Disk;
  readonly folder: string;
  /** Identity this folder had when it was used before; null the first time. */
  readonly knownId: string | null;
  readonly newId: () => string;
}

export class StorageFolder {
  readonly folder: string;
  readonly #options: StorageFolderOptions;
  #id: string | null;
  #place: string | null = null;

  constructor(options: StorageFolderOptions) {
    this.#options = options;
    this.folder = options.folder;
    this.#id = options.knownId;
  }

  /** Identity to remember beside the folder's name. */
  get id(): string | null {
    return this.#id;
  }

  /** Makes the folder its own the first time; afterwards refuses one without its identity (an empty mount point, another disk). */
  async open(): Promise<StorageState> {
    const { disk, newId } = this.#options;
    try {
      if (this.#id === null) {
        await disk.makeFolder(this.folder);
        const found = await this.#readIdentity();
        this.#id = found ?? newId();
        if (found === null) {
          const identity = `${JSON.stringify({ product: 'vedette', storageId: this.#id })}\n`;
          await disk.replaceFile(join(this.folder, IDENTITY_NAME), Buffer.from(identity));
          await disk.syncFolder(this.folder);
        }
      } else if ((await this.#readIdentity()) !== this.#id) return 'missing';
      this.#place = await disk.identify(this.folder);
      return await this.probe();
    } catch (error) {
      return stateOf(error);
    }
  }

  /** Cheap look whether the folder is still the same place: an unmount leaves another folder under the same name. */
  async isSamePlace(): Promise<boolean> {
    return this.#place !== null && (await this.#options.disk.identify(this.folder)) === this.#place;
  }

  /** Writes, syncs and removes a small file. */
  async probe(): Promise<StorageState> {
    const { disk } = this.#options;
    const path = join(this.folder, PROBE_NAME);
    try {
      await disk.removeFile(path);
      const file = await disk.createFile(path);
      try {
        await file.writeAll([Buffer.alloc(PROBE_BYTES, 0x5a)], 0);
        await file.sync();
      } finally {
        await file.close();
      }
      await disk.removeFile(path);
      return 'normal';
    } catch (error) {
      return stateOf(error);
    }
  }

  async #readIdentity(): Promise<string | null> {
    try {
      const text = (await this.#options.disk.readWhole(join(this.folder, IDENTITY_NAME))).toString('utf8');
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed === 'object' && parsed !== null && 'storageId' in parsed) return String(parsed.storageId);
      return null;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
      throw error;
    }
  }
}

export function stateOf(error: unknown): StorageState {
  const code = errorCode(error);
  if (error instanceof StorageUnavailable) return error.state;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  if (code === 'ENOENT' || code === 'ENODEV' || code === 'ENOTDIR' || code === 'ESTALE') return 'missing';
  return 'failing';
}
