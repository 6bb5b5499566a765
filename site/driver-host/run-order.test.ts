// Requests in the drivers' loop: channel calls are bounded, secrets stay on their side, bytes are transferred or copied, shapes list abilities.
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { ChannelDriver } from '@vedette/drivers/kit/driver.ts';
import { expect, test, vi } from 'vitest';
import type { OrderContext } from './order-context.ts';
import { runOrder } from './run-order.ts';
import type { Order } from './wire.ts';

type ChannelOrder = Extract<Order, { on: 'channel' }>;

function contextOf(channel: object): OrderContext & { readonly opened: ReturnType<typeof vi.fn> } {
  const opened = vi.fn(async () => channel as ChannelDriver);
  const context = { openChannel: opened, channel: async () => channel as ChannelDriver };
  const signal = new AbortController().signal;
  return { context, signal, report: () => undefined, opened } as never;
}

const order = (name: string, input: readonly unknown[] = []): ChannelOrder =>
  ({ on: 'channel', driver: 1, channelNo: 2, name, input }) as ChannelOrder;

test('opening a channel answers which members, PTZ and configuration it has', async () => {
  const run = contextOf({
    snapshot: () => undefined,
    replay: () => undefined,
    ptz: { axes: new Set(['pan', 'tilt']), switches: new Set(['wiper']), presets: {}, tours: undefined },
    config: { section: (name: string) => (name === 'image' ? {} : null), switchOutput: () => undefined },
  });
  const { value } = await runOrder(order('open'), run);
  expect(value).toEqual({
    members: ['snapshot', 'replay'],
    ptz: { axes: ['pan', 'tilt'], switches: ['wiper'], hasPresets: true, hasTours: false },
    config: { sections: ['image'], switchesOutputs: true, formatsDisks: false },
  });
  expect(run.opened).toHaveBeenCalledWith(1, 2, run.signal);
});

test('a channel without PTZ and configuration answers null for both', async () => {
  expect((await runOrder(order('open'), contextOf({}))).value).toEqual({ members: [], ptz: null, config: null });
});

test('a snapshot with a buffer of its own is transferred', async () => {
  const data = new Uint8Array([1, 2, 3]);
  const answer = await runOrder(
    order('snapshot'),
    contextOf({ snapshot: async () => ({ contentType: 'image/jpeg', data }) }),
  );
  expect(answer.transfer).toEqual([data.buffer]);
  expect(answer.value).toEqual({ contentType: 'image/jpeg', data });
});

test('a snapshot within a shared buffer is copied, and the type of its content is cut at 200 characters', async () => {
  const pool = new Uint8Array([9, 1, 2, 3, 9]);
  const answer = await runOrder(
    order('snapshot'),
    contextOf({ snapshot: async () => ({ contentType: 'x'.repeat(5000), data: pool.subarray(1, 4) }) }),
  );
  const { contentType, data } = answer.value as { contentType: string; data: Uint8Array };
  expect([...data]).toEqual([1, 2, 3]);
  expect(data.buffer).not.toBe(pool.buffer);
  expect(answer.transfer).toEqual([data.buffer]);
  expect(contentType).toHaveLength(200);
});

test('[SE-82] an answer beyond the bounds is refused as too large', async () => {
  const many = Array.from({ length: 60_000 }, () => 1);
  const asked = runOrder(order('recorded', [0, 1]), contextOf({ recorded: async () => many }));
  await expect(asked).rejects.toBeInstanceOf(DeviceFault);
  await expect(asked).rejects.toMatchObject({ fault: 'answer too large' });
});

test('credentials cross as user and password, without what the loop learnt about them', async () => {
  const talk = { url: 'rtsp://192.0.2.7/', credentials: { user: 'u', password: 'p', schemes: { hadDigest: true } } };
  const answer = await runOrder(order('talk'), contextOf({ talk: async () => talk }));
  expect(answer.value).toEqual({ url: 'rtsp://192.0.2.7/', credentials: { user: 'u', password: 'p' } });
});

test('a call that the channel lacks is refused as not supported', async () => {
  await expect(runOrder(order('snapshot'), contextOf({}))).rejects.toMatchObject({ kind: 'not-supported' });
});

test('an unknown request is refused and calls nothing of the channel', async () => {
  await expect(runOrder(order('no-such-order'), contextOf({}))).rejects.toThrow('no such order: no-such-order');
});
