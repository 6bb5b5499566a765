// The interface by which a recorder reports files to the recordings store while it writes.
import type { IndexRecord } from './index-record.ts';
import type { TrackKey } from './recording-path.ts';

/** The open file for the store: size and end grow while recording. */
export interface GrowingFile {
  readonly startMs: number;
  readonly endMs: number;
  readonly mediaBytes: number;
  readonly indexBytes: number;
  /** Records on disk that are not yet in the index. */
  readonly recordsAhead: readonly IndexRecord[];
}

export interface RecordingsSink {
  /** Throws StorageUnavailable while nothing may be written (full, missing or wrong folder). */
  folderForWriting(): string;
  /** Throws StorageUnavailable if another process may have taken over since this one last ran; absent if none can. */
  assertHeld?(): void;
  /** Start of the time (monotonic, ms) since which only this process wrote; before it another one recorded. */
  isOutdated?(arrivedMs: number): boolean;
  opened(key: TrackKey, file: GrowingFile): void;
  /** Fragments were synced: size and end of the file grew. */
  stored(key: TrackKey, file: GrowingFile): void;
  /** The file takes no more fragments. */
  closed(key: TrackKey, file: GrowingFile): void;
  /** A write, sync or creation failed. */
  failed(error: unknown): void;
}
