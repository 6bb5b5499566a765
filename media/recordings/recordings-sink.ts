// The interface by which a recorder reports files to the recordings store while it writes.
import type { IndexRecord } from './index-record.ts';
import type { TrackKey } from './recording-path.ts';

/** The open file for the store: size and end grow while recording. */
export interface GrowingFile {
  readonly startMs: number;
  readonly endMs: number;
  readonly mediaBytes: number;
  readonly indexBytes: number;
  /** Its storage folder; absent: there is only one. */
  readonly folder?: string;
  /** Records on disk that are not yet in the index. */
  readonly recordsAhead: readonly IndexRecord[];
}

export interface RecordingsSink {
  /**
   * Folder for a file that starts at `wallMs`. Throws StorageUnavailable while nothing may be written (full, missing or
   * wrong folder).
   */
  folderForWriting(key: TrackKey, wallMs: number): string;
  /** False: another folder takes what follows the next keyframe. Absent: there is only one folder. */
  takesMore?(folder: string): boolean;
  /** Whether the track has a file of that start, in whatever folder. Absent: there is only one folder. */
  has?(key: TrackKey, startMs: number): boolean;
  /** Throws StorageUnavailable if another process may have taken over since this one last ran; absent if none can. */
  assertHeld?(folder: string): void;
  /** Start of the time (monotonic, ms) since which only this process wrote; before it another one recorded. */
  isOutdated?(arrivedMs: number): boolean;
  opened(key: TrackKey, file: GrowingFile): void;
  /** Fragments were synced: size and end of the file grew. */
  stored(key: TrackKey, file: GrowingFile): void;
  /** The file takes no more fragments. */
  closed(key: TrackKey, file: GrowingFile): void;
  /** A write, sync or creation failed in a folder; null: before one was chosen. */
  failed(error: unknown, folder: string | null): void;
}
