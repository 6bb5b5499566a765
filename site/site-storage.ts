// The storage of this site: the recordings in use, watched every few seconds, exchanged when the operator names another folder.
import type { ChannelAssignment, DeviceAssignment, SiteSettings, StorageHealth } from '@vedette/contract/site.ts';
import type { Clock } from '@vedette/media/clock/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { Recordings, type RecordingsLog } from '@vedette/media/recordings/recordings.ts';
import type { AssignmentCache } from './assignment-cache.ts';
import { randomHex } from './randomness.ts';

export interface SiteStorageOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly cache: AssignmentCache;
  readonly defaultFolder: string;
  readonly log: RecordingsLog;
}

const CHECK_EVERY_MS = 3000;
const CHECK_BROKEN_EVERY_MS = 1000;
/** Until the server has said its settings nothing is removed but what a full disk demands. */
const UNSET_LIMITS = { budgetBytes: Number.MAX_SAFE_INTEGER, reserveBytes: 256 * 1024 * 1024 };

export class SiteStorage {
  readonly #options: SiteStorageOptions;
  #recordings: Recordings;
  #retention = new Map<string, number>();
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

  close(): void {
    this.#isClosed = true;
    this.#cancelCheck();
  }

  setRetention(devices: readonly DeviceAssignment[]): void {
    this.#retention = new Map(
      devices
        .flatMap((device) => device.channels)
        .flatMap((channel: ChannelAssignment) =>
          channel.record ? [[channel.channelId, channel.record.retentionDays] as const] : [],
        ),
    );
  }

  /** Whether `settings` name another folder: recorders must then be closed before `exchange`. */
  isOtherFolder(settings: SiteSettings): boolean {
    return this.#folderOf(settings) !== this.#recordings.folder;
  }

  setLimits(settings: SiteSettings): void {
    this.#recordings.setLimits(settings.storage);
  }

  /** Opens the folder of `settings` on trial; null when it cannot be written to. */
  async tryFolder(settings: SiteSettings): Promise<Recordings | null> {
    const made = this.create(settings);
    await made.check();
    const { state } = made;
    return state === 'normal' || state === 'full' ? made : null;
  }

  async exchange(recordings: Recordings): Promise<void> {
    this.#recordings = recordings;
    await this.#check();
  }

  create(settings: SiteSettings | null): Recordings {
    const { disk, cache, clock, log } = this.#options;
    const folder = this.#folderOf(settings);
    return new Recordings({
      disk,
      folder,
      limits: settings?.storage ?? UNSET_LIMITS,
      knownId: cache.storageId(folder),
      newId: () => randomHex(16),
      wallMs: () => clock.wallMs(),
      retentionDays: (channelId) => this.#retention.get(channelId) ?? null,
      log,
    });
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
