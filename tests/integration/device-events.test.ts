// Events from device over site to a test server: none lost, none twice, in order, over any outage.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceAssignment, DeviceEventReport } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const INPUT = 'tns1:Device/Trigger/DigitalInput';
/** Growth of the whole site while four of its devices mean harm. */
const MEMORY_MAX_BYTES = 128 * 1024 * 1024;

let site: SiteProcess;
let virtual: VirtualSite;
let serials: string[];

beforeAll(async () => {
  [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  await site.serve();
  await site.start();
  const cameras = virtual.devices.filter((one) => one.kind === 'camera').slice(0, 5);
  const devices = await Promise.all(cameras.map((camera) => assignmentOf(camera)));
  serials = devices.map(({ deviceSerial }) => deviceSerial);
  // Only what a test raises shall be told.
  for (const serial of serials) await control(serial, 'events', { watchesScenes: false });
  await site.ok('assign', { devices, settings: site.settings });
  for (const serial of serials) await isListening(serial);
});

afterAll(async () => {
  await Promise.all([site?.stop(), virtual?.stop()]);
});

async function assignmentOf({ target, user, password }: VirtualDevice): Promise<DeviceAssignment> {
  const found = await site.ok('probe', { target, user, password, isOperator: true });
  const { deviceSerial, driver, native } = found;
  const channels = [{ channelNo: 1, channelId: `c${deviceSerial}`, record: null, backfillFrom: null }];
  return { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
}

async function control(serial: string, command: string, input: object = {}): Promise<void> {
  const response = await fetch(`${virtual.controlUrl}/devices/${serial}/${command}`, {
    method: 'POST',
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${command}: ${await response.text()}`);
}

/** Exactly one subscription: more would be such that nobody gave back. */
async function isListening(serial: string): Promise<void> {
  await waitFor(
    `one subscription at ${serial}`,
    async () => {
      const state = (await (await fetch(`${virtual.controlUrl}/state`)).json()) as {
        devices: { serial: string; subscriptions: number }[];
      };
      const found = state.devices.find((device) => device.serial === serial)?.subscriptions;
      if (found !== 1) throw new Error(`${found} subscriptions`);
      return true;
    },
    30_000,
  );
}

function toldOf(serial: string): DeviceEventReport[] {
  return site.events.filter((event) => event.kind === 'deviceEvent').filter((event) => event.deviceSerial === serial);
}

async function told(serial: string, keys: readonly string[]): Promise<DeviceEventReport[]> {
  return await waitFor(
    `events ${keys[0]} to ${keys.at(-1)} of ${serial}`,
    () => {
      const found = toldOf(serial).filter(({ key }) => keys.includes(key));
      if (found.length < keys.length) throw new Error(`${found.length} of ${keys.length}`);
      return found;
    },
    30_000,
  );
}

async function raise(serial: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) await control(serial, 'raise', { topic: INPUT, key });
}

let rounds = 0;
/** Never the same, so that a second try of a test meets nothing of the first. */
function keysOf(word: string, count: number): string[] {
  rounds += 1;
  return Array.from({ length: count }, (_none, index) => `${word}-${rounds}-${index}`);
}
const keyOf = (word: string): string => keysOf(word, 1)[0] as string;
const serialAt = (index: number): string => serials[index] as string;

async function isSettled(): Promise<void> {
  await waitFor('nothing to wait for the server', async () => {
    const { events } = await site.ok('health', {});
    if (events?.waiting !== 0) throw new Error(JSON.stringify(events));
    return true;
  });
}

it('[FT-23] delivers a hundred events raised while the server was down, once and in order', async () => {
  const keys = keysOf('away', 100);
  await isSettled();
  site.events.length = 0;
  await site.stopServing();
  await raise(serialAt(0), keys);
  await site.serve();
  const found = await told(serialAt(0), keys);
  expect(found.map(({ key }) => key)).toEqual(keys);
  expect(new Set(found.map(({ eventId }) => eventId)).size).toBe(100);
  expect(found[0]).toMatchObject({ topic: INPUT, phase: 'start', channelNo: 0, data: { LogicalState: 'true' } });
  await isSettled();
  // What was acknowledged does not come again.
  await site.stopServing();
  await site.serve();
  const afterwards = keysOf('afterwards', 1);
  await raise(serialAt(0), afterwards);
  await told(serialAt(0), afterwards);
  expect(toldOf(serialAt(0))).toHaveLength(101);
});

it('[FT-23] delivers events stored by a killed site, with the same ids', async () => {
  const keys = keysOf('kept', 20);
  await isSettled();
  site.acknowledges = false;
  await raise(serialAt(0), keys);
  const before = await told(serialAt(0), keys);
  const kept = (file: string) => readFile(join(site.data, 'site', file), 'utf8');
  await waitFor('the states on the disk', async () => (await kept('event-states.json')).includes(keys[19] as string));
  await site.kill('SIGKILL');
  const spooled = await kept('events.jsonl');
  expect(keys.filter((key) => !spooled.includes(`"${key}"`))).toEqual([]);
  site.acknowledges = true;
  site.events.length = 0;
  // The killed site gave no subscription back; without this each would be counted until it ends.
  for (const serial of serials) await control(serial, 'forget-subscriptions');
  await control(serialAt(0), 'clear', { topic: INPUT, key: keys[0] });
  await site.start();
  const again = (await told(serialAt(0), keys)).filter(({ phase }) => phase === 'start');
  expect(again.map(({ eventId }) => eventId)).toEqual(before.map(({ eventId }) => eventId));
  for (const serial of serials) await isListening(serial);
  // What turned while there was no site.
  await waitFor('the end of kept0', () =>
    toldOf(serialAt(0)).some(({ key, phase }) => key === keys[0] && phase === 'end'),
  );
});

it("reports state changes of a device's offline time when it is back", async () => {
  const serial = serialAt(1);
  const key = keyOf('before');
  await raise(serial, [key]);
  await told(serial, [key]);
  site.events.length = 0;
  await control(serial, 'stop');
  await control(serial, 'clear', { topic: INPUT, key });
  await control(serial, 'start');
  const [ended] = await told(serial, [key]);
  expect(ended).toMatchObject({ phase: 'end', key });
  await isListening(serial);
  expect(toldOf(serial)).toHaveLength(1);
});

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${site.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

it('[SE-78] devices that hang, flood or send broken XML affect no other, use no memory, and are read again when they recover', async () => {
  const before = await residentBytes();
  const [last, mended] = [keyOf('last'), keyOf('mended')];
  const faults = ['flood', 'doctype', 'truncated', 'hang'];
  for (const [index, kind] of faults.entries()) {
    await control(serialAt(index + 1), 'soap-fault', { operation: 'PullMessages', kind, times: 1000 });
    // Ends the pull that waits, so that the next one meets the fault.
    await raise(serialAt(index + 1), [last]);
  }
  const keys = keysOf('undisturbed', 50);
  await raise(serialAt(0), keys);
  expect((await told(serialAt(0), keys)).map(({ key }) => key)).toEqual(keys);
  await waitFor('a second try at the flood', () => site.log.filter((line) => line.includes('too large')).length > 0);
  expect((await residentBytes()) - before).toBeLessThan(MEMORY_MAX_BYTES);
  // A device that hangs is given up after a minute and a quarter: too long to wait for here.
  for (const serial of serials.slice(1, 4)) {
    await control(serial, 'soap-fault', { times: 0 });
    await raise(serial, [mended]);
    await told(serial, [last, mended]);
  }
});
