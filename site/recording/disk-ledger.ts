// What each recording disk holds, as the site knew it last: so that a disk that is away at the next start is told as away, and deleted cameras are deleted on it once it is back.
import { join } from 'node:path';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import { type Disk, errorCode } from '@vedette/media/recordings/disk.ts';
import type { RecordingDisks } from '@vedette/media/recordings/disks/recording-disks.ts';
import { isChannelId, type TrackKey } from '@vedette/media/recordings/recording-path.ts';

export interface DiskLedgerOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  /** State folder of the site. */
  readonly folder: string;
  readonly onFault: (error: unknown) => void;
}

interface Page {
  readonly tracks: readonly Track[];
  /** Channels whose recordings are to be removed once the disk is back. */
  readonly removals: readonly string[];
}

interface Track extends TrackKey {
  /** Start and end of each stretch, ms, oldest first. */
  readonly ranges: readonly (readonly [number, number])[];
}

const WRITE_EVERY_MS = 60_000;
const NONE: Page = { tracks: [], removals: [] };

export class DiskLedger {
  readonly #options: DiskLedgerOptions;
  readonly #path: string;
  readonly #pages = new Map<string, Page>();
  readonly #writes = new SerialQueue();
  #written = '';
  #writtenMs = Number.NEGATIVE_INFINITY;
  /** Folders that were away at the last look. */
  #away = '';

  constructor(options: DiskLedgerOptions) {
    this.#options = options;
    this.#path = join(options.folder, 'recording-disks.json');
  }

  async load(): Promise<void> {
    try {
      const text = (await this.#options.disk.readWhole(this.#path)).toString();
      for (const [folder, page] of Object.entries(JSON.parse(text) as Record<string, Page>)) {
        this.#pages.set(folder, { tracks: page.tracks.filter(isTrack), removals: page.removals.filter(isChannelId) });
      }
      this.#written = text;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      // It is written anew: only where recordings are that cannot be reached is then unknown.
      this.#options.onFault(error);
    }
  }

  /** Tells a list what the disks held that it has never read. Of the only disk nothing is told as away. */
  tell({ store, disks }: RecordingDisks): void {
    if (disks.length < 2) return;
    for (const { folder, isAway, hasListed } of disks) {
      if (hasListed || !isAway) continue;
      const page = this.#pages.get(folder) ?? NONE;
      for (const { ranges, ...key } of page.tracks) {
        if (page.removals.includes(key.channelId)) continue;
        store.setAwayRanges(
          folder,
          key,
          ranges.map(([startMs, endMs]) => ({ startMs, endMs })),
        );
      }
    }
  }

  /** The channel's recordings are removed from these folders once they can be reached. */
  async removeLater(channelId: string, folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      const { tracks, removals } = this.#pages.get(folder) ?? NONE;
      this.#pages.set(folder, { tracks, removals: [...new Set([...removals, channelId])] });
    }
    await this.#write();
  }

  /** Call with each check of the disks; never rejects. */
  async follow(recordings: RecordingDisks): Promise<void> {
    try {
      await this.#removeAwaited(recordings);
    } catch (error) {
      // The disk went again: what is left is removed when it is back.
      this.#options.onFault(error);
    }
    const away = JSON.stringify(recordings.disks.filter(({ isAway }) => isAway).map(({ folder }) => folder));
    const now = this.#options.clock.monotonicMs();
    if (away === this.#away && now - this.#writtenMs < WRITE_EVERY_MS) return;
    this.#away = away;
    this.#writtenMs = now;
    for (const { folder, hasListed, isAway } of recordings.disks) {
      if (!hasListed || isAway) continue;
      const tracks = recordings.store.rangesOf(folder).map(({ key, ranges }) => ({
        ...key,
        ranges: ranges.map(({ startMs, endMs }) => [Math.round(startMs), Math.round(endMs)] as const),
      }));
      this.#pages.set(folder, { tracks, removals: this.#pages.get(folder)?.removals ?? [] });
    }
    for (const folder of this.#pages.keys()) if (!recordings.folders.includes(folder)) this.#pages.delete(folder);
    await this.#write();
  }

  async #removeAwaited({ disks, store }: RecordingDisks): Promise<void> {
    for (const { folder, isAway } of disks) {
      const page = this.#pages.get(folder);
      if (isAway || !page || page.removals.length === 0) continue;
      for (const channelId of page.removals) await store.removeChannelFrom(folder, channelId);
      this.#pages.set(folder, { ...page, removals: [] });
      await this.#write();
    }
  }

  #write(): Promise<void> {
    return this.#writes.run(async () => {
      const text = JSON.stringify(Object.fromEntries(this.#pages));
      if (text === this.#written) return;
      try {
        await this.#options.disk.replaceFile(this.#path, Buffer.from(text));
        this.#written = text;
      } catch (error) {
        this.#options.onFault(error);
      }
    });
  }
}

function isTrack({ channelId, quality, ranges }: Track): boolean {
  const isRanges = Array.isArray(ranges) && ranges.every((range) => range.every(Number.isFinite));
  return isChannelId(channelId) && [0, 1, 2].includes(quality) && isRanges;
}
