// Storage of exports: <storage>/.exports/<task>/ with request and state, the file and its manifest.
import { join } from 'node:path';
import type { ExportOrder, SiteExport } from '@vedette/contract/site/site-export.ts';
import { type Disk, errorCode } from '../recordings/disk.ts';

/** No valid channel id: the scan of recordings skips it. */
const FOLDER = '.exports';
const TASK_ID = /^[A-Za-z0-9]{1,64}$/;

/** State kept over restarts. Only a `finished` task has a file to download. */
export interface StoredExport {
  readonly order: ExportOrder;
  readonly report: SiteExport;
}

export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

export class ExportStore {
  readonly #disk: Disk;
  readonly #folder: string;

  /** `storage`: the folder of the recordings, so that exports share its disk and its reserve. */
  constructor(disk: Disk, storage: string) {
    this.#disk = disk;
    this.#folder = join(storage, FOLDER);
  }

  dataPath(taskId: string): string {
    return join(this.#task(taskId), 'export.data');
  }

  manifestPath(taskId: string): string {
    return join(this.#task(taskId), 'manifest.json');
  }

  /** Frames that a burn-in encoded, until they stand in the export. */
  encodedPath(taskId: string): string {
    return join(this.#task(taskId), 'encoded.data');
  }

  folderOf(taskId: string): string {
    return this.#task(taskId);
  }

  /** Durable when it resolves. */
  async save(stored: StoredExport): Promise<void> {
    const folder = this.#task(stored.order.taskId);
    await this.#disk.makeFolder(folder);
    await this.#disk.replaceFile(join(folder, 'task.json'), Buffer.from(JSON.stringify(stored)));
    await this.#disk.syncFolder(folder);
  }

  async saveManifest(taskId: string, manifest: Buffer): Promise<void> {
    await this.#disk.replaceFile(this.manifestPath(taskId), manifest);
  }

  /** Folders without a readable task are removed. */
  async load(): Promise<StoredExport[]> {
    const found: StoredExport[] = [];
    for (const { name, isFolder } of await this.#disk.list(this.#folder)) {
      if (!isFolder || !isTaskId(name)) continue;
      const stored = await this.#read(name);
      if (stored) found.push(stored);
      else await this.remove(name);
    }
    return found.sort((a, b) => a.order.createdAt - b.order.createdAt);
  }

  async removeData(taskId: string): Promise<void> {
    await this.#disk.removeFile(this.dataPath(taskId));
    await this.#disk.removeFile(this.encodedPath(taskId));
    await this.#disk.removeFile(this.manifestPath(taskId));
  }

  async remove(taskId: string): Promise<void> {
    await this.#disk.removeTree(this.#task(taskId));
  }

  async #read(taskId: string): Promise<StoredExport | null> {
    try {
      const text = (await this.#disk.readWhole(join(this.#task(taskId), 'task.json'))).toString('utf8');
      const stored = JSON.parse(text) as StoredExport;
      return stored.order.taskId === taskId ? stored : null;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  #task(taskId: string): string {
    if (!isTaskId(taskId)) throw new RangeError('a task id with other than letters and digits');
    return join(this.#folder, taskId);
  }
}
