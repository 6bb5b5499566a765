// The site's recording storage: its disks are checked every few seconds, and follow the settings.
import type { DiskOrder } from '@vedette/contract/site/site-disks.ts';
import type { DeviceAssignment, RecordOrder, SiteSettings, StorageHealth } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { DiskEmptier } from '@vedette/media/recordings/disks/disk-emptier.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { DiskGuard } from '@vedette/media/recordings/disks/disk-guard.ts';
import { RetentionLocks } from '@vedette/media/recordings/retention-locks.ts';
import { RecordingDisks } from '@vedette/media/recordings/disks/recording-disks.ts';
import type { RecordingsLog } from '@vedette/media/recordings/recordings.ts';
import type { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { CopyRules } from '@vedette/media/recordings/retention.ts';
import { type StorageCondition, StorageFolder } from '@vedette/media/recordings/storage-folder.ts';
import type { WriterFacts } from '@vedette/media/recordings/writer-lease.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { AssignmentCache } from '../state/assignment-cache.ts';
import type { SeenLog } from '../state/seen-log.ts';
import type { DiskLedger } from './disk-ledger.ts';
import { randomHex } from '@vedette/foundation/random/random-numbers.ts';

export interface SiteStorageOptions {
  readonly disk: Disk;
  /** Of the calls to several disks. */
  readonly guard: Pick<DiskGuard, 'watch'>;
  readonly clock: Clock;
  readonly cache: AssignmentCache;
  readonly writer: WriterFacts;
  readonly defaultFolder: string;
  /** What disks hold that are away, and what is to be removed from them. */
  readonly ledger: DiskLedger;
  /** Moves what disks hold that are emptied. */
  readonly emptier: DiskEmptier;
  /** Copies in object stores, for retention. */
  readonly copiesOf: (store: () => RecordingsStore) => CopyRules;
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
  #recordings: RecordingDisks;
  #keeping = new Map<string, Keeping>();
  #locks = new RetentionLocks();
  #isNeeded: (channelId: string, startMs: number, endMs: number) => boolean = () => false;
  #cancelCheck: () => void = () => undefined;
  #following: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: SiteStorageOptions) {
    this.#options = options;
    this.#recordings = this.create(options.cache.settings);
    options.guard.watch(this.#recordings.folders);
  }

  get recordings(): RecordingDisks {
    return this.#recordings;
  }

  get limits(): SiteSettings['storage'] | typeof UNSET_LIMITS {
    return this.#options.cache.settings?.storage ?? UNSET_LIMITS;
  }

  health(): StorageHealth {
    return this.#recordings.health((folder) => this.#options.emptier.progressOf(folder));
  }

  async start(): Promise<void> {
    await this.#options.ledger.load();
    this.#options.ledger.tell(this.#recordings);
    await this.#recordings.open();
    await this.#check();
    this.#options.emptier.start();
  }

  /** Recorders must be closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelCheck();
    await this.#options.emptier.close();
    await this.#following;
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

  /** Whether none of the disks stays: recorders must then be closed before `exchange`. */
  isOther(settings: SiteSettings): boolean {
    return !this.#disksOf(settings).some(({ folder }) => this.#recordings.folders.includes(folder));
  }

  /** What a folder does that `settings` name and that is none of ours yet; null where all can be written to. */
  async tryNew(settings: SiteSettings): Promise<{ readonly at: number; readonly condition: StorageCondition } | null> {
    const { disk, cache, guard } = this.#options;
    const ours = this.#recordings.folders;
    guard.watch([...new Set([...ours, ...this.#disksOf(settings).map(({ folder }) => folder)])]);
    for (const [at, { folder }] of this.#disksOf(settings).entries()) {
      if (ours.includes(folder)) continue;
      const knownId = cache.storageId(folder);
      const condition = await new StorageFolder({ disk, folder, knownId, newId: () => randomHex(16) }).open();
      if (condition.state === 'normal' || condition.state === 'full') continue;
      guard.watch(ours);
      return { at, condition };
    }
    return null;
  }

  /** Disks come and go, limits change: the recording goes on. */
  async follow(settings: SiteSettings): Promise<void> {
    const orders = this.#disksOf(settings);
    this.#options.guard.watch(orders.map(({ folder }) => folder));
    await this.#recordings.set(orders, settings.storage.reserveBytes);
    this.#options.ledger.tell(this.#recordings);
  }

  async exchange(recordings: RecordingDisks): Promise<void> {
    const before = this.#recordings;
    this.#recordings = recordings;
    this.#options.guard.watch(recordings.folders);
    await before.close();
    await this.#check();
  }

  create(settings: SiteSettings | null): RecordingDisks {
    const { disk, cache, clock, writer, log } = this.#options;
    const made: RecordingDisks = new RecordingDisks({
      disk,
      clock,
      disks: this.#disksOf(settings),
      reserveBytes: (settings?.storage ?? UNSET_LIMITS).reserveBytes,
      rules: {
        retentionDays: (channelId) => this.#keeping.get(channelId)?.retentionDays ?? null,
        quotaBytes: (channelId) => this.#keeping.get(channelId)?.quotaBytes ?? null,
        isLocked: (channelId, startMs, endMs) =>
          this.#locks.isLocked(channelId, startMs, endMs) || this.#isNeeded(channelId, startMs, endMs),
        isEmpty: (channelId, startMs, endMs) => this.#isEmpty(channelId, startMs, endMs),
        copies: this.#options.copiesOf(() => made.store),
      },
      knownId: (folder) => cache.storageId(folder),
      isKnownId: (id) => cache.isKnownStorage(id),
      newId: () => randomHex(16),
      onTwice: (folder, twice) => this.#options.emptier.settle(folder, twice),
      isMoving: (key, startMs) => this.#options.emptier.isMoving(key, startMs),
      writer,
      wallMs: () => clock.wallMs(),
      monotonicMs: () => clock.monotonicMs(),
      log,
    });
    return made;
  }

  /** Of a device that was deleted; from a disk that is away as soon as it is back. */
  async removeChannel(channelId: string): Promise<void> {
    const recordings = this.#recordings;
    const away = recordings.disks.filter(({ isAway }) => isAway).map(({ folder }) => folder);
    if (away.length > 0) await this.#options.ledger.removeLater(channelId, away);
    await recordings.removeChannel(channelId);
  }

  /** Old enough to be removed early, and of no class for which it would stay. */
  #isEmpty(channelId: string, startMs: number, endMs: number): boolean {
    const { clock, seen } = this.#options;
    const empty = this.#keeping.get(channelId)?.empty ?? null;
    if (empty === null || endMs >= clock.wallMs() - empty.days * DAY_MS) return false;
    return seen.isEmpty(channelId, empty.classes, startMs, endMs);
  }

  #disksOf(settings: SiteSettings | null): readonly DiskOrder[] {
    return disksOf(settings, this.#options.defaultFolder);
  }

  async #check(): Promise<void> {
    this.#cancelCheck();
    const recordings = this.#recordings;
    await recordings.check();
    for (const { folder, storageId, hasListed } of recordings.disks) {
      if (storageId !== null && hasListed) await this.#options.cache.rememberStorage(folder, storageId);
    }
    // Not waited for: it may remove what many days recorded, and the leases of all disks are renewed here.
    this.#following ??= this.#options.ledger.follow(recordings).finally(() => {
      this.#following = null;
    });
    if (this.#isClosed) return;
    const isWell = recordings.disks.every(({ state }) => state === 'normal');
    const pause = isWell ? CHECK_EVERY_MS : CHECK_BROKEN_EVERY_MS;
    this.#cancelCheck = this.#options.clock.after(pause, () => void this.#check());
  }
}

/** The first is the one of exports. */
export function disksOf(settings: SiteSettings | null, defaultFolder: string): readonly DiskOrder[] {
  const { folder = '', isEmptying = false, moreDisks = [], budgetBytes } = { ...UNSET_LIMITS, ...settings?.storage };
  return [{ folder: folder === '' ? defaultFolder : folder, budgetBytes, isEmptying }, ...moreDisks];
}

function keepingOf({ retentionDays, quotaBytes, empty }: RecordOrder): Keeping {
  return { retentionDays, quotaBytes: quotaBytes ?? null, empty: empty ?? null };
}
