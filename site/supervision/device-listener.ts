// Receives the events of one online device, and limits their rate before they go to the server.
import type { DeviceEvent } from '@vedette/contract/device-event.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { Driver } from '@vedette/drivers/kit/driver.ts';
import type { EventMemory } from '@vedette/drivers/kit/event-feed.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

export interface DeviceListenerOptions {
  readonly deviceSerial: string;
  readonly driver: Driver;
  readonly clock: Clock;
  readonly log: DriverLog;
  readonly memory: EventMemory;
  readonly onEvent: (event: DeviceEvent) => void;
  /** The events cannot be received any more: perhaps the device is gone. */
  readonly onBroken: () => void;
}

/** Events accepted at once, for example in the morning of a whole building; and per second from then on. */
const BURST = 1000;
const PER_SECOND = 20;

export class DeviceListener {
  readonly #options: DeviceListenerOptions;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  #left = BURST;
  #filledMs: number;
  #dropped = 0;
  /** While the feed waits for its next attempt. */
  #retryNow: (() => void) | null = null;

  constructor(options: DeviceListenerOptions) {
    this.#options = options;
    this.#filledMs = options.clock.monotonicMs();
  }

  /** Events of the device that were not passed on. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The device answers (again): a feed that waits or had given up is attempted at once. */
  retry(): void {
    this.#retryNow?.();
    if (this.#running !== null || this.#closing.signal.aborted) return;
    this.#running = this.#listen().finally(() => {
      this.#running = null;
      this.#retryNow = null;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #listen(): Promise<void> {
    const { driver, deviceSerial, memory, log } = this.#options;
    try {
      await driver.listen?.({
        onEvent: (event) => this.#receive(event),
        onHeldBack: (count) => this.#holdBack(count),
        onState: (state) => {
          this.#retryNow = state.kind === 'waiting' ? state.retryNow : null;
          if (state.kind === 'listening') return log.info({ deviceSerial }, 'receives the events of the device');
          log.info({ deviceSerial, err: state.fault }, 'does not receive the events of the device');
          this.#options.onBroken();
        },
        memory,
        signal: this.#closing.signal,
      });
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const isUsual = error instanceof DeviceFault && error.kind === 'not-supported';
      if (isUsual) log.debug({ deviceSerial }, 'the device sends no events');
      else log.warn({ deviceSerial, err: error }, 'the events of the device cannot be received');
    }
  }

  #receive(event: DeviceEvent): void {
    const { clock } = this.#options;
    const now = clock.monotonicMs();
    this.#left = Math.min(BURST, this.#left + ((now - this.#filledMs) / 1000) * PER_SECOND);
    this.#filledMs = now;
    if (this.#left < 1) return this.#holdBack(1);
    this.#left -= 1;
    this.#options.onEvent(event);
  }

  #holdBack(count: number): void {
    const { deviceSerial, log } = this.#options;
    const before = this.#dropped;
    this.#dropped += count;
    // At the first and at each thousandth.
    if (Math.ceil(before / BURST) < Math.ceil(this.#dropped / BURST))
      log.warn({ deviceSerial, dropped: this.#dropped }, 'the device floods us with events');
  }
}
