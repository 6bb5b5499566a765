// Objects that are to be deleted from their stores: kept on the disk until the store has deleted them.
import { join } from 'node:path';
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import { type Disk, errorCode } from '@vedette/media/recordings/disk.ts';

export interface ObjectDeletion {
  readonly storeId: string;
  readonly key: string;
}

export interface ObjectDeletionsOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly onFault: (error: unknown) => void;
}

export class ObjectDeletions {
  readonly #options: ObjectDeletionsOptions;
  readonly #path: string;
  readonly #writes = new SerialQueue();
  readonly #waiting = new Map<string, ObjectDeletion>();

  constructor(options: ObjectDeletionsOptions) {
    this.#options = options;
    this.#path = join(options.folder, 'object-deletions.json');
  }

  get waiting(): readonly ObjectDeletion[] {
    return [...this.#waiting.values()];
  }

  async load(): Promise<void> {
    const { disk, onFault } = this.#options;
    try {
      const kept = JSON.parse((await disk.readWhole(this.#path)).toString()) as ObjectDeletion[];
      for (const one of kept) this.#waiting.set(nameOf(one), one);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') onFault(error);
    }
  }

  /** On the disk when it resolves. */
  async add(deletions: readonly ObjectDeletion[]): Promise<void> {
    for (const one of deletions) this.#waiting.set(nameOf(one), one);
    if (deletions.length > 0) await this.#save();
  }

  async done(deletions: readonly ObjectDeletion[]): Promise<void> {
    for (const one of deletions) this.#waiting.delete(nameOf(one));
    if (deletions.length > 0) await this.#save();
  }

  #save(): Promise<void> {
    return this.#writes.run(async () => {
      await this.#options.disk.replaceFile(this.#path, Buffer.from(JSON.stringify(this.waiting)));
    });
  }
}

function nameOf({ storeId, key }: ObjectDeletion): string {
  return `${storeId}/${key}`;
}
