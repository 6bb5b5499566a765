// Runs one request inside the drivers' loop and makes its result ready to cross: bounded plain values.
import { discoverDevices } from '@vedette/drivers/discover.ts';
import type { ChannelDriver, SnapshotImage } from '@vedette/drivers/kit/driver.ts';
import { checkAddress } from '@vedette/foundation/network/network-policy.ts';
import { probe } from '@vedette/drivers/probe.ts';
import { scanRange } from '@vedette/drivers/scan-range.ts';
import { SECTION_NAMES } from '@vedette/contract/config/section-names.ts';
import { bounded, boundedDescription } from './bounded-result.ts';
import { channelOrders, type OrderControl } from './channel-orders.ts';
import { runDriverOrder } from './driver-orders.ts';
import type { OrderAnswer, OrderContext } from './order-context.ts';
import type { ChannelShape, Order } from './wire.ts';

export async function runOrder(order: Order, run: OrderContext): Promise<OrderAnswer> {
  const { context: of, signal, report } = run;
  const { context } = of;
  switch (order.on) {
    case 'probe': {
      const { target, credentials } = order;
      const known = credentials && { ...credentials, ...(of.trust && { schemes: of.trust }) };
      return { value: boundedDescription(await probe({ target, credentials: known, context, signal })) };
    }
    case 'discover': {
      const judge = (address: string, port: number) => checkAddress(address, port, of.policy);
      await discoverDevices({
        place: order.place,
        context,
        judge,
        onFound: (device) => report(bounded(device)),
        signal,
      });
      return { value: null };
    }
    case 'scan': {
      const { range, ports } = order;
      const onFound = (device: unknown): void => report(bounded(device));
      const onChecked = (): void => report('checked');
      await scanRange({ range, ports, context, inTurn: run.withSearchSlot, onFound, onChecked, signal });
      return { value: null };
    }
    case 'driver':
      return { value: await runDriverOrder(order, run) };
    case 'channel':
      return await runChannelOrder(order, run);
  }
}

async function runChannelOrder(
  { driver, channelNo, name, input }: Extract<Order, { on: 'channel' }>,
  run: OrderContext,
): Promise<OrderAnswer> {
  if (name === 'open') return { value: shapeOf(await run.context.openChannel(driver, channelNo, run.signal)) };
  const channel = await run.context.channel(driver, channelNo, run.signal);
  const work = (channelOrders as Readonly<Record<string, AnyOrder>>)[name];
  if (work === undefined) throw new TypeError(`no such order: ${name}`);
  const answer = await work(channel, run, ...input);
  if (name === 'snapshot') return picture(answer as SnapshotImage);
  return { value: bounded(plain(answer)) };
}

type AnyOrder = (of: ChannelDriver, line: OrderControl, ...input: readonly unknown[]) => Promise<unknown>;

/** Buffers of their own are transferred, slices of a shared pool are copied. */
function picture({ contentType, data }: SnapshotImage): OrderAnswer {
  const own = data.buffer.byteLength === data.byteLength ? data.buffer : Uint8Array.from(data).buffer;
  return {
    value: { contentType: contentType.slice(0, 200), data: new Uint8Array(own) },
    transfer: own instanceof ArrayBuffer ? [own] : [],
  };
}

/** Pinned trust in credentials is not sent: each side has its own. */
function plain(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('credentials' in answer)) return answer ?? null;
  const { user, password } = (answer.credentials ?? {}) as { user?: string; password?: string };
  return { ...answer, credentials: answer.credentials === null ? null : { user, password } };
}

function shapeOf(channel: ChannelDriver): ChannelShape {
  const { ptz, config } = channel;
  return {
    members: (['snapshot', 'keyframe', 'talk', 'recorded', 'replay'] as const).filter(
      (name) => channel[name] !== undefined,
    ),
    ptz: ptz
      ? {
          axes: [...ptz.axes],
          switches: [...ptz.switches],
          hasPresets: ptz.presets !== undefined,
          hasTours: ptz.tours !== undefined,
        }
      : null,
    config: config
      ? {
          sections: SECTION_NAMES.filter((name) => config.section(name) !== null),
          switchesOutputs: config.switchOutput !== undefined,
          formatsDisks: config.formatDisk !== undefined,
        }
      : null,
  };
}
