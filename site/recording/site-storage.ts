// The site's recording storage: checked every few seconds, replaced when the operator names another folder.
import type { DeviceAssignment, RecordOrder, SiteSettings, StorageHealth } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { RetentionLocks } from '@vedette/media/recordings/retention-locks.ts';
import { Recordings, type RecordingsLog } from '@vedette/media/recordings/recordings.ts';
import type { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { CopyRules } from '@vedette/media/recordings/retention.ts';
import type { WriterFacts } from '@vedette/media/recordings/writer-lease.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { AssignmentCache } from '../state/assignment-cache.ts';
import type { SeenLog } from '../state/seen-log.ts';
import { randomHex } from '@vedette/foundation/random/random-numbers.ts';

export interface SiteStorageOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly cache: AssignmentCache;
  readonly writer: WriterFacts;
  readonly defaultFolder: string;
  /** Copies in object stores, for the retention of a folder. */
  readonly copiesOf: (folder: string, store: () => RecordingsStore) => CopyRules;
  /** What was seen in the pictures of channels. */
  readonly seen: Pick<SeenLog, 'isEmpty'>;
  readonly log: RecordingsLog;
}

interface Keeping {
  readonly retentionDays: number;
  readonly quotaBytes: number | null;
  readonly empty: NonNullable<RecordOrder['empty']> | null;
}

const CHECK_EVERY_MS = 3000;
const CHECK_BROKEN_EVERY_MS = 1000;
/** Until the server has sent its settings only a full disk removes recordings. */
const UNSET_LIMITS = { budgetBytes: Number.MAX_SAFE_INTEGER, reserveBytes: 256 * 1024 * 1024 };

export class SiteStorage {
  readonly #options: SiteStorageOptions;
  #recordings: Recordings;
  #keeping = new Map<string, Keeping>();
  #locks = new RetentionLocks();
  #isNeeded: (channelId: string, startMs: number, endMs: number) => boolean = () => false;
  #cancelCheck: () => void = () => undefined;
  #isClosed = false;

  constructor(options: SiteStorageOptions) {
    this.#options = options;
    this.#recordings = this.create(options.cache.settings);
  }

  get recordings(): Recordings {
    return this.#recordings;
  }

  get limits(): SiteSettings['storage'] | typeof UNSET_LIMITS {
    return this.#options.cache.settings?.storage ?? UNSET_LIMITS;
  }

  health(): StorageHealth {
    return this.#recordings.health();
  }

  async start(): Promise<void> {
    await this.#check();
  }

  /** Recorders must be closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelCheck();
    await this.#recordings.close();
  }

  /** How long and how much of each channel's recordings is kept, and what is locked. */
  setRetention(devices: readonly DeviceAssignment[]): void {
    const channels = devices.flatMap((device) => device.channels);
    this.#keeping = new Map(
      channels.flatMap(({ channelId, record }) => (record ? [[channelId, keepingOf(record)] as const] : [])),
    );
    this.#locks = new RetentionLocks(channels.map(({ channelId, locks }) => ({ channelId, locks: locks ?? [] })));
  }

  /** Recordings being read stay for this long. */
  keepWhile(isNeeded: (channelId: string, startMs: number, endMs: number) => boolean): void {
    this.#isNeeded = isNeeded;
  }

  /** Whether `settings` name another folder: recorders must then be closed before `exchange`. */
  isOtherFolder(settings: SiteSettings): boolean {
    return this.#folderOf(settings) !== this.#recordings.folder;
  }

  setLimits(settings: SiteSettings): void {
    this.#recordings.setLimits(settings.storage);
  }

  async exchange(recordings: Recordings): Promise<void> {
    const before = this.#recordings;
    this.#recordings = recordings;
    await before.close();
    await this.#check();
  }

  create(settings: SiteSettings | null): Recordings {
    const { disk, cache, clock, writer, log } = this.#options;
    const folder = this.#folderOf(settings);
    const made: Recordings = new Recordings({
      disk,
      folder,
      limits: settings?.storage ?? UNSET_LIMITS,
      rules: {
        retentionDays: (channelId) => this.#keeping.get(channelId)?.retentionDays ?? null,
        quotaBytes: (channelId) => this.#keeping.get(channelId)?.quotaBytes ?? null,
        isLocked: (channelId, startMs, endMs) =>
          this.#locks.isLocked(channelId, startMs, endMs) || this.#isNeeded(channelId, startMs, endMs),
        isEmpty: (channelId, startMs, endMs) => this.#isEmpty(channelId, startMs, endMs),
        copies: this.#options.copiesOf(folder, () => made.store),
      },
      knownId: cache.storageId(folder),
      newId: () => randomHex(16),
      writer,
      wallMs: () => clock.wallMs(),
      monotonicMs: () => clock.monotonicMs(),
      log,
    });
    return made;
  }

  /** Old enough to be removed early, and of no class for which it would stay. */
  #isEmpty(channelId: string, startMs: number, endMs: number): boolean {
    const { clock, seen } = this.#options;
    const empty = this.#keeping.get(channelId)?.empty ?? null;
    if (empty === null || endMs >= clock.wallMs() - empty.days * DAY_MS) return false;
    return seen.isEmpty(channelId, empty.classes, startMs, endMs);
  }

  #folderOf(settings: SiteSettings | null): string {
    const folder = settings?.storage.folder ?? '';
    return folder === '' ? this.#options.defaultFolder : folder;
  }

  async #check(): Promise<void> {
    this.#cancelCheck();
    const recordings = this.#recordings;
    await recordings.check();
    if (recordings.storageId !== null) {
      await this.#options.cache.rememberStorage(recordings.folder, recordings.storageId);
    }
    if (this.#isClosed) return;
    const pause = recordings.state === 'normal' ? CHECK_EVERY_MS : CHECK_BROKEN_EVERY_MS;
    this.#cancelCheck = this.#options.clock.after(pause, () => void this.#check());
  }
}

function keepingOf({ retentionDays, quotaBytes, empty }: RecordOrder): Keeping {
  return { retentionDays, quotaBytes: quotaBytes ?? null, empty: empty ?? null };
}
