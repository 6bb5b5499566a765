// The storage folder of recordings: verifies its identity and that it is writable before recording, and monitors both.
import { join } from 'node:path';
import type { StorageReason } from '@vedette/contract/enumerations.ts';
import { type Disk, errorCode } from './disk.ts';

const IDENTITY_NAME = 'vedette-storage.json';
const PROBE_NAME = '.write-probe';
const PROBE_BYTES = 4096;

export type StorageState = 'normal' | 'full' | 'failing' | 'missing';

export interface StorageCondition {
  readonly state: StorageState;
  /** Null while normal. */
  readonly reason: StorageReason | null;
}

export const NORMAL: StorageCondition = { state: 'normal', reason: null };

/** Writing is not possible now; `condition` says why. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  readonly condition: StorageCondition;

  constructor(condition: StorageCondition) {
    super(`storage is ${condition.state} (${condition.reason})`);
    this.condition = condition;
  }
}

export interface StorageFolderOptions {
  readonly disk: Disk;
  readonly folder: string;
  /** Identity of this folder at its earlier use; null the first time. */
  readonly knownId: string | null;
  readonly newId: () => string;
  /** Whether another folder of the site has that identity: it may be mounted here now. */
  readonly isOurs?: (storageId: string) => boolean;
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

  /** Identity to store with the folder's path. */
  get id(): string | null {
    return this.#id;
  }

  /** Marks the folder at first use; later refuses one without its identity (an empty mount point, another disk). */
  async open(): Promise<StorageCondition> {
    const { disk, newId } = this.#options;
    try {
      if (this.#id === null) {
        await disk.makeFolder(this.folder);
        const found = await this.#readIdentity();
        const id = found ?? newId();
        if (found === null) {
          const identity = `${JSON.stringify({ product: 'vedette', storageId: id })}\n`;
          await disk.replaceFile(join(this.folder, IDENTITY_NAME), Buffer.from(identity));
          await disk.syncFolder(this.folder);
        }
        // Marked only after a successful write: otherwise an unwritable folder would be refused for ever.
        this.#id = id;
      } else {
        const found = await this.#readIdentity();
        const isMoved = found !== null && (this.#options.isOurs?.(found) ?? false);
        if (found !== this.#id && !isMoved) return { state: 'missing', reason: await this.#whyNotOurs(found) };
        this.#id = found;
      }
      this.#place = await disk.identify(this.folder);
      return await this.probe();
    } catch (error) {
      return conditionOf(error);
    }
  }

  /** Cheap check whether it is still the same folder: after an unmount another one has the same path. */
  async isSamePlace(): Promise<boolean> {
    return this.#place !== null && (await this.#options.disk.identify(this.folder)) === this.#place;
  }

  /** Writes, syncs and removes a small file. */
  async probe(): Promise<StorageCondition> {
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
      return NORMAL;
    } catch (error) {
      return conditionOf(error);
    }
  }

  /** An empty mount point has no identity, another disk has another. */
  async #whyNotOurs(found: string | null): Promise<StorageReason> {
    return found === null && (await this.#options.disk.list(this.folder)).length === 0 ? 'absent' : 'notOurs';
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

const ABSENT: StorageCondition = { state: 'missing', reason: 'absent' };
const FULL: StorageCondition = { state: 'full', reason: 'othersFull' };
const DENIED: StorageCondition = { state: 'failing', reason: 'denied' };
/** By the code of a system error. */
const CONDITIONS: ReadonlyMap<string | null, StorageCondition> = new Map([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['ENOENT', ABSENT],
  ['ENODEV', ABSENT],
  ['ENOTDIR', ABSENT],
  ['ESTALE', ABSENT],
  ['ETIMEDOUT', { state: 'failing', reason: 'hangs' }],
  ['EROFS', { state: 'failing', reason: 'readOnly' }],
  ['EACCES', DENIED],
  ['EPERM', DENIED],
]);

export function conditionOf(error: unknown): StorageCondition {
  if (error instanceof StorageUnavailable) return error.condition;
  return CONDITIONS.get(errorCode(error)) ?? { state: 'failing', reason: 'refused' };
}
