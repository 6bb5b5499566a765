// A task run over recordings by the real site, runtime and model: it finds what the live path found, one runs at a time, and it ends with its ticket.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { ReplayEvent, ReplayProgress } from '@vedette/contract/site/site-replay.ts';
import type { DeviceAssignment, DeviceEventReport } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { findProcess } from '../harness/processes.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let virtual: VirtualSite;
let camera: Omit<DeviceAssignment, 'channels'>;
let range: { startTime: number; endTime: number };

const STREET = '西门街道';
const CROSSINGS = 3;
const CROSSED_WITHIN_MS = 180_000;

const LINE = {
  regionId: 'middle',
  regionName: 'Middle',
  kind: 'line',
  points: [
    { x: 0.5, y: 0 },
    { x: 0.5, y: 1 },
  ],
  direction: 'both',
} as const;
const order: AnalysisOrder = {
  taskId: 'crossing',
  algorithm: 'lineCrossing',
  regions: [LINE],
  classes: ['person', 'vehicle'],
  threshold: 10,
  minHeight: 0.02,
  maxHeight: 1,
  dwellS: 10,
  densityLevels: [3, 6, 10],
};

const assign = (analysis: readonly AnalysisOrder[]) => {
  const record = { quality: 1, retentionDays: 30 } as const;
  const channel = { channelNo: 1, channelId: 'street', record, backfillFrom: null, analysis };
  return site.ok('assign', { devices: [{ ...camera, channels: [channel] }], settings: site.settings });
};
const crossings = () =>
  site.events.filter(
    (event): event is DeviceEventReport =>
      event.kind === 'deviceEvent' && event.topic.endsWith('LineDetectorCrossed') && event.phase === 'pulse',
  );
const ticketOf = (sessionId: string, more = {}) =>
  site.ticket({ kind: 'fragments', deviceSerial: camera.deviceSerial, channelNo: 1, range, sessionId, ...more });
const start = async (sessionId: string) =>
  (await site.ok('replayStart', { ticket: await ticketOf(sessionId), order })).replayId;
const get = (replayId: string, sessionId: string, from = 0): Promise<ReplayProgress> =>
  site.ok('replayGet', { replayId, sessionId, from });
const isOver = async (replayId: string, sessionId: string) => {
  const { code } = await site.call('replayGet', { replayId, sessionId, from: 0 });
  return code === 1007;
};

describe.skipIf(!hasAnalystRuntime)('a task run over recordings', () => {
  beforeAll(async () => {
    [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
    await site.serve();
    await site.start();
    const found = virtual.devices.find(({ name }) => name === STREET);
    if (!found) throw new Error('no street');
    const { target, user, password } = found;
    const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
    camera = { deviceSerial, driver, native, user, password, isOperatorAddress: true };
  }, 60_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop()]);
  });

  it('is refused where nothing can look at frames, and for a ticket of another kind', async () => {
    await assign([order]);
    range = { startTime: Date.now() - 60_000, endTime: Date.now() };
    const refused = await site.call('replayStart', { ticket: await ticketOf('one'), order });
    expect(refused).toMatchObject({ code: 1006, data: { reason: 'noAnalyst' } });
    await symlink(analystRuntime, join(site.data, 'analyst'));
    const other = await ticketOf('one', { kind: 'hls' });
    expect((await site.call('replayStart', { ticket: other, order })).code).toBe(1007);
    const long = await ticketOf('one', { range: { startTime: 0, endTime: 7 * 3_600_000 } });
    expect((await site.call('replayStart', { ticket: long, order })).code).toBe(1003);
  });

  it(
    '[RS-03] finds what the live path found in the same recordings',
    async () => {
      const since = Date.now();
      await waitFor('crossings', () => Promise.resolve(crossings().length >= CROSSINGS), CROSSED_WITHIN_MS);
      await assign([]);
      const live = crossings();
      range = { startTime: since - 10_000, endTime: Date.now() };
      const replayId = await start('one');
      const done = await waitFor(
        'its end',
        async () => {
          const now = await get(replayId, 'one');
          return now.state === 'running' ? undefined : now;
        },
        CROSSED_WITHIN_MS,
      );
      expect(done).toMatchObject({ state: 'finished', fault: null });
      expect(done.recordedMs).toBeGreaterThan(0);
      expect(done.doneMs).toBeCloseTo(done.recordedMs, 3);
      expect(done.frames).toBeGreaterThan(0);
      const events = await allEvents(replayId, done.total);
      const missed = live.filter((event) => !events.some((one) => isSame(one, event)));
      // Frames are picked a fraction of a second apart: one that turns at the line may be seen by one of them alone.
      expect(missed.length, JSON.stringify({ live: live.map(shortOf), events: events.map(brief) })).toBeLessThanOrEqual(
        1,
      );
      expect(events.length).toBeLessThanOrEqual(live.length + 2);
      const media = await verifyMedia('pipe:0', Buffer.from(events[0]?.picture ?? '', 'base64'));
      expect(media).toMatchObject({ codecs: ['mjpeg'], frames: 1, errors: '' });
      expect(await isOver(replayId, 'another')).toBe(true);
    },
    2 * CROSSED_WITHIN_MS,
  );

  it('runs alone, and leaves the machine with its ticket within two seconds', async () => {
    const ticketId = 'withdrawn';
    const ticket = await ticketOf('one', { ticketId });
    const { replayId } = await site.ok('replayStart', { ticket, order });
    expect(await site.call('replayStart', { ticket: await ticketOf('two'), order })).toMatchObject({
      code: 1012,
      data: { reason: 'replayRuns' },
    });
    await waitFor('its analyst', async () => (await get(replayId, 'one')).frames > 0, 60_000);
    await site.ok('revoke', { ticketIds: [ticketId], code: 1017 });
    await waitFor('its end', () => isOver(replayId, 'one'), 2000);
    await waitFor('the end of its analyst', async () => !(await isAnalystThere()), 2000);
    const next = await start('two');
    await site.ok('replayStop', { replayId: next, sessionId: 'one' });
    expect(await isOver(next, 'two'), 'of another session').toBe(false);
    await site.ok('replayStop', { replayId: next, sessionId: 'two' });
    expect(await isOver(next, 'two')).toBe(true);
  }, 120_000);
});

async function isAnalystThere(): Promise<boolean> {
  try {
    await findProcess(site.pid, 'main-analyst.ts');
    return true;
  } catch {
    return false;
  }
}

async function allEvents(replayId: string, total: number): Promise<ReplayEvent[]> {
  const events: ReplayEvent[] = [];
  while (events.length < total) events.push(...(await get(replayId, 'one', events.length)).events);
  return events;
}

function isSame(one: ReplayEvent, live: DeviceEventReport): boolean {
  const isNear = Math.abs(one.at - live.at) < 1500;
  return isNear && one.direction === live.data['direction'] && one.objectClass === live.data['class'];
}

const shortOf = ({ at, data }: DeviceEventReport) => ({ at, class: data['class'], direction: data['direction'] });
const brief = ({ picture: _picture, ...event }: ReplayEvent) => event;
