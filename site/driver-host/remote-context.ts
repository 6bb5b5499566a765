// One device, candidate or search on the recorder's loop: sends requests through the present connection, and shares pinned trust with the other side.
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { DeviceTrust } from '@vedette/drivers/kit/device-trust.ts';
import type { Candidate, DeviceCredentials, DeviceNative, Driver } from '@vedette/drivers/kit/driver.ts';
import type { FoundDevice } from '@vedette/drivers/found-device.ts';
import type { ParsedTarget } from '@vedette/drivers/probe-target.ts';
import type { AddressRange } from '@vedette/drivers/scan-range.ts';
import type { DiscoveryPlace } from '@vedette/protocols/ws-discovery/client.ts';
import type { LoopRequestOptions, LoopRequests, Established } from './loop-requests.ts';
import type { LoopConnection } from './loop-connection.ts';
import type { Quarantine } from './quarantine.ts';
import { openRemoteDriver } from './remote-driver.ts';
import type { FromLoop, Order, WireCredentials } from './wire.ts';

export interface ContextOptions {
  /** Quarantine key: a serial, or the contacted address. */
  readonly name: string;
  readonly isOperator: boolean;
  /** Null for searches and unknown devices. */
  readonly trust: DeviceTrust | null;
  /** Closes it with everything opened through it. */
  readonly signal: AbortSignal;
  /** False for a search: the cost of a whole network is no device's fault. */
  readonly isMetered?: boolean;
  /** It exceeded its budget and is quarantined. */
  readonly onQuarantined?: (why: string) => void;
}

/** Services of the host for a context. */
export interface ContextHost {
  readonly quarantine: Pick<Quarantine, 'isBarred'>;
  connection(signal?: AbortSignal): Promise<LoopConnection>;
  register(line: LoopConnection, number: number, context: RemoteContext): void;
  unregister(line: LoopConnection, number: number): void;
}

export class RemoteContext implements LoopRequests {
  readonly #host: ContextHost;
  readonly #options: ContextOptions;
  #at: Established | null = null;

  constructor(host: ContextHost, options: ContextOptions) {
    this.#host = host;
    this.#options = options;
    const unwatch = options.trust?.watch(() => this.#tellTrust());
    options.signal.addEventListener(
      'abort',
      () => {
        unwatch?.();
        this.#leave();
      },
      { once: true },
    );
  }

  get name(): string {
    return this.#options.name;
  }

  /** Null for an unknown driver id. No I/O. */
  open(id: string, native: DeviceNative, credentials: DeviceCredentials | null): Driver | null {
    return openRemoteDriver(this, { id, native, credentials });
  }

  /** Rejects with DeviceFault. */
  async probe(target: ParsedTarget, credentials: DeviceCredentials | null, signal: AbortSignal): Promise<Candidate> {
    const wire = credentialsOf(credentials);
    return (await this.ask(() => ({ on: 'probe', target, credentials: wire }), {
      signal,
      isRepeatable: true,
    })) as Candidate;
  }

  /** Resolves when the search time is over; answers are reported as they come. */
  async discover(place: DiscoveryPlace, onFound: (device: FoundDevice) => void, signal: AbortSignal): Promise<void> {
    const onMessage = (told: unknown): void => onFound(told as FoundDevice);
    await this.ask(() => ({ on: 'discover', place }), { signal, onMessage });
  }

  async scan(
    input: { readonly range: AddressRange; readonly ports: readonly number[] | null },
    on: { readonly found: (device: FoundDevice) => void; readonly checked: () => void },
    signal: AbortSignal,
  ): Promise<void> {
    const onMessage = (told: unknown): void => (told === 'checked' ? on.checked() : on.found(told as FoundDevice));
    await this.ask(() => ({ on: 'scan', ...input }), { signal, onMessage });
  }

  /** `order` is built for the context's current number. */
  async ask(order: (at: Established) => Order, options: LoopRequestOptions): Promise<unknown> {
    const { isRepeatable = false, ...rest } = options;
    for (let isFirst = true; ; isFirst = false) {
      const at = await this.#establish(options.signal);
      try {
        return await at.connection.call(at.context, order(at), rest);
      } catch (error) {
        const isLost = error instanceof DeviceFault && error.kind === 'interrupted';
        if (!isLost || !isRepeatable || !isFirst) throw error;
      }
    }
  }

  /** Its number in the current loop; null if the loop does not have it. */
  get standing(): Established | null {
    return this.#at?.connection.isEnded === false ? this.#at : null;
  }

  take(message: Extract<FromLoop, { kind: 'trust' | 'breach' }>): void {
    const { trust } = this.#options;
    if (message.kind === 'breach') trust?.breached(message.breach);
    else trust?.learn(message.record);
  }

  /** Called by the host: rejects running requests with the reason, and new ones until the time is over. */
  quarantined(line: LoopConnection, context: number, why: string): void {
    if (this.#at?.context === context && this.#at.connection === line) this.#leave();
    line.rejectOf(context, misbehaving());
    this.#options.onQuarantined?.(why);
  }

  /** Called by the host: the loop has ended. */
  lost(): void {
    this.#at = null;
  }

  async #establish(signal?: AbortSignal): Promise<Established> {
    const { name, isOperator, trust, isMetered = true } = this.#options;
    const connection = await this.#host.connection(signal);
    this.#options.signal.throwIfAborted();
    if (this.#host.quarantine.isBarred(name)) throw misbehaving();
    if (this.#at?.connection === connection) return this.#at;
    const context = connection.newNumber();
    connection.post({ kind: 'context', context, isOperator, trust: trust?.record() ?? null, isMetered });
    this.#at = { connection, context };
    this.#host.register(connection, context, this);
    return this.#at;
  }

  #leave(): void {
    if (!this.#at) return;
    const { connection, context } = this.#at;
    this.#at = null;
    connection.post({ kind: 'contextEnd', context });
    this.#host.unregister(connection, context);
  }

  #tellTrust(): void {
    const { trust } = this.#options;
    if (this.#at && trust)
      this.#at.connection.post({ kind: 'trust', context: this.#at.context, record: trust.record() });
  }
}

export function credentialsOf(credentials: DeviceCredentials | null): WireCredentials | null {
  return credentials && { user: credentials.user, password: credentials.password };
}

function misbehaving(): DeviceFault {
  return new DeviceFault('misbehaving', 'the device cost more than any device may, and is left alone for a while');
}
