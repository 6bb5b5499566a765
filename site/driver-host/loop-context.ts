// One device, candidate or search inside the drivers' loop: its driver context with pinned trust, and its open drivers.
import { DeviceTrust } from '@vedette/drivers/kit/device-trust.ts';
import type { ChannelDriver, Driver, DriverModule } from '@vedette/drivers/kit/driver.ts';
import type { DriverContext } from '@vedette/drivers/kit/driver-context.ts';
import type { NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';
import type { DriverContexts } from './driver-contexts.ts';
import type { FromLoop, ToLoop } from './wire.ts';

/** The loop's services for a context. */
export interface LoopDependencies {
  readonly driverContexts: DriverContexts;
  readonly modules: Readonly<Record<string, Pick<DriverModule, 'open'>>>;
  readonly post: (message: FromLoop) => void;
}

interface Opened {
  readonly driver: Driver;
  /** Channels as last fetched: they keep internal state. */
  readonly channels: Map<number, ChannelDriver>;
}

export class LoopContext {
  readonly id: number;
  readonly trust: DeviceTrust | null;
  readonly context: DriverContext;
  readonly #around: LoopDependencies;
  readonly #isOperator: boolean;
  readonly #closing = new AbortController();
  readonly #opened = new Map<number, Opened>();

  constructor({ context: id, isOperator, trust }: Extract<ToLoop, { kind: 'context' }>, around: LoopDependencies) {
    const { driverContexts, post } = around;
    this.id = id;
    this.#around = around;
    this.#isOperator = isOperator;
    this.trust =
      trust &&
      new DeviceTrust(null, {
        earlier: trust,
        onPinned: () => post({ kind: 'trust', context: id, record: this.trust?.record() ?? {} }),
        onBreach: (breach) => post({ kind: 'breach', context: id, breach }),
      });
    this.context = driverContexts.context(isOperator, this.#closing.signal, this.trust);
  }

  get policy(): NetworkPolicy {
    return this.#around.driverContexts.policy(this.#isOperator);
  }

  open({ driver, id, native, credentials }: Extract<ToLoop, { kind: 'open' }>): void {
    const { context, trust } = this;
    const known = credentials && { ...credentials, ...(trust && { schemes: trust }) };
    this.#opened.set(driver, {
      driver: this.#module(id).open({ native, credentials: known, context }),
      channels: new Map(),
    });
  }

  #module(id: string): Pick<DriverModule, 'open'> {
    const module = this.#around.modules[id];
    if (module === undefined) throw new TypeError(`no driver ${id}`);
    return module;
  }

  /** Null after it was closed. */
  driver(number: number): Driver | null {
    return this.#opened.get(number)?.driver ?? null;
  }

  /** Fetches the channel again; `channel` returns it from then on. */
  async openChannel(number: number, channelNo: number, signal: AbortSignal): Promise<ChannelDriver> {
    const opened = this.#opened.get(number);
    if (!opened) throw new DOMException('the driver was closed', 'AbortError');
    const channel = await opened.driver.channel(channelNo, signal);
    opened.channels.set(channelNo, channel);
    return channel;
  }

  async channel(number: number, channelNo: number, signal: AbortSignal): Promise<ChannelDriver> {
    return this.#opened.get(number)?.channels.get(channelNo) ?? (await this.openChannel(number, channelNo, signal));
  }

  refresh(number: number): void {
    const opened = this.#opened.get(number);
    opened?.channels.clear();
    opened?.driver.refresh();
  }

  async closeDriver(number: number): Promise<void> {
    const opened = this.#opened.get(number);
    this.#opened.delete(number);
    await opened?.driver.close();
  }

  async close(): Promise<void> {
    this.#closing.abort(new DOMException('the device is not looked after any more', 'AbortError'));
    await Promise.allSettled([...this.#opened.keys()].map((number) => this.closeDriver(number)));
  }
}
