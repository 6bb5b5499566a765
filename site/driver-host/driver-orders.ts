// The requests that a device takes over the loop connection: describe, reboot, events, and firmware upgrade with its file read through the connection.
import type { DeviceEvent } from '@vedette/contract/device-event.ts';
import type { Driver, FirmwareFile } from '@vedette/drivers/kit/driver.ts';
import type { EventFeedState } from '@vedette/drivers/kit/event-feed.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';
import { bounded, boundedDescription } from './bounded-result.ts';
import { EventRateLimiter } from './event-rate-limiter.ts';
import { toWire } from './fault-wire.ts';
import { BatchQueue } from './batch-queue.ts';
import type { OrderContext } from './order-context.ts';
import type { Order, WireFault } from './wire.ts';

/** What an event feed reports. */
export type FeedItem =
  | { readonly event: DeviceEvent }
  | { readonly waiting: WireFault | null }
  | { readonly source: string; readonly isActive: boolean | null };

/** Events per message of a feed. */
export interface FeedBatch {
  readonly items: readonly FeedItem[];
  /** Events held back since the previous batch. */
  readonly heldBack: number;
}

/** Progress of an upgrade: bytes sent to the device, or a request for the next part of the file. */
export type UpgradeMessage = { readonly sent: number } | { readonly reading: number };

/** Next part of the file; null at its end. */
export interface FilePart {
  readonly reading: number;
  readonly part: Uint8Array | null;
  readonly fault: WireFault | null;
}

export async function runDriverOrder(
  { driver: number, name, input }: Extract<Order, { on: 'driver' }>,
  run: OrderContext,
): Promise<unknown> {
  const { context, signal } = run;
  if (name === 'close') return await context.closeDriver(number);
  const driver = context.driver(number);
  if (!driver) throw new DOMException('the driver was closed', 'AbortError');
  switch (name) {
    case 'describe':
      return boundedDescription(await driver.describe(signal));
    case 'check':
      return await driver.check(signal);
    case 'reboot':
      if (!driver.reboot) throw new DeviceFault('not-supported', 'the device cannot be restarted');
      return await driver.reboot(signal);
    case 'listen':
      return await listen(driver, new Map(input as readonly (readonly [string, boolean])[]), run);
    case 'upgrade':
      return await upgrade(driver, input as number, run);
    default:
      throw new TypeError(`no such order: ${name}`);
  }
}

async function listen(driver: Driver, states: ReadonlyMap<string, boolean>, run: OrderContext): Promise<void> {
  if (!driver.listen) throw new DeviceFault('not-supported', 'the device tells no events');
  const { clock } = run.context.context;
  const valve = new EventRateLimiter(() => clock.monotonicMs());
  const queue = new BatchQueue<FeedItem>(clock, (items) => {
    run.report({ items, heldBack: valve.takeHeldBack() } satisfies FeedBatch);
  });
  let retryNow = (): void => undefined;
  run.onReply(() => retryNow());
  try {
    await driver.listen({
      onEvent: (event) => {
        if (valve.pass()) queue.add({ event: bounded(event) });
        else valve.holdBack();
      },
      onState: (state: EventFeedState) => {
        if (state.kind === 'waiting') retryNow = state.retryNow;
        queue.add({ waiting: state.kind === 'waiting' ? toWire(state.fault) : null });
      },
      memory: {
        states,
        remember: (source, isActive) => {
          if (valve.pass()) queue.add({ source, isActive });
        },
      },
      signal: run.signal,
    });
  } finally {
    queue.flush();
  }
}

async function upgrade(driver: Driver, bytes: number, run: OrderContext): Promise<void> {
  if (!driver.upgrade) throw new DeviceFault('not-supported', 'the device takes no firmware');
  const tell = (told: UpgradeMessage): void => run.report(told);
  const waiting = new Map<number, (part: FilePart) => void>();
  let readings = 0;
  run.onReply((told) => {
    const part = told as FilePart;
    waiting.get(part.reading)?.(part);
  });
  const file: FirmwareFile = {
    bytes,
    read: async function* read() {
      readings += 1;
      const reading = readings;
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<FilePart>();
        waiting.set(reading, resolve);
        tell({ reading });
        const { part, fault } = await raceSignal(promise, run.signal);
        if (fault) throw new Error(fault.message);
        if (part === null) return;
        yield part;
      }
    },
  };
  await driver.upgrade(file, (sent) => tell({ sent }), run.signal);
}
