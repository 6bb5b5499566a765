// The interface by which a recorder reports files to the recordings store while it writes.
import type { IndexRecord } from './index-record.ts';
import type { TrackKey } from './recording-path.ts';

/** The open file as the store reads it: sizes and end grow while it is recorded. */
export interface GrowingFile {
  readonly startMs: number;
  readonly endMs: number;
  readonly mediaBytes: number;
  readonly indexBytes: number;
  /** Of recordings that are on the disk, and whose rows are not yet. */
  readonly recordsAhead: readonly IndexRecord[];
}

export interface RecordingsSink {
  /** Throws StorageUnavailable while nothing may be written (full, missing or wrong folder). */
  folderForWriting(): string;
  /** Throws StorageUnavailable when another process may have taken over since this one last ran; absent where none can. */
  assertHeld?(): void;
  /** Of the time before this process could write again (monotonic, ms): another one has recorded it. */
  isOutdated?(arrivedMs: number): boolean;
  opened(key: TrackKey, file: GrowingFile): void;
  /** Fragments were synced: end and sizes of the file moved on. */
  stored(key: TrackKey, file: GrowingFile): void;
  /** The file takes no more fragments. */
  closed(key: TrackKey, file: GrowingFile): void;
  /** A write, sync or creation failed. */
  failed(error: unknown): void;
}
