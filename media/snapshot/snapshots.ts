// Snapshots of live streams and of recorded instants, each made once and cached.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { CodecWorker } from '../codec/codec-worker.ts';
import type { Disk } from '../recordings/disk.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { StreamHub } from '../stream/hub.ts';
import { SnapshotCache } from './snapshot-cache.ts';
import { asImage, type SnapshotImage, type SnapshotRequest, takeSnapshot } from './snapshot.ts';
import { findStoredKeyframe, readStoredKeyframe } from './stored-keyframe.ts';

export interface SnapshotsOptions {
  readonly codec: CodecWorker;
  readonly hub: StreamHub;
  readonly disk: Disk;
  /** Read each time: the store is replaced when the storage folder changes. */
  readonly store: () => RecordingsStore;
  readonly clock: Clock;
  readonly onDeviceFailure: (error: unknown) => void;
}

export interface StoredSnapshot extends SnapshotImage {
  /** Capture time: at or before the requested instant, or slightly after. */
  readonly wallMs: number;
}

export type LiveSnapshotRequest = Pick<SnapshotRequest, 'upstream' | 'deviceSnapshot'> & {
  /** Cache key, so that concurrent requests share one snapshot: device and channel. */
  readonly subject: string;
};

/** A live snapshot is reused this long. */
const LIVE_AGE_MS = 1000;
const CACHE_BYTES = { live: 16 * 1024 * 1024, stored: 32 * 1024 * 1024 } as const;
/** Other waiters need the snapshot even if the first one leaves. */
const MAKING_MS = 15_000;
/** Requested widths are rounded up to one of these, since each width needs a process of its own. */
const WIDTHS = [160, 320, 640, 1280, 3840] as const;

export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #live: SnapshotCache<SnapshotImage>;
  readonly #stored: SnapshotCache<StoredSnapshot>;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    const { clock } = options;
    const monotonicMs = (): number => clock.monotonicMs();
    this.#live = new SnapshotCache({ maxBytes: CACHE_BYTES.live, maxAgeMs: LIVE_AGE_MS, monotonicMs });
    this.#stored = new SnapshotCache({ maxBytes: CACHE_BYTES.stored, maxAgeMs: Infinity, monotonicMs });
  }

  /** The live snapshot; null if there is none (1006). */
  now({ subject, ...request }: LiveSnapshotRequest, width: number): Promise<SnapshotImage | null> {
    const { codec, hub, onDeviceFailure } = this.#options;
    const maxWidth = stepOf(width);
    return this.#live.take(`${subject}/${maxWidth}`, () =>
      takeSnapshot({ ...request, codec, hub, maxWidth, onDeviceFailure, signal: AbortSignal.timeout(MAKING_MS) }),
    );
  }

  /** The recorded keyframe at or just before `atMs`; null where nothing was recorded. `store`: other than our recordings. */
  async at(key: TrackKey, atMs: number, width: number, store = this.#options.store()): Promise<StoredSnapshot | null> {
    const { codec, disk } = this.#options;
    const found = await findStoredKeyframe(store, key, atMs);
    if (!found) return null;
    const maxWidth = stepOf(width);
    const path = store.mediaPath(key, found.fileStartMs);
    return await this.#stored.take(`${path}/${found.record.offset}/${maxWidth}`, async () => {
      const picture = await readStoredKeyframe({ disk, store, key }, found);
      const made = await asImage(codec, picture, maxWidth, AbortSignal.timeout(MAKING_MS));
      return { ...made, wallMs: found.record.wallMs };
    });
  }
}

function stepOf(width: number): number {
  return WIDTHS.find((step) => step >= width) ?? WIDTHS[WIDTHS.length - 1] ?? width;
}
