// How soon a device is found offline and online again, on a fake clock, and how few requests it gets meanwhile.
import type { Socket } from 'node:net';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import { DeviceTrust } from '@vedette/drivers/kit/device-trust.ts';
import type { DeviceDescription, Driver } from '@vedette/drivers/kit/driver.ts';
import type { EventFeedRequest } from '@vedette/drivers/kit/event-feed.ts';
import { testContext } from '@vedette/drivers/testing/driver-context.fake.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import { afterEach, expect, it } from 'vitest';
import { DeviceSupervisor } from './device-supervisor.ts';

const STEP_MS = 10;
const KNOCK_MS = 300;

/** A device of which only the answers are real. */
class StandIn {
  listens = true;
  serves = true;
  isDelivering = false;
  checks = 0;
  knocks = 0;
  retries = 0;
  readonly clock = new FakeClock();
  readonly supervisor: DeviceSupervisor;
  #feed: EventFeedRequest | null = null;

  constructor() {
    const { clock } = this;
    const context = { ...testContext(), clock, dial: () => this.#dial() };
    this.supervisor = new DeviceSupervisor({
      deviceSerial: 'STANDIN1',
      driver: this.#driver(),
      trust: new DeviceTrust(null),
      context,
      clock,
      signInLimiter: new SignInLimiter(clock),
      log: context.log,
      isDelivering: () => this.isDelivering,
      probeEveryMs: () => KNOCK_MS,
      onState: () => undefined,
      onReturned: () => undefined,
      onDescribed: () => undefined,
      memory: { states: new Map(), remember: () => undefined },
      onEvent: () => undefined,
    });
    this.supervisor.start();
  }

  powerOff(): void {
    this.listens = false;
    this.serves = false;
    this.breakFeed();
  }

  powerOn(): void {
    this.listens = true;
    this.serves = true;
  }

  breakFeed(): void {
    const fault = new DeviceFault('unreachable', 'the line was reset');
    this.#feed?.onState({ kind: 'waiting', fault, retryNow: () => void (this.retries += 1) });
  }

  /** Moves the clock until it is so; answers how far, in ms. */
  async until(isSo: () => boolean, limitMs = 60_000): Promise<number> {
    const from = this.clock.monotonicMs();
    while (!isSo() && this.clock.monotonicMs() - from < limitMs) await this.passes(STEP_MS);
    return this.clock.monotonicMs() - from;
  }

  async passes(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      this.clock.advance(STEP_MS);
    }
  }

  #dial(): Promise<Socket> {
    this.knocks += 1;
    if (!this.listens) return Promise.reject(new DeviceFault('unreachable', 'nothing listens'));
    return Promise.resolve({ on: () => undefined, destroy: () => undefined } as unknown as Socket);
  }

  #driver(): Driver {
    return {
      id: 'onvif',
      endpoint: { host: '192.0.2.7', port: 80 },
      describe: () => Promise.resolve({ channels: [] } as unknown as DeviceDescription),
      refresh: () => undefined,
      channel: () => Promise.reject(new DeviceFault('unknown-channel', 'none')),
      check: () => {
        this.checks += 1;
        return this.serves ? Promise.resolve() : Promise.reject(new DeviceFault('unreachable', 'no answer'));
      },
      listen: async (request) => {
        this.#feed = request;
        request.onState({ kind: 'listening' });
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      },
      close: () => Promise.resolve(),
    };
  }
}

const open: StandIn[] = [];
async function standIn(): Promise<StandIn> {
  const device = new StandIn();
  open.push(device);
  await device.until(() => device.supervisor.state.status === 1);
  return device;
}
afterEach(async () => {
  for (const { supervisor } of open.splice(0)) await supervisor.close();
});

it('a device whose connections break is offline within 0.5 s, and online 0.5 s after it accepts connections again, each time', async () => {
  const device = await standIn();
  for (let turn = 0; turn < 3; turn += 1) {
    device.powerOff();
    expect(await device.until(() => device.supervisor.state.status === 0)).toBeLessThanOrEqual(500);
    await device.passes(2000);
    device.powerOn();
    expect(await device.until(() => device.supervisor.state.status === 1)).toBeLessThanOrEqual(500);
    // What listens to its events rests no longer either.
    expect(device.retries).toBe(turn + 1);
    // Its streams may be as they were for a moment: that must not keep the next fall waiting.
    for (let tick = 0; tick < 3; tick += 1) {
      device.supervisor.poke();
      await device.passes(250);
    }
  }
});

it('a single broken connection does not set a device offline', async () => {
  const device = await standIn();
  device.breakFeed();
  await device.passes(3000);
  expect(device.supervisor.state.status).toBe(1);
  // It is asked once more a moment later: what goes down breaks one line after the other.
  expect(device.checks).toBe(2);
});

it('a device that still answered at the first broken connection is found offline soon after', async () => {
  const device = await standIn();
  device.breakFeed();
  await device.passes(50);
  expect(device.checks).toBe(1);
  device.listens = false;
  device.serves = false;
  expect(await device.until(() => device.supervisor.state.status === 0)).toBeLessThanOrEqual(600);
});

it('a device that sends pictures is online while its other services are not', async () => {
  const device = await standIn();
  device.isDelivering = true;
  device.powerOff();
  await device.passes(40_000);
  expect(device.supervisor.state.status).toBe(1);
  device.isDelivering = false;
  device.supervisor.poke();
  expect(await device.until(() => device.supervisor.state.status === 0)).toBeLessThanOrEqual(500);
});

it('broken streams of a device that answers do not cause constant requests', async () => {
  const device = await standIn();
  for (let at = 0; at < 20_000; at += 250) {
    device.supervisor.poke();
    await device.passes(250);
  }
  expect(device.checks).toBeGreaterThanOrEqual(4);
  expect(device.checks).toBeLessThanOrEqual(9);
});

it('a device that accepts connections without serving is polled at the regular pace', async () => {
  const device = await standIn();
  device.serves = false;
  device.breakFeed();
  await device.until(() => device.supervisor.state.status === 0);
  device.checks = 0;
  device.knocks = 0;
  await device.passes(30_000);
  expect(device.checks).toBeLessThanOrEqual(12);
  expect(device.knocks).toBeLessThanOrEqual(12);
});
