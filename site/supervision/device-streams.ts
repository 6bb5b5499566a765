// The streams of each device in the hub: whether they deliver, and their new attempt or new source.
import type { StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { OpenSource } from '@vedette/media/stream/source.ts';
import { parseStreamKey } from '../core/stream-key.ts';

/** A stream without a frame for so long does not prove its device online. */
const DELIVERING_MS = 5000;

export class DeviceStreams {
  readonly #hub: StreamHub;
  readonly #clock: Clock;

  constructor({ hub, clock }: { readonly hub: StreamHub; readonly clock: Clock }) {
    this.#hub = hub;
    this.#clock = clock;
  }

  isDelivering(deviceSerial: string): boolean {
    const now = this.#clock.monotonicMs();
    return this.#of(deviceSerial).some(
      // A connection that broke proves nothing by having delivered frames a moment ago.
      ({ currentState, lastVideoMs }) =>
        currentState.state === 'playing' && lastVideoMs !== null && now - lastVideoMs < DELIVERING_MS,
    );
  }

  retryFailed(deviceSerial: string): void {
    for (const stream of this.#of(deviceSerial)) if (stream.currentState.state === 'failed') stream.retryNow();
  }

  /** The serial of each failed stream's device. */
  failed(): string[] {
    const failed = this.#hub.streams().filter((stream) => stream.currentState.state === 'failed');
    return failed.map((stream) => parseStreamKey(stream.key)?.deviceSerial ?? '');
  }

  /** Viewers and recorders stay: their streams continue from another source. */
  async exchange(deviceSerial: string, open: (channelNo: number, quality: StreamQuality) => OpenSource): Promise<void> {
    for (const { key } of this.#hub.streams()) {
      const parsed = parseStreamKey(key);
      if (parsed?.deviceSerial !== deviceSerial) continue;
      await this.#hub.replace(key, open(parsed.channelNo, parsed.quality));
    }
  }

  /** One that lingers would be handed to whoever has the device next, and its source has ended with the supervisor. */
  async end(deviceSerial: string): Promise<void> {
    await Promise.all(this.#of(deviceSerial).map(({ key }) => this.#hub.end(key)));
  }

  #of(deviceSerial: string) {
    return this.#hub.streams().filter((stream) => stream.key.startsWith(`${deviceSerial}/`));
  }
}
