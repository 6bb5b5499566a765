// Recorder groups of real sites: a site that is gone is taken over within ten seconds, one that is there never.
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { SILENT_MS } from '@vedette/rules/recorder-group/take-over.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { findProcess, processesBelow } from '../harness/processes.ts';
import { filesOf, lastFrameMs } from '../harness/recorded-files.ts';
import { RecorderGroupRig, recordingsOf } from '../harness/recorder-group.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const GAP_MAX_MS = 10_000;
/** While a file grows, its index on the disk is a few seconds behind. */
const STOPPED_AFTER_MS = 5000;
/** More than the silence after which a site is taken over, and a beat. */
const LONG_SILENCE_MS = SILENT_MS + 1500;
/** A server that was killed leaves the watch to the next one after ten seconds. */
const NEXT_WATCH_MS = 10_000 + LONG_SILENCE_MS;
/** Of the rig: the site with the cameras, another with room, the spare. */
const [OWNER, OTHER, SPARE] = [0, 1, 2] as const;

let rig: RecorderGroupRig;
let virtual: VirtualSite;
const serials: string[] = [];

beforeAll(async () => {
  [rig, virtual] = await Promise.all([RecorderGroupRig.start(3), startVirtualSite()]);
  const memberList = [OWNER, OTHER, SPARE].map((number) => ({
    siteId: rig.site(number).siteId,
    isSpare: number === SPARE,
    cameraMax: 16,
  }));
  await rig.operator.ok('site/group/save', { groupName: 'Quay', returnsByItself: false, memberList });
  const isOld = instantAfter(LONG_SILENCE_MS);
  const { siteId } = rig.site(OWNER);
  for (const { target, user, password, name } of virtual.devices.filter(({ kind }) => kind === 'camera').slice(0, 2)) {
    const { device } = await rig.operator.ok('device/add', { target, user, password, siteId, deviceName: name });
    serials.push(device.deviceSerial);
  }
  await Promise.all([recordedSince(Date.now()), isOld]);
}, 120_000);

afterAll(async () => {
  await Promise.all([rig?.stop(), virtual?.stop()]);
});

const ours = (deviceSerial: string) => ({ deviceSerial, channelNo: 1, srcType: RECORD_SOURCE.cloud });

async function recorded(deviceSerial: string, startTime: number, endTime = Date.now()) {
  return await rig.operator.ok('record/query', { ...ours(deviceSerial), startTime, endTime });
}

/** Each camera has a second of recordings from after that time. */
async function recordedSince(sinceMs: number): Promise<void> {
  await waitFor(
    'all cameras to be recorded',
    async () => {
      for (const serial of serials) {
        const { recordList } = await recorded(serial, sinceMs, Date.now() + 1);
        if (!recordList.some(({ startTime, endTime }) => endTime - Math.max(startTime, sinceMs) > 1000)) return false;
      }
      return true;
    },
    60_000,
  );
}

async function instantAfter(ms: number): Promise<void> {
  const until = performance.now() + ms;
  await waitFor('the instant', () => performance.now() > until, ms + 5000);
}

async function allOnline(): Promise<void> {
  for (const { siteId } of rig.sites) await waitFor('the site', () => rig.isOnline(siteId), 40_000);
}

/** Nobody has cameras of others. */
async function expectNobodyTaken(): Promise<void> {
  const { memberList } = await rig.group();
  expect(memberList.map(({ state, awayList }) => ({ state, awayList }))).toEqual(
    memberList.map(() => ({ state: 'ready', awayList: [] })),
  );
}

async function takenBySpare(): Promise<void> {
  await waitFor('the spare to have the cameras', async () => {
    const { awayList } = await rig.member(OWNER);
    return awayList.length === 1 && awayList[0]?.siteId === rig.site(SPARE).siteId && awayList[0].cameraTotal === 2;
  });
}

/** Exports lie beside them, in a folder with a dot. */
async function channelsIn(recordings: string): Promise<string[]> {
  const entries = await readdir(recordings, { withFileTypes: true });
  return entries.filter((one) => one.isDirectory() && !one.name.startsWith('.')).map(({ name }) => name);
}

/** Milliseconds between the last frame at one site and the first one at another, by the clock burned into the frames. */
async function gapsBetween(from: number, to: number, sinceMs: number): Promise<number[]> {
  const folder = recordingsOf(rig.site(to));
  const gaps: number[] = [];
  for (const name of await channelsIn(folder)) {
    if (!(await channelsIn(recordingsOf(rig.site(from)))).includes(name)) continue;
    const before = (await filesOf(recordingsOf(rig.site(from)), name))
      .filter(({ startMs }) => startMs < sinceMs)
      .at(-1);
    const after = (await filesOf(folder, name)).find(({ startMs }) => startMs >= sinceMs);
    if (before && after) gaps.push(after.startMs - (await lastFrameMs(before)));
  }
  return gaps;
}

/** Of each channel that is recorded there: when its newest fragment began. */
async function newestRecords(number: number): Promise<number[]> {
  const folder = recordingsOf(rig.site(number));
  const files = await Promise.all((await channelsIn(folder)).map(async (name) => (await filesOf(folder, name)).at(-1)));
  return files.flatMap((file) => file?.index.records.at(-1)?.wallMs ?? []);
}

it('takes nobody over when the database stands still, and when the server is cut off from all sites', async () => {
  const database = (await processesBelow(rig.product.process.pid ?? 0)).filter(({ command }) =>
    /(^|\/)postgres\b/u.test(command),
  );
  expect(database.length).toBeGreaterThan(0);
  for (const { pid } of database) process.kill(pid, 'SIGSTOP');
  await instantAfter(LONG_SILENCE_MS);
  for (const { pid } of database) process.kill(pid, 'SIGCONT');
  await allOnline();
  await expectNobodyTaken();

  for (const { relay } of rig.sites) relay.cut();
  await instantAfter(LONG_SILENCE_MS);
  for (const { relay } of rig.sites) relay.restore();
  // Once the first is heard the others are judged, though they may be between two attempts to dial.
  await waitFor('a site', async () => (await rig.onlineCount()) > 1, 40_000);
  await Promise.all([allOnline(), instantAfter(LONG_SILENCE_MS)]);
  // Cameras that another site had taken would still be there.
  await expectNobodyTaken();
}, 120_000);

let killedAt = 0;

it('[FT-30] [GO-07] gives the cameras of a killed site to the spare, with a gap of ten seconds at most', async () => {
  await recordedSince(Date.now());
  killedAt = Date.now();
  await rig.site(OWNER).process.crash();
  await takenBySpare();
  await recordedSince(killedAt + 1000);
  const gaps = await waitFor('files of both sites', async () => {
    const found = await gapsBetween(OWNER, SPARE, killedAt);
    return found.length === serials.length ? found : undefined;
  });
  process.stdout.write(`${JSON.stringify({ fault: 'site-gone', gapsMs: gaps })}\n`);
  for (const gap of gaps) expect(gap).toBeLessThan(GAP_MAX_MS);
  const { alarmList } = await rig.operator.ok('alarm/list', { types: ['SiteTakenOver'] });
  expect(alarmList).toHaveLength(1);
}, 120_000);

it('tells that recordings of a silent site are there, at a site that is away', async () => {
  for (const serial of serials) {
    const { recordList, gapList } = await recorded(serial, killedAt - 5000);
    expect(recordList.every(({ startTime }) => startTime > killedAt)).toBe(true);
    expect(gapList[0]).toMatchObject({ startTime: killedAt - 5000, reason: 'siteAway' });
  }
});

it('[FT-31] shows one timeline over both sites once the silent one is back, plays both, and records once', async () => {
  await rig.site(OWNER).process.start();
  await waitFor('the site', () => rig.isOnline(rig.site(OWNER).siteId), 40_000);
  for (const deviceSerial of serials) {
    const { recordList, gapList } = await recorded(deviceSerial, killedAt - 5000);
    expect(recordList[0]?.startTime).toBe(killedAt - 5000);
    expect(gapList.filter(({ reason }) => reason === 'siteAway')).toEqual([]);
    for (const [index, { endTime }] of recordList.entries())
      expect(recordList[index + 1]?.startTime ?? endTime).toBeGreaterThanOrEqual(endTime);
    const before = { ...ours(deviceSerial), startTime: killedAt - 5000, endTime: killedAt + 30_000 };
    const first = await rig.operator.ok('record/hls', before);
    expect(new URL(first.url).pathname).toContain(`/far-${rig.site(OWNER).siteId}-`);
    expect(first.endTime).toBeLessThan(killedAt + GAP_MAX_MS);
    expect(await verifyMedia(first.url)).toMatchObject({ codecs: expect.arrayContaining(['h264']), errors: '' });
    const next = await rig.operator.ok('record/hls', { ...before, startTime: first.endTime });
    expect(new URL(next.url).pathname).toContain(`/far-${rig.site(SPARE).siteId}-`);
    expect(await verifyMedia(next.url)).toMatchObject({ codecs: expect.arrayContaining(['h264']), errors: '' });
  }
  const member = await rig.member(OWNER);
  expect(member).toMatchObject({ state: 'takenOver', isOnline: true, cameraTotal: 0 });
}, 60_000);

it('exports a range over both sites, a file from each', async () => {
  const item = { deviceSerial: serials[0] ?? '', channelNo: 1, startTime: killedAt - 5000, endTime: killedAt + 12_000 };
  const { task, otherTasks } = await rig.operator.ok('record/export/start', { items: [item], name: 'Both' });
  expect(otherTasks).toHaveLength(1);
  const sites: string[] = [];
  for (const one of [task, ...otherTasks]) {
    const done = await waitFor('the export', async () => {
      const now = await rig.operator.ok('record/export/status', { task: one });
      expect(now.state).not.toBe('failed');
      return now.state === 'finished' ? now : undefined;
    });
    sites.push(/far-(\w+)-/u.exec(done.url)?.[1] ?? '');
    const file = Buffer.from(await (await fetch(done.url)).arrayBuffer());
    const judged = await verifyMedia('-', file);
    expect(judged).toMatchObject({ errors: '' });
    expect(judged.durationS).toBeGreaterThan(2);
  }
  expect(sites).toEqual([rig.site(OWNER).siteId, rig.site(SPARE).siteId]);
}, 60_000);

it('returns the cameras without a gap, and ends the alarm', async () => {
  const returnedAt = Date.now();
  const { deviceTotal } = await rig.operator.ok('site/group/return', { siteId: rig.site(OWNER).siteId });
  expect(deviceTotal).toBe(2);
  await recordedSince(returnedAt);
  await waitFor('the end of the alarm', async () => {
    const { alarmList } = await rig.operator.ok('alarm/list', { types: ['SiteTakenOver'] });
    return alarmList[0]?.endTime !== null && alarmList[0]?.endTime !== undefined;
  });
  await expectNobodyTaken();
  // Once it has recordings of its own, the taker stops and closes its files: from then on the site records alone.
  const stoppedAt = await waitFor('the spare to stop', async () => {
    const newest = await newestRecords(SPARE);
    return newest.every((at) => Date.now() - at > STOPPED_AFTER_MS) ? Date.now() : undefined;
  });
  await recordedSince(stoppedAt);
  for (const serial of serials) expect((await recorded(serial, returnedAt - 3000)).gapList).toEqual([]);
}, 90_000);

it('[FT-31] of a site that is cut off and its taker both record, though the server is killed meanwhile; nothing of either is lost', async () => {
  await recordedSince(Date.now());
  const cutAt = Date.now();
  rig.site(OWNER).relay.cut();
  await takenBySpare();
  // In the middle of the take-over: the spare may not have been told, or have answered.
  const server = await findProcess(rig.product.process.pid ?? 0, 'main-server.ts');
  process.kill(server.pid, 'SIGKILL');
  const killed = performance.now();
  await waitFor('the spare', () => rig.isOnline(rig.site(SPARE).siteId), 40_000);
  await recordedSince(Date.now());
  rig.site(OWNER).relay.restore();
  await allOnline();
  const backAt = Date.now();
  await recordedSince(backAt);
  for (const deviceSerial of serials) {
    // The site that was cut off went on, so nothing is missing.
    const { gapList, recordList } = await recorded(deviceSerial, cutAt - 3000, backAt);
    expect(gapList).toEqual([]);
    expect(recordList.at(-1)?.endTime).toBe(backAt);
    const late = { ...ours(deviceSerial), startTime: backAt - 1500, endTime: backAt };
    const { url } = await rig.operator.ok('record/hls', late);
    expect(new URL(url).pathname).toContain(`/far-${rig.site(SPARE).siteId}-`);
  }
  const { alarmList } = await rig.operator.ok('alarm/list', { types: ['SiteTakenOver'] });
  expect(alarmList.filter(({ endTime }) => endTime === null)).toHaveLength(1);
  await rig.operator.ok('site/group/return', { siteId: rig.site(OWNER).siteId });
  await recordedSince(Date.now());
  // The server that was started judges by now: nobody is taken over because it was away.
  await instantAfter(Math.max(0, NEXT_WATCH_MS - (performance.now() - killed)));
  await expectNobodyTaken();
}, 120_000);
