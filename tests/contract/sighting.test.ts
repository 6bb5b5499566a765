// The search for what edge intelligence saw: stored once, found by class, channel, time and area, with its picture, by those alone who may play the recordings.
import type { CallInput, CallOutput } from '@vedette/contract/calls/calls.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { deleteOldSightings } from '../../server/database/sighting/sighting-store.queries.ts';
import { runSql } from './account-steps.ts';
import { JPEG, sightingReport } from './inputs/sightings.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let site: ScriptedSite;
let opened: DatabaseConnection;
let gate: string;
let yard: string;

const NOON = Date.now() - 3_600_000;
const MINUTE = 60_000;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  opened = openDatabase({ url: server.database.url, onError: () => undefined });
  const add = async (host: string, deviceName: string) =>
    (await operator.ok('device/add', { target: `rtsp://${host}/1`, deviceName })).device.deviceSerial;
  [gate, yard] = [await add('192.0.2.1', 'Gate'), await add('192.0.2.2', 'Yard')];
  for (const minute of [0, 1, 2, 3, 4]) await site.reportStored(sightingReport(gate, { at: NOON + minute * MINUTE }));
  // From the right border to the middle of the lower half.
  const path = [
    [0, 0.8, 0.5, 0.2, 0.2],
    [2000, 0.4, 0.7, 0.2, 0.2],
  ] as const;
  await site.reportStored(sightingReport(yard, { at: NOON + 90_000, objectClass: 'vehicle', trackId: 9, path }));
});
afterAll(async () => {
  await opened?.database.destroy();
  await site?.hangUp();
  await server?.stop();
});

const search = async (more: Partial<CallInput<'ai/sighting/list'>> = {}, caller = operator) =>
  await caller.ok('ai/sighting/list', { startTime: NOON - MINUTE, endTime: NOON + 3_600_000, ...more });
const minutes = async (more: Partial<CallInput<'ai/sighting/list'>>, caller = operator) =>
  (await search(more, caller)).sightingList.map(({ startTime }) => (startTime - NOON) / MINUTE);
const square = (left: number, top: number, side: number) => [
  { x: left, y: top },
  { x: left + side, y: top },
  { x: left + side, y: top + side },
  { x: left, y: top + side },
];

describe('a search', () => {
  it('[RS-03] finds objects of all cameras, newest first, with what is known of them', async () => {
    expect(await minutes({})).toEqual([4, 3, 2, 1.5, 1, 0]);
    const { sightingList } = await search({ classList: ['vehicle'] });
    expect(sightingList).toEqual([
      {
        sightingId: expect.any(String),
        trackId: 9,
        deviceSerial: yard,
        deviceName: 'Yard',
        channelNo: 1,
        channelName: expect.any(String),
        objectClass: 'vehicle',
        score: 0.8,
        startTime: NOON + 90_000,
        bestTime: NOON + 91_000,
        endTime: NOON + 92_000,
        regionList: ['Yard'],
        hasPicture: true,
      },
    ]);
  });

  it('is narrowed by class, camera and time', async () => {
    expect(await minutes({ classList: ['person'] })).toEqual([4, 3, 2, 1, 0]);
    expect(await minutes({ classList: ['animal', 'bag'] })).toEqual([]);
    expect(await minutes({ devices: [{ deviceSerial: yard }] })).toEqual([1.5]);
    expect(await minutes({ devices: [{ deviceSerial: yard, channelNo: 2 }] })).toEqual([]);
    expect(await minutes({ devices: [{ deviceSerial: 'UNKNOWN1' }] })).toEqual([]);
    // What began before is in it, too; its end is outside.
    expect(await minutes({ startTime: NOON + MINUTE + 1000, endTime: NOON + 3 * MINUTE })).toEqual([2, 1.5, 1]);
  });

  it('is narrowed by an area through which feet went', async () => {
    // The feet of the people go from (0.15, 0.5) to (0.35, 0.5).
    expect(await minutes({ zone: square(0.1, 0.4, 0.2) })).toEqual([4, 3, 2, 1, 0]);
    expect(await minutes({ zone: square(0.2, 0.45, 0.1) }), 'between two points').toEqual([4, 3, 2, 1, 0]);
    expect(await minutes({ zone: square(0.05, 0.05, 0.3) }), 'above the feet').toEqual([]);
    expect(await minutes({ zone: square(0, 0, 1) })).toEqual([4, 3, 2, 1.5, 1, 0]);
    expect(await minutes({ zone: square(0.45, 0.8, 0.15) })).toEqual([1.5]);
    // A triangle whose rectangle has the path, but not its area.
    const corner = [
      { x: 0, y: 0 },
      { x: 0.4, y: 0 },
      { x: 0, y: 0.55 },
    ];
    expect(await minutes({ zone: corner })).toEqual([]);
  });

  it('is answered in pages', async () => {
    const first = await search({ pageSize: 4 });
    expect(first.sightingList).toHaveLength(4);
    const second = await search({ pageSize: 4, cursor: first.next ?? '' });
    expect(second.sightingList.map(({ startTime }) => (startTime - NOON) / MINUTE)).toEqual([1, 0]);
    expect(second.next).toBeNull();
  });

  it.each<[string, Partial<CallInput<'ai/sighting/list'>>, Record<string, string>]>([
    ['a range that runs backwards', { endTime: NOON - 2 * MINUTE }, { endTime: 'tooSmall' }],
    ['a cursor that is none', { cursor: "1' or 1=1" }, { cursor: 'format' }],
    ['an area of two points', { zone: square(0, 0, 1).slice(2) }, { zone: 'tooShort' }],
    [
      'a point outside the picture',
      { zone: square(0.5, 0.5, 1) },
      { 'zone.1.x': 'tooBig', 'zone.2.x': 'tooBig', 'zone.2.y': 'tooBig', 'zone.3.y': 'tooBig' },
    ],
    ['no class', { classList: [] }, { classList: 'tooShort' }],
  ])('is refused with %s', async (_what, more, data) => {
    const input = { startTime: NOON - MINUTE, endTime: NOON + MINUTE, ...more };
    expect(await operator.raw('ai/sighting/list', input)).toMatchObject({ code: 1003, data });
  });
});

describe('the timeline', () => {
  const ask = async (mergeMs: number, caller = operator) => {
    const channels = [gate, yard].map((deviceSerial) => ({ deviceSerial, channelNo: 1 }));
    const range = { channels, startTime: NOON, endTime: NOON + 5 * MINUTE, mergeMs };
    const { rangeList } = await caller.ok('ai/sighting/timeline', range);
    return rangeList.map(({ deviceSerial, objectClass, startTime, endTime }) => [
      deviceSerial === gate ? 'gate' : 'yard',
      objectClass,
      startTime - NOON,
      endTime - NOON,
    ]);
  };

  it('[RS-03] says when which class was seen, as fine as asked for', async () => {
    const people = [0, 1, 2, 3, 4].map((minute) => ['gate', 'person', minute * MINUTE, minute * MINUTE + 2000]);
    const car = ['yard', 'vehicle', 90_000, 92_000];
    const found = await ask(0);
    expect(found.filter(([name]) => name === 'gate')).toEqual(people);
    expect(found.filter(([name]) => name === 'yard')).toEqual([car]);
    expect(await ask(MINUTE - 2001), 'a millisecond too far apart').toHaveLength(6);
    expect(new Set(await ask(MINUTE - 2000))).toEqual(new Set([['gate', 'person', 0, 4 * MINUTE + 2000], car]));
  });

  it('[RS-03] tells where objects went, to who may play the recordings', async () => {
    const place = { deviceSerial: yard, channelNo: 1, startTime: NOON, endTime: NOON + 5 * MINUTE };
    expect((await operator.ok('ai/sighting/path', place)).pathList).toEqual([
      {
        trackId: 9,
        objectClass: 'vehicle',
        score: 0.8,
        startTime: NOON + 90_000,
        pointList: [
          [0, 0.8, 0.5, 0.2, 0.2],
          [2000, 0.4, 0.7, 0.2, 0.2],
        ],
      },
    ]);
    expect((await operator.ok('ai/sighting/path', { ...place, endTime: NOON + 90_000 })).pathList).toEqual([]);
    const backwards = { ...place, endTime: NOON };
    expect(await operator.raw('ai/sighting/path', backwards)).toMatchObject({
      code: 1003,
      data: { endTime: 'tooSmall' },
    });
  });
});

describe('a sighting', () => {
  it('has its picture', async () => {
    const [newest] = (await search()).sightingList;
    const { picture } = await operator.ok('ai/sighting/picture', { sightingId: newest?.sightingId ?? '' });
    expect(picture).toEqual({ contentType: 'image/jpeg', data: JPEG, time: newest?.bestTime });
    for (const sightingId of ['0', '999999999', 'x', '99999999999999999999'])
      expect((await operator.raw('ai/sighting/picture', { sightingId })).code).toBe(1007);
  });

  it('that comes twice is one, without a picture that is none, and malformed ones are left out', async () => {
    const at = NOON + 20 * MINUTE;
    const report = sightingReport(gate, { at, picture: 'PHNjcmlwdD4=' });
    await site.reportStored(report);
    await site.reportStored(report);
    for (const wrong of [
      { path: [] },
      { endAt: at - 1 },
      { endAt: at + 3_600_000 },
      { score: 7 },
      { objectClass: 'ghost' },
    ])
      await site.reportStored(sightingReport(gate, { at, ...(wrong as object) }));
    const { sightingList } = await search({ startTime: at - 1 });
    expect(sightingList).toEqual([expect.objectContaining({ startTime: at, hasPicture: false })]);
    const { picture } = await operator.ok('ai/sighting/picture', { sightingId: sightingList[0]?.sightingId ?? '' });
    expect(picture).toBeNull();
  });

  it('is seen by who may play the recordings, as long as that lasts', async () => {
    await operator.ok('user/add', { username: 'guest', password: 'Secret-1', userType: 2 });
    const guest = await server.signIn('guest', 'Secret-1');
    const { sightingId = '' } = (await search({ devices: [{ deviceSerial: gate }] })).sightingList.at(-1) ?? {};
    const channels = [{ deviceSerial: gate, channelNo: 1 }];
    const range = { startTime: NOON, endTime: NOON + 5 * MINUTE };
    const sees = async () => {
      const paths = await guest.raw('ai/sighting/path', { deviceSerial: gate, channelNo: 1, ...range });
      return [
        (await search({}, guest)).sightingList.length,
        (await guest.ok('ai/sighting/timeline', { channels, ...range })).rangeList.length,
        paths.code === 200 ? (paths.data as CallOutput<'ai/sighting/path'>).pathList.length : paths.code,
        (await guest.raw('ai/sighting/picture', { sightingId })).code,
      ];
    };
    const share = async (permission: 'videoView' | 'videotapeView') => {
      const items = [{ deviceSerial: gate, channelNo: 1 }];
      const { shareId } = await operator.ok('share/add', { account: 'guest', items, permission: [permission] });
      await guest.ok('share/accept', { shareId });
      return shareId;
    };
    expect(await sees()).toEqual([0, 0, 1009, 1007]);
    const watching = await share('videoView');
    expect(await sees(), 'live video is no recording').toEqual([0, 0, 1009, 1007]);
    await operator.ok('share/delete', { shareId: watching, shareType: 2 });
    const replaying = await share('videotapeView');
    expect((await sees()).slice(1, 3)).toEqual([5, 5]);
    expect(await minutes({}, guest), 'of the shared camera alone').toEqual([20, 4, 3, 2, 1, 0]);
    expect((await guest.ok('ai/sighting/picture', { sightingId })).picture).toMatchObject({
      contentType: 'image/jpeg',
    });
    await operator.ok('share/delete', { shareId: replaying, shareType: 2 });
    expect(await sees()).toEqual([0, 0, 1009, 1007]);
  });

  it('goes with the time for which recordings of its channel are kept, and with its device', async () => {
    const old = await operator.ok('device/add', { target: 'rtsp://192.0.2.3/1', deviceName: 'Old' });
    const { deviceSerial } = old.device;
    const seen = async () => (await search({ startTime: 0, devices: [{ deviceSerial }] })).sightingList.length;
    const day = 86_400_000;
    for (const days of [31, 29, 3])
      await site.reportStored(sightingReport(deviceSerial, { at: Date.now() - days * day }));
    const retain = { now: Date.now(), usualDays: 30, limit: 1 };
    expect(await deleteOldSightings(opened.database, retain)).toBe(1);
    expect([await seen(), await deleteOldSightings(opened.database, retain)]).toEqual([2, 0]);
    const dev = { deviceSerial, channelNo: 1 };
    const plan = await operator.ok('record/plan/get', dev);
    await operator.ok('record/plan/set', { ...dev, ...plan, retentionDays: 7 });
    await deleteOldSightings(opened.database, retain);
    expect(await seen()).toBe(1);
    await operator.ok('device/delete', { deviceSerial });
    const left = await runSql(
      server,
      `select count(*)::integer as count from sighting where best_time < ${NOON - day}`,
    );
    expect(left).toEqual([{ count: 0 }]);
  });
});
