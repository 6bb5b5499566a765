// A remote site that was let in and then lies: in answers, events, times, ids, tickets, exports and silence. Whoever has no device there notices nothing.
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import type { SiteCallName } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LyingSite, SILENCE } from '../harness/lying-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { HostileStage, millisecondsOf } from './hostile-stage.ts';
import { candidateAt } from './candidate-at.ts';
import { deviceEvent, type ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, type ServerUnderTest } from './server-under-test.ts';

const MOTION = 'tns1:RuleEngine/CellMotionDetector/Motion';
const YEAR_MS = 365 * 24 * 3_600_000;

let stage: HostileStage;
let server: ServerUnderTest;
let operator: CallClient;
let tenant: CallClient;
let local: ScriptedSite;
let far: LyingSite;
let siteId: string;
let farSerial: string;
let nearSerial: string;

beforeAll(async () => {
  stage = await HostileStage.start();
  ({ server, operator, tenant, local, far, siteId, farSerial, nearSerial } = stage);
});

beforeEach(async () => await stage.calm());

afterAll(async () => await stage?.stop());

const statusOf = async (deviceSerial: string) => await stage.statusOf(deviceSerial);

/** What the remote site says of its own camera, with something wrong in it. */
function motion(more: object = {}): object {
  return { ...deviceEvent(farSerial, { topic: MOTION, phase: 'pulse' }), ...more };
}

async function alarmsOf(caller: CallClient, deviceSerial: string) {
  return (await caller.ok('alarm/list', { pageSize: 200 })).alarmList.filter(
    (one) => one.deviceSerial === deviceSerial,
  );
}

describe('[SE-82] answers of a far site', () => {
  const dev = () => ({ deviceSerial: farSerial, channelNo: 1 });
  const window = () => ({ ...dev(), startTime: Date.now() - 600_000, endTime: Date.now() });
  const deep = JSON.parse('{"a":'.repeat(2000) + '1' + '}'.repeat(2000)) as unknown;
  const wrong: readonly [name: SiteCallName, data: unknown, path: CallPath, input: () => object][] = [
    ['recordings', { spans: [{ startTime: -1, endTime: 5, recordType: 1 }], gaps: [] }, 'record/query', window],
    ['recordings', { spans: [{ startTime: 9, endTime: 5, recordType: 1 }], gaps: [] }, 'record/query', window],
    ['recordings', { spans: 'all', gaps: [] }, 'record/query', window],
    ['recordings', null, 'record/query', window],
    ['presets', { presets: [{ token: 't', name: 'n', picture: '../../../api/docs' }] }, 'preset/list', dev],
    ['presets', { presets: Array(5000).fill({ token: 't', name: 'n', picture: null }) }, 'preset/list', dev],
    ['talk', { codec: '<script>' }, 'talk/url', dev],
    ['configRead', { section: 'image', value: deep, version: 'v', capabilities: {} }, 'config/get', section],
    ['configRead', { section: 'image', value: [], version: 7, capabilities: {} }, 'config/get', section],
    ['exportEstimate', { bytes: -1, recordedMs: 1, availableBytes: 1 }, 'record/export/estimate', items],
    ['exportEstimate', { bytes: 1, recordedMs: 1e308, availableBytes: 1 }, 'record/export/estimate', items],
    ['probe', 7, 'device/probe', probe],
    ['probe', { ...candidateAt('rtsp://192.0.2.2/1'), probeId: 'a\r\nb' }, 'device/probe', probe],
    ['scanStart', { scanId: 'x'.repeat(9999) }, 'device/discover', () => ({ siteId })],
  ];

  function section() {
    return { ...dev(), section: 'image' as const };
  }
  function items() {
    return { items: [window()] };
  }
  function probe() {
    return { target: 'rtsp://192.0.2.2/1', siteId };
  }

  it.each(wrong)('that break the schema of %s are 2316 for whoever asked (%#)', async (name, data, path, input) => {
    far.lies.set(name, () => data);
    const answer = await operator.raw(path, input());
    expect(answer).toMatchObject({ code: 2316, data: { reason: 'fault' } });
  });

  it.each([
    1001, 1002, 2031, 1004, 1013, 1040, 1041, 2004, 77, 1e308,
  ])('that refuse with %s end no session and ask for no password', async (code) => {
    far.refusals.set('keyframe', { code, data: { methods: ['password'], userName: '<b>' } });
    const { code: answeredCode } = await operator.call('keyframe/invoke', dev());
    expect(answeredCode).toBe(2316);
    expect((await operator.call('site/list', {})).code).toBe(200);
  });

  it('that hold more than we know, as of a newer site, are read without it', async () => {
    const at = Date.now() - 60_000;
    const span = { startTime: at, endTime: at + 5000, recordType: 1, mood: 'calm' };
    const gaps = [{ startTime: at + 5000, endTime: at + 9000, reason: 'sunspots' }];
    far.lies.set('recordings', () => ({ spans: [span], gaps, more: [1, 2] }));
    far.lies.set('deviceRecordings', () => ({ spans: [] }));
    const { recordList, gapList } = await operator.ok('record/query', { ...window(), srcType: 1 });
    expect(recordList).toEqual([{ startTime: at, endTime: at + 5000, srcType: 1, recordType: 1 }]);
    expect(gapList).toEqual([{ startTime: at + 5000, endTime: at + 9000, reason: 'unknown' }]);
  });

  it('to what nobody asked, or that come twice, change nothing', async () => {
    for (let id = 0; id < 200; id += 1) far.send({ type: 'answer', id, code: 200, data: { closed: 7 } });
    far.lies.set('keyframe', () => {
      const asked = far.heard.findLast(({ name }) => name === 'keyframe');
      far.send({ type: 'answer', id: asked?.id, code: 1007, data: null });
      return {};
    });
    expect((await operator.call('keyframe/invoke', dev())).code).toBe(1007);
    far.lies.delete('keyframe');
    expect((await operator.call('keyframe/invoke', dev())).code).toBe(200);
  });

  it('cost a look in proportion to the spans that they name, whatever their order', async () => {
    const spans = Array.from({ length: 60_000 }, (_none, at) => ({
      startTime: at * 10_000,
      endTime: at * 10_000 + 5000,
    }));
    const whole = Array.from({ length: 60_000 }, () => ({ startTime: 0, endTime: 9e12 }));
    far.lies.set('recordings', () => ({ spans: spans.map((one) => ({ ...one, recordType: 1 })), gaps: [] }));
    far.lies.set('deviceRecordings', () => ({ spans: whole }));
    const asked = operator.call('record/query', window());
    // Beside it: the server has one event loop for all.
    const slowest = await millisecondsOf(() => tenant.ok('device/list', {}));
    expect((await asked).code).toBe(200);
    expect(slowest).toBeLessThan(5000);
  });

  it('are complained of in one line a minute, however many there are', () => {
    const lines = server.log.filter((line) => line.includes('what is no answer to the call'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(siteId);
  });
});

describe('[SE-82] events of a far site', () => {
  it('that are none are forgotten on both sides, and hold up none that is one', async () => {
    const key = 'after all of these';
    const status = { kind: 'deviceStatus', deviceSerial: farSerial, reason: null, at: 1 };
    const wrong = [
      null,
      [],
      'event',
      {},
      { kind: 'bomb', deviceSerial: farSerial, at: 1 },
      { ...status, status: 1e308 },
      { ...status, status: 1, at: '1' },
      { ...status, status: 1, at: -5 },
      { ...status, status: 1, at: 1e300 },
      { ...status, status: 1, reason: { toString: 'x' } },
      { ...status, status: 1, deviceSerial: ['x'] },
      { ...status, status: 1, deviceSerial: 'x'.repeat(100_000) },
      { kind: 'channelStatus', deviceSerial: farSerial, channelNo: 1e12, status: 1, isRecording: true, at: 1 },
      { kind: 'channelStatus', deviceSerial: farSerial, channelNo: 1, status: 1, isRecording: 'yes', at: 1 },
      motion({ eventId: '' }),
      motion({ eventId: 'x'.repeat(5000) }),
      motion({ phase: 'storm' }),
      motion({ channelNo: -1 }),
      motion({ source: 'x' }),
      motion({ data: { __proto__: null, a: { b: 1 } } }),
      motion({ data: Object.fromEntries(Array.from({ length: 5000 }, (_none, at) => [`k${at}`, ''])) }),
    ];
    const closed = far.closed.length;
    for (const event of wrong) far.tell(event);
    await far.isAcknowledged(far.tell(motion({ key })));
    expect(far.closed.length).toBe(closed);
    const alarms = await alarmsOf(operator, farSerial);
    expect(alarms.map(({ type }) => type)).toContain('MotionAlarm');
    expect(server.log.filter((line) => line.includes('events that are none'))).toHaveLength(1);
  });

  it("about another tenant's camera raise nothing there, change nothing of it, and judge no clock", async () => {
    const status = { kind: 'deviceStatus', deviceSerial: nearSerial, status: 0, reason: 'fault', at: Date.now() };
    far.tell(status);
    far.tell({ kind: 'channelStatus', deviceSerial: nearSerial, channelNo: 1, status: 0, isRecording: false, at: 1 });
    const wrongClock = { deviceSerial: nearSerial, deviceAt: 1 };
    for (let count = 0; count < 5; count += 1) far.tell(motion({ ...wrongClock, eventId: `clock${count}` }));
    // The same of its own camera shows that the clocks have been looked at since.
    for (let count = 0; count < 4; count += 1) far.tell(motion({ deviceAt: 1, eventId: `own${count}` }));
    for (const name of ['*', '%', '../..', "' or 1=1 --", nearSerial.toLowerCase()])
      far.tell({ ...status, deviceSerial: name });
    const has = async (caller: CallClient, serial: string, type: string) =>
      (await alarmsOf(caller, serial)).some((one) => one.type === type);
    await waitFor('the clocks to be judged', () => has(operator, farSerial, 'ClockWrong'));
    expect(await statusOf(nearSerial)).toBe(1);
    expect(await has(tenant, nearSerial, 'ClockWrong')).toBe(false);
    expect(await has(tenant, nearSerial, 'MotionAlarm')).toBe(false);
  });

  it('count from the day on which the camera was added to now, and make no partition of any other', async () => {
    const days = async () =>
      (await runSql(server, `select count(*)::int as n from pg_inherits where inhparent = 'alarm'::regclass`))[0]?.[
        'n'
      ];
    const before = await days();
    const begunAt = Date.now();
    const wrong = [
      0,
      1,
      begunAt - 30 * YEAR_MS,
      begunAt - 80 * 24 * 3_600_000,
      begunAt + 20 * 3_600_000,
      begunAt + 30 * YEAR_MS,
      8.64e15,
    ];
    const far89 = Array.from({ length: 85 }, (_none, day) => begunAt - day * 24 * 3_600_000);
    let seq = 0;
    for (const [at, time] of [...wrong, ...far89].entries())
      seq = far.tell(motion({ at: time, eventId: `time${at}`, key: `time${at}` }));
    await far.isAcknowledged(seq);
    expect(await days()).toBe(before);
    const [row] = (await runSql(
      server,
      `select created_at::float8 as created from device where device_serial = '${farSerial}'`,
    )) as { created: number }[];
    const rows = (await runSql(
      server,
      `select min(start_time)::float8 as first, max(start_time)::float8 as last from alarm where device_id = (select device_id from device where device_serial = '${farSerial}')`,
    )) as { first: number; last: number }[];
    expect(rows[0]?.first).toBeGreaterThanOrEqual(row?.created ?? Number.NaN);
    expect(rows[0]?.last).toBeLessThanOrEqual(Date.now());
  });

  it('of a status in years to come do not outlive what is told later', async () => {
    const status = { kind: 'deviceStatus', deviceSerial: farSerial, reason: null };
    await far.isAcknowledged(far.tell({ ...status, status: 0, at: Date.now() + 10 * YEAR_MS }));
    expect(await statusOf(farSerial)).toBe(0);
    await far.isAcknowledged(far.tell({ ...status, status: 1, at: Date.now() + 1000 }));
    expect(await statusOf(farSerial)).toBe(1);
    const { latestOnline } = (await operator.ok('device/get', { deviceSerial: farSerial })).device;
    expect(latestOnline).toBeLessThanOrEqual(Date.now());
  });

  it('take no id of an event of another site', async () => {
    const eventId = 'the-same-for-both';
    await far.isAcknowledged(far.tell(motion({ eventId, key: 'mine' })));
    const before = (await alarmsOf(tenant, nearSerial)).length;
    await local.reportEvent(nearSerial, { topic: MOTION, phase: 'pulse', eventId, key: 'theirs' });
    expect(await alarmsOf(tenant, nearSerial)).toHaveLength(before + 1);
  });
});

describe('[SE-82] a far site that is silent, or refuses everything', () => {
  async function ticketOf(caller: CallClient, deviceSerial: string): Promise<void> {
    await caller.ok('capture/get', { deviceSerial, channelNo: 1 });
  }

  it('holds up no withdrawal at another site', async () => {
    far.lies.set('revoke', () => SILENCE);
    far.lies.set('assignOne', () => SILENCE);
    for (let count = 0; count < 3; count += 1) {
      const session = await server.signIn(OPERATOR.username, OPERATOR.password);
      await ticketOf(session, farSerial);
      await session.ok('account/logout', {});
    }
    await waitFor('the far site to be asked', () => far.heard.some(({ name }) => name === 'revoke'));
    const session = await server.signIn('tenant', 'Secret-1');
    await ticketOf(session, nearSerial);
    const [ticketId = ''] = [...local.tickets.keys()].slice(-1);
    const begunAt = Date.now();
    await session.ok('account/logout', {});
    const revoked = await waitFor('the near ticket to end', () =>
      local.revoked.find((one) => one.ticketId === ticketId),
    );
    expect(revoked.at - begunAt).toBeLessThan(2000);
  });

  it('neither delays nor hears of a camera elsewhere that is deleted', async () => {
    far.lies.set('assignOne', () => SILENCE);
    const { device } = await tenant.ok('device/add', { target: 'rtsp://192.0.2.77/1', deviceName: 'Gone soon' });
    const { deviceSerial } = device;
    expect(await millisecondsOf(() => tenant.ok('device/delete', { deviceSerial }))).toBeLessThan(4000);
    expect(local.assigned.has(deviceSerial)).toBe(false);
    expect(JSON.stringify(far.heard)).not.toContain(deviceSerial);
  });

  it('neither delays nor changes exports elsewhere, and hears of none', async () => {
    const span = {
      deviceSerial: nearSerial,
      channelNo: 1,
      startTime: Date.now() - 60_000,
      endTime: Date.now() - 30_000,
    };
    const { task } = await tenant.ok('record/export/start', { items: [span] });
    const own = local.exports.get(task);
    if (own === undefined) throw new Error('the export was not handed on');
    local.exports.set(task, { ...own, state: 'running', percent: 40, finishedAt: null });
    far.lies.set('exportStatus', () => ({ exports: [{ ...own, name: 'Theirs.mp4', sha256: 'ff'.repeat(32) }] }));
    const status = () => tenant.ok('record/export/status', { task });
    expect(await status()).toMatchObject({ state: 'running', percent: 40 });
    far.close();
    await stage.back();
    await waitFor('its exports to be compared', () => far.heard.findLast(({ name }) => name === 'exportEnd'));
    expect(await status()).toMatchObject({ state: 'running', percent: 40 });
    local.exports.set(task, own);
    expect(await status()).toMatchObject({ state: 'finished', sha256: own.sha256 });
    const since = far.heard.length;
    far.lies.set('exportStatus', () => SILENCE);
    far.refusals.set('exportEnd', { code: 1000, data: null });
    expect(await millisecondsOf(status)).toBeLessThan(4000);
    expect(await millisecondsOf(() => tenant.ok('record/export/cancel', { task }))).toBeLessThan(4000);
    expect(local.endedExports.at(-1)).toMatchObject({ taskId: task });
    expect(JSON.stringify(far.heard.slice(since))).not.toContain(task);
  });

  it('that says it holds tickets of others ends none of them', async () => {
    await ticketOf(tenant, nearSerial);
    const [near = ''] = [...local.tickets.keys()].slice(-1);
    const revoked = local.revoked.length;
    far.lies.set('tickets', () => ({ ticketIds: [near, 'never-given'] }));
    far.close();
    await stage.back();
    const asked = await waitFor('it to be told to end them', () => far.heard.findLast(({ name }) => name === 'revoke'));
    expect(asked.input).toMatchObject({ ticketIds: expect.arrayContaining([near]) });
    expect(local.revoked.length).toBe(revoked);
    expect(local.tickets.has(near)).toBe(true);
    const rows = await runSql(server, `select 1 from media_ticket where ticket_id = '${near}'`);
    expect(rows).toHaveLength(1);
  });
});

describe('[SE-82] what a far site says of addresses', () => {
  it('leads nobody to this machine: they stay with the site, those of single hosts are kept', async () => {
    const assigned = far.heard.filter(({ name }) => name === 'assignOne' || name === 'assign');
    expect(JSON.stringify(assigned)).toContain('127.0.0.1:5432');
    expect(JSON.stringify([...local.assigned.values()])).not.toMatch(/127\.0\.0\.1|169\.254/);
    await stage.back({
      addresses: ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.1.1', '224.0.0.1', '192.168.7.7', 7, '<b>'],
    });
    const rows = await runSql(server, `select direct_addresses as list from site where site_id = '${siteId}'`);
    expect(rows[0]?.['list']).toEqual(['192.168.7.7']);
  });
});
