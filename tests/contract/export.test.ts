// Exports by calls: rights of every range, exports of others, and a right that ends the export.
import { createHash } from 'node:crypto';
import { QUOTAS } from '@vedette/contract/quotas.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guest: CallClient;
let shared: string;
let own: string;
const times = { startTime: 1_000_000, endTime: 1_060_000 };
const items = (...serials: string[]) => serials.map((deviceSerial) => ({ deviceSerial, channelNo: 1, ...times }));

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const add = async (host: string) => {
    const { device } = await operator.ok('device/add', { target: `rtsp://${host}/1`, deviceName: host });
    return device.deviceSerial;
  };
  [shared, own] = [await add('192.0.2.1'), await add('192.0.2.2')];
  await operator.ok('user/add', { username: 'guest', password: 'Secret-1', userType: 2 });
  guest = await server.signIn('guest', 'Secret-1');
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function share(permission: readonly ('videoView' | 'videotapeView' | 'Export')[]): Promise<string> {
  const what = [{ deviceSerial: shared, channelNo: 1 }];
  return (await operator.ok('share/add', { account: 'guest', items: what, permission: [...permission] })).shareId;
}

async function withdraw(shareId: string): Promise<void> {
  await operator.ok('share/delete', { shareId, shareType: 2 });
}

describe('[SE-21] rights', () => {
  it('[SE-100] counts queued exports per account', async () => {
    const tasks: string[] = [];
    for (let waiting = 0; waiting < QUOTAS.exports.usual.super; waiting += 1)
      tasks.push((await operator.ok('record/export/start', { items: items(own) })).task);
    expect((await operator.raw('record/export/start', { items: items(own) })).code).toBe(1011);
    const replay = await share(['videotapeView', 'Export']);
    const { task } = await guest.ok('record/export/start', { items: items(shared) });
    await guest.ok('record/export/cancel', { task });
    for (const one of tasks) await operator.ok('record/export/cancel', { task: one });
    await withdraw(replay);
  });

  it('refuses the export when one range lacks the right to replay', async () => {
    const before = site.exports.size;
    expect((await guest.raw('record/export/start', { items: items(shared) })).code).toBe(1009);
    const live = await share(['videoView']);
    expect((await guest.raw('record/export/start', { items: items(shared) })).code).toBe(1004);
    await withdraw(live);
    const replay = await share(['videotapeView', 'Export']);
    expect((await guest.raw('record/export/start', { items: items(shared, own) })).code).toBe(1009);
    expect((await guest.raw('record/export/estimate', { items: items(own) })).code).toBe(1009);
    expect(site.exports.size).toBe(before);
    const { task } = await guest.ok('record/export/start', { items: items(shared) });
    expect(site.exports.has(task)).toBe(true);
    await guest.ok('record/export/cancel', { task });
    expect(site.exports.has(task)).toBe(false);
    await withdraw(replay);
  });

  it('refuses reversed ranges and ranges beyond a day by field, and unavailable qualities', async () => {
    const range = { deviceSerial: own, channelNo: 1, startTime: 5000 };
    const refused = (endTime: number) => operator.raw('record/export/start', { items: [{ ...range, endTime }] });
    expect(await refused(5000)).toMatchObject({ code: 1003, data: { 'items.0.endTime': 'tooSmall' } });
    expect(await refused(86_500_000)).toMatchObject({ code: 1003, data: { 'items.0.endTime': 'tooBig' } });
    const zone = { items: items(own), burnIn: true, timeZone: 'Mars/Olympus' };
    expect(await operator.raw('record/export/start', zone)).toMatchObject({ code: 1003, data: { timeZone: 'format' } });
  });

  it('burns date and time in by the zone that was asked for, else by that of the device, else by ours', async () => {
    const zoneOf = async (extra: object) => {
      const { task, burnIn } = await operator.ok('record/export/start', { items: items(own), ...extra });
      const [item] = site.exportOrders.find(({ taskId }) => taskId === task)?.items ?? [];
      await operator.ok('record/export/cancel', { task });
      return [burnIn, item?.burnInZone];
    };
    expect(await zoneOf({})).toEqual([false, undefined]);
    expect(await zoneOf({ timeZone: 'Asia/Tokyo' })).toEqual([false, undefined]);
    expect(await zoneOf({ burnIn: true })).toEqual([true, new Intl.DateTimeFormat().resolvedOptions().timeZone]);
    const dev = { deviceSerial: own, channelNo: 1 };
    const known = await operator.ok('record/plan/get', dev);
    const { quotaBytes, secondStream, quality, retentionDays, preRoll, holidayList, plan, version } = known;
    const kept = { quotaBytes, secondStream, quality, retentionDays, preRoll, holidayList, plan, version };
    await operator.ok('record/plan/set', { ...dev, ...kept, timeZone: 'America/Lima' });
    expect(await zoneOf({ burnIn: true })).toEqual([true, 'America/Lima']);
    expect(await zoneOf({ burnIn: true, timeZone: 'Asia/Tokyo' })).toEqual([true, 'Asia/Tokyo']);
  });

  it('refuses a burn-in that the site cannot do, and keeps nothing of it', async () => {
    site.refusals.set('exportStart', { code: 1006, data: null });
    expect((await operator.raw('record/export/start', { items: items(own), burnIn: true })).code).toBe(1006);
    site.refusals.delete('exportStart');
    expect((await operator.ok('record/export/list', {})).total).toBe(0);
  });

  it('[SE-36] answers not found for an export of another account, whoever asks', async () => {
    const { task } = await operator.ok('record/export/start', { items: items(own) });
    for (const path of ['record/export/status', 'record/export/cancel'] as const) {
      expect((await guest.raw(path, { task })).code, path).toBe(1007);
    }
    expect((await guest.ok('record/export/list', {})).total).toBe(0);
    await operator.ok('record/export/cancel', { task });
  });
});

describe('[SE-33] losing a right', () => {
  it.each([
    ['the share is withdrawn', 1017, (shareId: string) => withdraw(shareId)],
    ['the device is removed', 1009, () => operator.ok('device/delete', { deviceSerial: shared })],
  ])('%s: ends the export within two seconds with %i, and issues no ticket', async (_what, code, cause) => {
    const shareId = await share(['videotapeView', 'Export']);
    const { task } = await guest.ok('record/export/start', { items: items(shared) });
    await guest.ok('record/export/status', { task });
    await cause(shareId);
    await waitFor('the site to be told', () => site.endedExports.some((one) => one.taskId === task), 2000);
    expect(site.endedExports.find((one) => one.taskId === task)?.code).toBe(code);
    expect(await guest.ok('record/export/status', { task })).toMatchObject({ state: 'failed', code, ticket: '' });
  });
});

describe('[FT-42] across restarts', () => {
  it('the ticket opens the finished export and nothing else', async () => {
    const { task } = await operator.ok('record/export/start', { items: items(own), name: 'Theft' });
    const status = await operator.ok('record/export/status', { task });
    expect(status).toMatchObject({ state: 'finished', sha256: 'ab'.repeat(32), percent: 100 });
    expect(status.url).toContain(`/media/export/${status.ticket}`);
    const hash = createHash('sha256').update(status.ticket).digest('hex');
    const grant = [...site.tickets.values()].find(({ ticketHash }) => ticketHash === hash);
    expect(grant).toMatchObject({ kind: 'export', exportId: task, deviceSerial: own });
  });

  it('a lost export is requested from the site again', async () => {
    const { task, createTime } = await operator.ok('record/export/start', { items: items(own) });
    // A younger one may still be on its way to the site.
    await waitFor('the order to be settled', () => Date.now() - createTime > 600);
    await site.hangUp();
    site = await ScriptedSite.dial(server);
    await waitFor('the order to come again', () => site.exports.has(task), 5000);
  });
});
