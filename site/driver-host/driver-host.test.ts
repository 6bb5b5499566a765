// The watch over the drivers' loop: when it counts as hanging, who is barred for it, when the next one starts, and what becomes of open calls.
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { beforeEach, expect, test } from 'vitest';
import { DriverHost } from './driver-host.ts';
import type { LoopThreadOptions } from './loop-thread.ts';
import type { RemoteContext } from './remote-context.ts';
import { type LoopSettings, SLOT, type ToLoop } from './wire.ts';

/** A drivers' loop of which only its messages and slots are seen. */
class ScriptedThread {
  readonly slots = new Int32Array(new SharedArrayBuffer(SLOT.count * Int32Array.BYTES_PER_ELEMENT));
  readonly posted: ToLoop[] = [];
  readonly options: LoopThreadOptions;
  isEnded = false;

  constructor(options: LoopThreadOptions) {
    this.options = options;
  }

  post(message: ToLoop): void {
    this.posted.push(message);
  }

  async end(): Promise<void> {
    this.isEnded = true;
  }

  beat(): void {
    Atomics.add(this.slots, SLOT.beat, 1);
  }

  contextOf(name: 'first' | 'last'): number {
    const numbers = this.posted.flatMap((message) => (message.kind === 'context' ? [message.context] : []));
    return (name === 'first' ? numbers[0] : numbers.at(-1)) ?? 0;
  }
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined };
let clock: FakeClock;
let threads: ScriptedThread[];
let settings: LoopSettings;
let host: DriverHost;

beforeEach(() => {
  clock = new FakeClock();
  threads = [];
  settings = { cameraNetworks: [], ownPorts: [8800] };
  host = new DriverHost({
    clock,
    log: quiet,
    settings: () => settings,
    start: (options) => {
      const thread = new ScriptedThread(options);
      threads.push(thread);
      return thread;
    },
  });
  host.start();
});

const now = (): ScriptedThread => threads.at(-1) as ScriptedThread;
const ready = (): void => now().options.onMessage({ kind: 'ready' });

function passMs(ms: number, isBeating: boolean): void {
  for (let passed = 0; passed < ms; passed += 250) {
    if (isBeating) now().beat();
    clock.advance(250);
  }
}

interface Asked {
  readonly context: RemoteContext;
  readonly barred: string[];
  readonly result: Promise<unknown>;
}

async function ask(name: string, isRepeatable = false): Promise<Asked> {
  const barred: string[] = [];
  const signal = new AbortController().signal;
  const context = host.context({
    name,
    isOperator: false,
    trust: null,
    signal,
    onQuarantined: (why) => barred.push(why),
  });
  const { length } = now().posted;
  const asked = context.ask(() => ({ on: 'discover', place: {} as never }), { isRepeatable });
  const result = asked.then(
    (value) => value,
    (error: unknown) => (error instanceof DeviceFault ? error.kind : error),
  );
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(now().posted.length, 'it crossed').toBeGreaterThan(length);
  return { context, barred, result };
}

test('[SE-82] five seconds without a beat end the loop; a moment less does not', async () => {
  ready();
  passMs(4750, false);
  now().beat();
  passMs(4750, false);
  expect(threads).toHaveLength(1);
  passMs(500, false);
  expect(now().isEnded).toBe(true);
  expect(host.health.restarts).toBe(1);
});

test('a loop that is not yet ready has a minute to start', () => {
  const [first] = threads;
  passMs(59_500, false);
  expect(first?.isEnded).toBe(false);
  passMs(500, false);
  expect(first?.isEnded).toBe(true);
});

test('[SE-82] whose code ran when the loop hung is barred; calls of all others are interrupted and repeatable ones asked again', async () => {
  ready();
  const guilty = await ask('CAM1');
  const innocent = await ask('CAM2');
  const repeated = await ask('CAM3', true);
  Atomics.store(now().slots, SLOT.owner, now().contextOf('first'));
  passMs(5000, false);
  expect(await guilty.result).toBe('misbehaving');
  expect(guilty.barred).toEqual(['it kept the drivers from answering']);
  expect(await innocent.result).toBe('interrupted');
  expect(innocent.barred).toEqual([]);
  expect(host.health).toEqual({ restarts: 1, quarantined: 1 });
  passMs(250, true);
  expect(threads).toHaveLength(2);
  await new Promise((resolve) => setImmediate(resolve));
  const call = now().posted.find((message) => message.kind === 'call');
  expect(call, 'asked once more of the new loop').toMatchObject({ kind: 'call', order: { on: 'discover' } });
  now().options.onMessage({ kind: 'answer', call: 1, value: 'found' });
  expect(await repeated.result).toBe('found');
});

test('[SE-82] a repeatable call is asked once more, not forever', async () => {
  ready();
  const { result } = await ask('CAM1', true);
  for (let round = 0; round < 2; round += 1) {
    now().options.onEnd(new Error('heap'));
    passMs(1000, false);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await result).toBe('interrupted');
});

test('[SE-82] a device over its budget is barred for a minute, then two, and asked nothing before', async () => {
  ready();
  for (const minutes of [1, 2]) {
    const { context, barred, result } = await ask('CAM1');
    const number = now().contextOf('last');
    now().options.onMessage({ kind: 'over', context: number, over: { what: 'cpu', spent: 12_500 } });
    expect(await result).toBe('misbehaving');
    expect(barred).toEqual(['12500 ms of CPU time within a minute']);
    expect(now().posted.at(-1)).toEqual({ kind: 'contextEnd', context: number });
    const { length } = now().posted;
    passMs(minutes * 60_000 - 250, true);
    const again = context.ask(() => ({ on: 'discover', place: {} as never }), {});
    await expect(again).rejects.toMatchObject({ kind: 'misbehaving' });
    expect(now().posted).toHaveLength(length);
    expect(host.health.quarantined).toBe(1);
    passMs(250, true);
    expect(host.health.quarantined).toBe(0);
  }
  expect(threads, 'the loop itself goes on').toHaveLength(1);
});

test('[SE-82] everybody who asks under the name that was barred is rejected too', async () => {
  ready();
  const [device, probe, other] = [await ask('192.0.2.1'), await ask('192.0.2.1'), await ask('192.0.2.2')];
  now().options.onMessage({ kind: 'over', context: now().contextOf('first'), over: { what: 'bytes', spent: 6e8 } });
  expect([await device.result, await probe.result]).toEqual(['misbehaving', 'misbehaving']);
  expect(probe.barred).toEqual(['600000000 bytes within a minute']);
  now().options.onMessage({ kind: 'answer', call: 3, value: 'on' });
  expect(await other.result).toBe('on');
});

test('loops that end soon are started after ever longer pauses, half a minute at most; one that lived has none', () => {
  const pauses: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { length } = threads;
    const endedMs = clock.monotonicMs();
    now().options.onEnd(new Error('heap'));
    while (threads.length === length) clock.advance(250);
    pauses.push(clock.monotonicMs() - endedMs);
  }
  expect(pauses).toEqual([250, 750, 1750, 3750, 7750, 15_750, 30_000, 30_000, 30_000, 30_000]);
  ready();
  passMs(30_000, true);
  const { length } = threads;
  now().options.onEnd(new Error('heap'));
  clock.advance(0);
  expect(threads).toHaveLength(length + 1);
});

test('messages and the end of a loop that was given up count for nothing', async () => {
  ready();
  const before = now();
  passMs(5000, false);
  passMs(250, true);
  ready();
  const { barred } = await ask('CAM1');
  before.options.onMessage({ kind: 'over', context: now().contextOf('first'), over: { what: 'cpu', spent: 99_999 } });
  before.options.onEnd(new Error('late'));
  expect(barred).toEqual([]);
  expect(host.health.restarts).toBe(1);
});

test('settings cross at the start of each loop and when they change', async () => {
  const told = (): LoopSettings[] =>
    now().posted.flatMap((message) => (message.kind === 'settings' ? [message.settings] : []));
  expect(told()).toEqual([settings]);
  settings = { cameraNetworks: ['10.0.0.0/8'], ownPorts: [8800] };
  passMs(500, true);
  expect(told()).toHaveLength(2);
  expect(told().at(-1)).toEqual(settings);
  now().options.onEnd(null);
  passMs(250, true);
  expect(told()).toEqual([settings]);
});

test('the end of the host ends open calls, whoever waits for a loop, and the loop', async () => {
  const open = await ask('CAM1');
  await host.close();
  expect(await open.result).toBe('interrupted');
  expect(now().isEnded).toBe(true);
  await expect(host.connection()).rejects.toMatchObject({ name: 'AbortError' });
});
