// Take-over of silent sites: nobody without silence, nobody while the server is cut off, never beyond the room there is.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  DIAL_AGAIN_MS,
  dueReturns,
  type GroupDevice,
  type GroupMember,
  HEARD_WITHIN_MS,
  judgeGroups,
  type Move,
  SILENT_MS,
  STEADY_MS,
} from './take-over.ts';

const LONG_MS = 3_600_000;
const LONG = { heardMs: LONG_MS, openMs: LONG_MS };

function device(deviceId: string, change: Partial<GroupDevice> = {}): GroupDevice {
  return { deviceId, cameras: 1, isRecorded: true, ...change };
}

function member(siteId: string, change: Partial<GroupMember> = {}): GroupMember {
  return {
    siteId,
    groupId: 'g',
    isSpare: false,
    isLocal: false,
    silentMs: 500,
    steadyMs: LONG_MS,
    cameraMax: 8,
    canStore: true,
    devices: [],
    ...change,
  };
}

const GONE = { silentMs: SILENT_MS + 1 };

it('[FT-30] gives all cameras of a silent site to its spare', () => {
  const silent = member('a', { ...GONE, devices: [device('d1'), device('d2')] });
  const { takeOvers } = judgeGroups([silent, member('b'), member('s', { isSpare: true })], LONG);
  expect(takeOvers).toEqual([
    {
      siteId: 'a',
      moves: [
        { deviceId: 'd1', from: 'a', to: 's' },
        { deviceId: 'd2', from: 'a', to: 's' },
      ],
      withoutRoom: 0,
    },
  ]);
});

it('spreads by free share, and tells cameras that found no room', () => {
  const devices = ['d1', 'd2', 'd3', 'd4'].map((id) => device(id));
  const idle = device('d0', { isRecorded: false });
  const members = [
    member('a', { ...GONE, devices: [idle, ...devices] }),
    member('b', { cameraMax: 2 }),
    member('c', { cameraMax: 2 }),
  ];
  const [taken] = judgeGroups(members, LONG).takeOvers;
  expect(taken?.moves.map(({ deviceId, to }) => [deviceId, to])).toEqual([
    ['d1', 'b'],
    ['d2', 'c'],
    ['d3', 'b'],
    ['d4', 'c'],
  ]);
  expect(taken?.withoutRoom).toBe(1);
});

it('takes nobody over while no remote site is heard, nor before the watch is old enough', () => {
  const silent = member('a', { ...GONE, devices: [device('d')] });
  const local = member('local', { isLocal: true });
  expect(judgeGroups([silent, member('b', GONE), local], LONG)).toEqual({ isCutOff: true, takeOvers: [] });
  expect(judgeGroups([silent, member('b')], { heardMs: SILENT_MS - 1, openMs: LONG_MS }).takeOvers).toEqual([]);
  // The only remote site cannot be told from a network that is gone: a double recording is the smaller evil.
  expect(judgeGroups([silent, local], LONG).takeOvers[0]?.moves).toHaveLength(1);
});

it('gives a site that was not heard since the server is open time to dial', () => {
  const silent = member('a', { silentMs: LONG_MS, devices: [device('d')] });
  const judged = (openMs: number) => judgeGroups([silent, member('b')], { heardMs: openMs, openMs }).takeOvers;
  expect(judged(DIAL_AGAIN_MS)).toEqual([]);
  expect(judged(DIAL_AGAIN_MS + 1)).toHaveLength(1);
});

it('needs no such time after a moment in which the server was deaf: the line of a silent site ended before', () => {
  const silent = member('a', { ...GONE, devices: [device('d')] });
  const judged = (heardMs: number) => judgeGroups([silent, member('b')], { heardMs, openMs: LONG_MS }).takeOvers;
  expect(judged(SILENT_MS - 1)).toEqual([]);
  expect(judged(SILENT_MS)).toHaveLength(1);
});

it('takes nobody over in a group of which nobody is heard: its place is cut off', () => {
  const silent = member('a', { ...GONE, devices: [device('d')] });
  const elsewhere = [member('c', { groupId: 'h' }), member('e', { groupId: 'h', ...GONE, devices: [device('f')] })];
  const { isCutOff, takeOvers } = judgeGroups([silent, member('b', GONE), ...elsewhere], LONG);
  expect(isCutOff).toBe(false);
  expect(takeOvers.map(({ siteId }) => siteId)).toEqual(['e']);
});

it('returns devices to a site that is there for good and can record, also from one that left the group', () => {
  const away = [{ deviceId: 'd', siteId: 'b', homeSiteId: 'a' }];
  expect(dueReturns([member('a', { steadyMs: STEADY_MS })], away)).toEqual([{ deviceId: 'd', from: 'b', to: 'a' }]);
  for (const change of [{ steadyMs: STEADY_MS - 1 }, { silentMs: SILENT_MS }, { canStore: false }])
    expect(dueReturns([member('a', change)], away)).toEqual([]);
  expect(dueReturns([member('b')], away)).toEqual([]);
});

const anyMembers = fc
  .array(
    fc.record({
      groupId: fc.constantFrom('g', 'h'),
      isSpare: fc.boolean(),
      silentMs: fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.constant(Number.POSITIVE_INFINITY)),
      cameraMax: fc.integer({ min: 1, max: 6 }),
      canStore: fc.boolean(),
      cameras: fc.array(fc.record({ cameras: fc.integer({ min: 1, max: 3 }), isRecorded: fc.boolean() }), {
        maxLength: 5,
      }),
    }),
    { maxLength: 6 },
  )
  .map((list) =>
    list.map(({ cameras, ...one }, at) =>
      member(`s${at}`, {
        ...one,
        isLocal: at === 0,
        devices: cameras.map((camera, n) => device(`d${at}-${n}`, camera)),
      }),
    ),
  );

const anyAge = fc.integer({ min: 0, max: 2 * DIAL_AGAIN_MS });

const camerasOf = (devices: readonly GroupDevice[]): number => devices.reduce((sum, { cameras }) => sum + cameras, 0);

it('[FT-30] whatever is silent: each device goes once, within its group, to a site that is heard and has room', () => {
  fc.assert(
    fc.property(anyMembers, anyAge, anyAge, (members, heardMs, openMs) => {
      const { takeOvers, isCutOff } = judgeGroups(members, { heardMs, openMs });
      const site = (siteId: string) => members.find((one) => one.siteId === siteId) ?? member('none');
      const moves = takeOvers.flatMap((one) => one.moves);
      expect(isCutOff && takeOvers.length > 0).toBe(false);
      expect(new Set(moves.map(({ deviceId }) => deviceId)).size).toBe(moves.length);
      for (const { from, to } of moves) {
        expect(site(from).silentMs).toBeGreaterThan(SILENT_MS);
        expect(site(to).silentMs).toBeLessThanOrEqual(HEARD_WITHIN_MS);
        expect(site(to)).toMatchObject({ groupId: site(from).groupId, canStore: true });
      }
      const all = members.flatMap((one) => one.devices);
      const movedCameras = (some: readonly Move[]): number =>
        camerasOf(all.filter((one) => some.some((move) => move.deviceId === one.deviceId)));
      for (const [to, some] of Map.groupBy(moves, (move) => move.to))
        expect(camerasOf(site(to).devices) + movedCameras(some)).toBeLessThanOrEqual(site(to).cameraMax);
      for (const { siteId, moves: some, withoutRoom } of takeOvers)
        expect(movedCameras(some) + withoutRoom).toBe(camerasOf(site(siteId).devices));
    }),
  );
});
