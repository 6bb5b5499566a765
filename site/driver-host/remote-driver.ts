// Proxy of a device's driver on the recorder's loop; it outlives restarts of the drivers' loop.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type {
  ChannelDriver,
  DeviceCredentials,
  DeviceDescription,
  DeviceNative,
  Driver,
  FirmwareFile,
} from '@vedette/drivers/kit/driver.ts';
import type { EventFeedRequest } from '@vedette/drivers/kit/event-feed.ts';
import type { FeedBatch, FeedItem, FilePart, UpgradeMessage } from './driver-orders.ts';
import { driverShape } from './driver-shape.ts';
import { fromWire, toWire } from './fault-wire.ts';
import { remoteChannel } from './remote-channel.ts';
import type { LoopRequests, LoopRequestOptions, Established } from './loop-requests.ts';
import type { ChannelShape, DriverShape, WireCredentials } from './wire.ts';

export interface RemoteOpen {
  readonly id: string;
  readonly native: DeviceNative;
  readonly credentials: DeviceCredentials | null;
}

/** Null for an unknown driver id. Throws TypeError for a `native` of another driver. */
export function openRemoteDriver(context: LoopRequests, request: RemoteOpen): Driver | null {
  const shape = driverShape(request);
  return shape && new RemoteDriver(context, request, shape);
}

/** Delay before a feed that a restart of the loop cut off starts again. */
const FEED_PAUSE_MS = 250;

class RemoteDriver implements Driver {
  readonly id: string;
  readonly endpoint: DriverShape['endpoint'];
  readonly reboot?: (signal?: AbortSignal) => Promise<void>;
  readonly upgrade?: NonNullable<Driver['upgrade']>;
  readonly listen?: NonNullable<Driver['listen']>;
  readonly #context: LoopRequests;
  readonly #request: RemoteOpen;
  /** Its number in the current loop. */
  #opened: (Established & { readonly driver: number }) | null = null;

  constructor(context: LoopRequests, request: RemoteOpen, shape: DriverShape) {
    this.#context = context;
    this.#request = request;
    this.id = request.id;
    this.endpoint = shape.endpoint;
    if (shape.canReboot) this.reboot = async (signal) => void (await this.#ask('reboot', null, { signal }));
    if (shape.canUpgrade) this.upgrade = (file, onSent, signal) => this.#upgrade(file, onSent, signal);
    if (shape.listens) this.listen = (request) => this.#listen(request);
  }

  async describe(signal?: AbortSignal): Promise<DeviceDescription> {
    return (await this.#ask('describe', null, { signal, isRepeatable: true })) as DeviceDescription;
  }

  refresh(): void {
    const opened = this.#standing();
    if (opened) opened.connection.post({ kind: 'refresh', context: opened.context, driver: opened.driver });
  }

  async channel(channelNo: number, signal?: AbortSignal): Promise<ChannelDriver> {
    const ask = async (name: string, input: readonly unknown[], options: LoopRequestOptions): Promise<unknown> =>
      await this.#context.ask((at) => ({ on: 'channel', driver: this.#numberAt(at), channelNo, name, input }), options);
    const shape = (await ask('open', [], { signal, isRepeatable: true })) as ChannelShape;
    return remoteChannel(channelNo, shape, ask, (known) => this.#withSchemes(known));
  }

  async check(signal?: AbortSignal): Promise<void> {
    await this.#ask('check', null, { signal, isRepeatable: true });
  }

  async close(): Promise<void> {
    const opened = this.#standing();
    this.#opened = null;
    if (!opened) return;
    const { connection, context, driver } = opened;
    await connection.call(context, { on: 'driver', driver, name: 'close', input: null }).catch((error: unknown) => {
      // The loop has ended: nothing to close.
      if (!(error instanceof DeviceFault)) throw error;
    });
  }

  async #upgrade(file: FirmwareFile, onSent: (bytes: number) => void, signal?: AbortSignal): Promise<void> {
    const readings = new Map<number, AsyncIterator<Uint8Array>>();
    const next = async (reading: number): Promise<FilePart> => {
      const parts = readings.get(reading) ?? file.read()[Symbol.asyncIterator]();
      readings.set(reading, parts);
      try {
        const { done, value } = await parts.next();
        return { reading, part: done === true ? null : value, fault: null };
      } catch (error) {
        return { reading, part: null, fault: toWire(error) };
      }
    };
    try {
      await this.#ask('upgrade', file.bytes, {
        signal,
        onMessage: (told, reply) => {
          const heard = told as UpgradeMessage;
          if ('sent' in heard) onSent(heard.sent);
          else void next(heard.reading).then((part) => reply(part));
        },
      });
    } finally {
      for (const parts of readings.values()) await parts.return?.();
    }
  }

  async #listen({ onEvent, onHeldBack, onState, memory, signal }: EventFeedRequest): Promise<void> {
    const hear = (heard: FeedItem, reply: (told: unknown) => void): void => {
      if ('event' in heard) return onEvent(heard.event);
      if ('source' in heard) return memory?.remember(heard.source, heard.isActive);
      const fault = heard.waiting && fromWire(heard.waiting);
      if (fault instanceof DeviceFault) onState({ kind: 'waiting', fault, retryNow: () => reply('retryNow') });
      else onState({ kind: 'listening' });
    };
    for (;;) {
      try {
        await this.#ask('listen', [...(memory?.states ?? [])], {
          signal,
          isPatient: true,
          onMessage: (told, reply) => {
            const portion = told as FeedBatch;
            if (portion.heldBack > 0) onHeldBack?.(portion.heldBack);
            for (const heard of portion.items) hear(heard, reply);
          },
        });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof DeviceFault) || error.kind !== 'interrupted') throw error;
        onState({ kind: 'waiting', fault: error, retryNow: () => undefined });
        await wait(systemClock, FEED_PAUSE_MS, signal);
        if (signal.aborted) return;
      }
    }
  }

  async #ask(name: string, input: unknown, options: LoopRequestOptions): Promise<unknown> {
    return await this.#context.ask((at) => ({ on: 'driver', driver: this.#numberAt(at), name, input }), options);
  }

  #standing() {
    const at = this.#context.standing;
    return at && this.#opened?.context === at.context && this.#opened.connection === at.connection
      ? this.#opened
      : null;
  }

  /** Opens it if necessary. */
  #numberAt(at: Established): number {
    if (this.#opened?.connection === at.connection && this.#opened.context === at.context) return this.#opened.driver;
    const { id, native, credentials } = this.#request;
    const driver = at.connection.newNumber();
    const wire: WireCredentials | null = credentials && { user: credentials.user, password: credentials.password };
    at.connection.post({ kind: 'open', context: at.context, driver, id, native, credentials: wire });
    this.#opened = { ...at, driver };
    return driver;
  }

  /** Streams authenticate here, with this side's memory of challenges. */
  #withSchemes(known: WireCredentials | null): DeviceCredentials | null {
    const schemes = this.#request.credentials?.schemes;
    return known && { ...known, ...(schemes && { schemes }) };
  }
}
