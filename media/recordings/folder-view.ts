// What one storage folder knows of the others of its site, and what retention sees of it: it removes nothing elsewhere, and knows what a channel takes everywhere.
import type { TrackNote } from './gaps/track-notes.ts';
import type { RecordedFile } from './recorded-track.ts';
import type { TrackKey } from './recording-path.ts';
import type { RecordingsStore } from './recordings-store.ts';
import type { IsKept, Removable, RetentionStore } from './retention.ts';

/** What several folders of one site have in common. */
export interface SharedFolders {
  readonly store: RecordingsStore;
  /** Whether another folder of the site has that identity: it may be mounted here now. */
  readonly isOurs: (storageId: string) => boolean;
  /** The files of the folder were listed, but for those that another folder has too. */
  readonly onListed: (twice: readonly Removable[]) => void;
  readonly onAway: () => void;
  /** Whether the site has no other folder. */
  readonly isOnly: () => boolean;
  /** Whether another folder takes recordings now. */
  readonly hasOther: (folder: string) => boolean;
  /** Whether the file is on its way to another folder: retention leaves it until it is there. */
  readonly isMoving: (key: TrackKey, startMs: number) => boolean;
}

export class FolderView implements RetentionStore {
  readonly #store: RecordingsStore;
  readonly #folder: string;
  readonly #isMoving: (key: TrackKey, startMs: number) => boolean;

  /** `isMoving`: files that another folder is about to have are left to whoever moves them. */
  constructor(
    store: RecordingsStore,
    folder: string,
    isMoving: (key: TrackKey, startMs: number) => boolean = () => false,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#isMoving = isMoving;
  }

  get usedBytes(): number {
    return this.#store.usedBytesOf(this.#folder);
  }

  oldestOfEach(isKept: IsKept): readonly Removable[] {
    return this.#store.oldestOfEach((key, file) => this.#isOut(key, file) || isKept(key, file));
  }

  finishedByTrack(isKept: IsKept): Iterable<readonly Removable[]> {
    return this.#store.finishedByTrack((key, file) => this.#isOut(key, file) || isKept(key, file));
  }

  channelUsage(): ReadonlyMap<string, number> {
    return this.#store.channelUsage();
  }

  isOldestOfChannel({ key, file }: Removable, isKept: IsKept): boolean {
    const older = this.#store.oldestOfEach(
      (other, one) => other.channelId !== key.channelId || one.startMs >= file.startMs || isKept(other, one),
    );
    return older.length === 0;
  }

  hasFinished(): boolean {
    const finished = this.#store.oldestOfEach((_, file) => this.#isElsewhere(file) || file.mediaBytes === 0);
    return finished.length > 0;
  }

  async remove(key: TrackKey, startMs: number): Promise<void> {
    await this.#store.remove(key, startMs);
  }

  note(key: TrackKey, note: TrackNote): boolean {
    return this.#store.note(key, note);
  }

  #isOut(key: TrackKey, file: RecordedFile): boolean {
    return this.#isElsewhere(file) || this.#isMoving(key, file.startMs);
  }

  #isElsewhere({ folder }: RecordedFile): boolean {
    return folder !== undefined && folder !== this.#folder;
  }
}
