// Stores the server's assignment encrypted on disk, so that recording resumes without any server.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { DeviceAssignment, SiteSettings } from '@vedette/contract/site/site.ts';
import type { SealedFile } from './sealed-file.ts';

interface Stored {
  readonly devices: readonly DeviceAssignment[];
  readonly settings: SiteSettings | null;
  /** Identity of each storage folder ever used here. */
  readonly storageIds: Readonly<Record<string, string>>;
}

export interface AssignmentCacheOptions {
  readonly file: SealedFile;
  readonly onFault: (error: unknown) => void;
}

export class AssignmentCache {
  readonly #options: AssignmentCacheOptions;
  readonly #devices = new Map<string, DeviceAssignment>();
  #settings: SiteSettings | null = null;
  readonly #storageIds = new Map<string, string>();
  readonly #writes = new SerialQueue();

  constructor(options: AssignmentCacheOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const stored = (await this.#options.file.read(this.#options.onFault)) as Stored | null;
    if (!stored) return;
    this.#settings = stored.settings;
    for (const device of stored.devices) this.#devices.set(device.deviceSerial, device);
    for (const [folder, id] of Object.entries(stored.storageIds)) this.#storageIds.set(folder, id);
  }

  get devices(): readonly DeviceAssignment[] {
    return [...this.#devices.values()];
  }

  /** Without those that another site has now, of which only recordings are kept. */
  get running(): readonly DeviceAssignment[] {
    return runningOf(this.devices);
  }

  get settings(): SiteSettings | null {
    return this.#settings;
  }

  device(deviceSerial: string): DeviceAssignment | null {
    return this.#devices.get(deviceSerial) ?? null;
  }

  channelId({ deviceSerial, channelNo }: { deviceSerial: string; channelNo: number }): string | null {
    const channels = this.#devices.get(deviceSerial)?.channels ?? [];
    return channels.find((channel) => channel.channelNo === channelNo)?.channelId ?? null;
  }

  storageId(folder: string): string | null {
    return this.#storageIds.get(folder) ?? null;
  }

  /** Whether any folder ever had it. */
  isKnownStorage(id: string): boolean {
    return [...this.#storageIds.values()].includes(id);
  }

  async rememberStorage(folder: string, id: string): Promise<void> {
    const before = this.#storageIds.get(folder);
    if (before === id) return;
    // Another disk of ours is mounted there now; the earlier one may come back elsewhere.
    if (before !== undefined) this.#storageIds.set(`was ${before}`, before);
    this.#storageIds.set(folder, id);
    await this.#save();
  }

  async replaceAll(devices: readonly DeviceAssignment[], settings: SiteSettings): Promise<void> {
    this.#devices.clear();
    for (const device of devices) this.#devices.set(device.deviceSerial, device);
    this.#settings = settings;
    await this.#save();
  }

  async replaceOne(deviceSerial: string, assignment: DeviceAssignment | null): Promise<void> {
    if (assignment) this.#devices.set(deviceSerial, assignment);
    else this.#devices.delete(deviceSerial);
    await this.#save();
  }

  async replaceSettings(settings: SiteSettings): Promise<void> {
    this.#settings = settings;
    await this.#save();
  }

  /** Writes run one by one, each with the newest state. */
  #save(): Promise<void> {
    return this.#writes.run(async () => {
      const storageIds = Object.fromEntries(this.#storageIds);
      try {
        await this.#options.file.write({ devices: this.devices, settings: this.#settings, storageIds });
      } catch (error) {
        // The assignment stays in memory; the server sends it again after a restart.
        this.#options.onFault(error);
      }
    });
  }
}

/** Those that this site dials and records. */
export function runningOf(devices: readonly DeviceAssignment[]): readonly DeviceAssignment[] {
  return devices.filter(({ isElsewhere }) => isElsewhere !== true);
}
