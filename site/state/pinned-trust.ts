// Stores across restarts what was pinned after a device was added: certificates of further endpoints, and that it uses digest (trust on first use).
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import { createHash } from 'node:crypto';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { DeviceTrust, type TrustBreach } from '@vedette/drivers/kit/device-trust.ts';
import type { DeviceNative } from '@vedette/drivers/kit/driver.ts';
import type { SealedFile } from './sealed-file.ts';

interface Pinned {
  /** Hash of the address record: a new probe pins anew. */
  readonly native: string;
  readonly record: DeviceNative;
}

export interface PinnedTrustOptions {
  readonly file: SealedFile;
  readonly onFault: (error: unknown) => void;
}

export class PinnedTrust {
  readonly #options: PinnedTrustOptions;
  readonly #devices = new Map<string, Pinned>();
  readonly #writes = new SerialQueue();

  constructor(options: PinnedTrustOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const stored = (await this.#options.file.read(this.#options.onFault)) as Record<string, Pinned> | null;
    for (const [deviceSerial, learnt] of Object.entries(stored ?? {})) this.#devices.set(deviceSerial, learnt);
  }

  of(
    { deviceSerial, native }: Pick<DeviceAssignment, 'deviceSerial' | 'native'>,
    onBreach: (breach: TrustBreach) => void,
  ): DeviceTrust {
    const name = createHash('sha256').update(JSON.stringify(native)).digest('hex');
    const learnt = this.#devices.get(deviceSerial);
    const trust = new DeviceTrust(native, {
      onBreach,
      earlier: learnt?.native === name ? learnt.record : null,
      onPinned: () => {
        this.#devices.set(deviceSerial, { native: name, record: trust.record() });
        this.#write();
      },
    });
    return trust;
  }

  /** The device left this site. */
  forget(deviceSerial: string): void {
    if (this.#devices.delete(deviceSerial)) this.#write();
  }

  async close(): Promise<void> {
    await this.#writes.drained();
  }

  #write(): void {
    const { file, onFault } = this.#options;
    this.#writes.run(() => file.write(Object.fromEntries(this.#devices))).catch(onFault);
  }
}
