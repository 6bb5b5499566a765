// A site alone follows plans and events: no recording while off, events with pre-roll and mark, both streams, gaps with reasons.
import type { DeviceAssignment, RecordOrder } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let virtual: VirtualSite;
let camera: Omit<DeviceAssignment, 'channels'>;

beforeAll(async () => {
  [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  await site.serve();
  await site.start();
  const found = virtual.devices.find((device) => device.kind === 'camera');
  if (!found) throw new Error('no camera');
  const { target, user, password } = found;
  const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
  camera = { deviceSerial, driver, native, user, password, isOperatorAddress: true };
});
afterAll(async () => {
  await Promise.all([site?.stop(), virtual?.stop()]);
});

async function order(record: Omit<RecordOrder, 'quality' | 'retentionDays'>): Promise<void> {
  const channel = { channelNo: 1, channelId: 'camera1', backfillFrom: null };
  const whole = { ...channel, record: { quality: 0, retentionDays: 30, ...record } } as const;
  await site.ok('assign', { devices: [{ ...camera, channels: [whole] }], settings: site.settings });
}

const daily = (Type: 1 | 2): NonNullable<RecordOrder['plan']> => ({
  days: Array.from({ length: 7 }, (_, index) => ({
    day: index + 1,
    entryList: [{ StartTime: '00:00:00', EndTime: '23:59:59', Type }],
  })),
  holidays: [],
  timeZone: 'Asia/Kathmandu',
});
const never: NonNullable<RecordOrder['plan']> = { days: [], holidays: [], timeZone: 'UTC' };

const recorded = (quality: 0 | 1 = 0) =>
  site.ok('recordings', { channelId: 'camera1', quality, startTime: 0, endTime: Date.now() });
const streams = async () => (await site.ok('health', {})).streams.map((stream) => stream.quality).sort();

it('an event is recorded with its pre-roll, marked, and nothing else is', async () => {
  await order({ plan: daily(2), preRollS: 3 });
  const { deviceSerial } = camera;
  await waitFor(
    'pictures to be held',
    async () => {
      const { streams: held } = await site.ok('health', {});
      return held.some(({ lastFrameAt }) => lastFrameAt !== null) && (await heldFor(5000));
    },
    40_000,
  );
  expect((await recorded()).spans).toEqual([]);
  const eventMs = Date.now();
  await site.ok('trigger', {
    deviceSerial,
    channelNo: 1,
    startTime: eventMs,
    endTime: eventMs + 3000,
    reason: 'manual',
  });
  const { spans } = await waitFor(
    'the event on the disk',
    async () => {
      const found = await recorded();
      return found.spans.some(({ endTime }) => endTime >= eventMs + 2500) && found;
    },
    20_000,
  );
  expect(spans[0]?.startTime).toBeLessThanOrEqual(eventMs - 2500);
  const alarms = spans.filter(({ recordType }) => recordType === 2);
  expect(alarms).toHaveLength(1);
  expect((alarms[0]?.endTime ?? 0) - (alarms[0]?.startTime ?? 0)).toBeGreaterThan(5000);
  expect((await site.call('trigger', { deviceSerial, channelNo: 9, startTime: 1, endTime: 2, reason: 'x' })).code).toBe(
    1006,
  );
  expect((await site.call('trigger', { deviceSerial, channelNo: 1, startTime: 2, endTime: 1, reason: 'x' })).code).toBe(
    1003,
  );
});

let heldSince = 0;
/** Since the first picture, so that the pre-roll is there. */
async function heldFor(ms: number): Promise<boolean> {
  heldSince ||= Date.now();
  return Date.now() - heldSince > ms;
}

it('records both streams where requested, as separate series', async () => {
  await order({ plan: daily(1), secondStream: true });
  const fromMs = Date.now();
  for (const quality of [0, 1] as const) {
    await waitFor(
      `footage of stream ${quality}`,
      async () => (await recorded(quality)).spans.some(({ endTime }) => endTime > fromMs + 2000),
      30_000,
    );
  }
  expect(await streams()).toEqual([0, 1]);
});

it('an empty plan disconnects the camera, and the gap has its reason, also after a kill', async () => {
  await order({ plan: never });
  const offMs = Date.now();
  const gap = await waitFor(
    'the gap',
    async () => {
      const { gaps } = await recorded();
      const last = gaps.at(-1);
      return last !== undefined && last.startTime >= offMs - 3000 && last.endTime - last.startTime > 4000 && last;
    },
    30_000,
  );
  expect(gap.reason).toBe('planOff');
  await site.kill('SIGKILL');
  const killedMs = Date.now();
  await waitFor('a while without a site', () => Date.now() - killedMs > 2500);
  await site.start();
  await order({});
  await waitFor(
    'recording again',
    async () => (await recorded()).spans.some(({ endTime }) => endTime > killedMs + 4000),
    30_000,
  );
  const reasons = (await recorded()).gaps
    .filter(({ startTime }) => startTime >= offMs - 3000)
    .map(({ reason }) => reason);
  expect(reasons[0]).toBe('planOff');
  expect(reasons.every((reason) => reason === 'planOff' || reason === 'siteDown')).toBe(true);
});
