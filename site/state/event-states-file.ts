// Stores the last known states of device properties across restarts, so that only changes are reported afterwards.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { EventMemory } from '@vedette/drivers/kit/event-feed.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type Disk, errorCode } from '@vedette/media/recordings/disk.ts';

export interface EventStatesFileOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly path: string;
  readonly onFault: (error: unknown) => void;
}

/**
 * What a kill may lose: a start within this time is reported again, which is harmless; one that also ends meanwhile is
 * ended by the alarm's timeout.
 */
const WRITE_AFTER_MS = 1000;
/** Per device; least recently changed ones are dropped. */
const KEPT_MAX = 200;

export class EventStatesFile {
  readonly #options: EventStatesFileOptions;
  readonly #devices = new Map<string, Map<string, boolean>>();
  #cancelWrite: (() => void) | null = null;
  readonly #writes = new SerialQueue();

  constructor(options: EventStatesFileOptions) {
    this.#options = options;
  }

  /** An unreadable file is logged and treated as empty. */
  async load(): Promise<void> {
    try {
      const text = (await this.#options.disk.readWhole(this.#options.path)).toString('utf8');
      const devices = JSON.parse(text) as Record<string, [string, boolean][]>;
      for (const [deviceSerial, states] of Object.entries(devices)) this.#devices.set(deviceSerial, new Map(states));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') this.#options.onFault(error);
    }
  }

  of(deviceSerial: string): EventMemory {
    const states = this.#devices.get(deviceSerial) ?? new Map<string, boolean>();
    this.#devices.set(deviceSerial, states);
    return {
      states,
      remember: (source, isActive) => {
        states.delete(source);
        if (isActive !== null) states.set(source, isActive);
        const [oldest] = states.keys();
        if (states.size > KEPT_MAX && oldest !== undefined) states.delete(oldest);
        this.#writeSoon();
      },
    };
  }

  /** The device left this site. */
  forget(deviceSerial: string): void {
    if (this.#devices.delete(deviceSerial)) this.#writeSoon();
  }

  async close(): Promise<void> {
    if (this.#cancelWrite !== null) this.#write();
    await this.#writes.drained();
  }

  #writeSoon(): void {
    this.#cancelWrite ??= this.#options.clock.after(WRITE_AFTER_MS, () => this.#write());
  }

  #write(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = null;
    const { disk, path, onFault } = this.#options;
    const devices = Object.fromEntries([...this.#devices].map(([serial, states]) => [serial, [...states]]));
    const bytes = Buffer.from(JSON.stringify(devices));
    this.#writes.run(() => disk.replaceFile(path, bytes)).catch(onFault);
  }
}
