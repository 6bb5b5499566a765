// Trials: an account asks for more devices, the operator grants them for some days, and the end comes by itself.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const PASSWORD = 'Secret-1';
const DEVICES = [{ quota: 'devices', amount: 2 } as const];

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let other: CallClient;
let ownerId: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  ({ userId: ownerId } = await operator.ok('user/add', { username: 'owner', password: PASSWORD, userType: 2 }));
  await operator.ok('user/add', { username: 'other', password: PASSWORD, userType: 2 });
  await operator.ok('quota/set', { userId: ownerId, quotaList: [{ quota: 'devices', limit: 1 }] });
  [owner, other] = [await server.signIn('owner', PASSWORD), await server.signIn('other', PASSWORD)];
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});
beforeEach(() => runSql(server, 'delete from trial'));

const limit = async () =>
  (await owner.ok('resource/list', {})).resourceList.find(({ resource }) => resource === 'devices')?.total;
const trials = async (client = owner) => (await client.ok('resource/trial/list', {})).trialList;
let added = 0;
const addDevice = () => {
  added += 1;
  return owner.raw('device/add', { target: `rtsp://192.0.2.${added}/1`, deviceName: `Camera ${added}` });
};

it('[RS-04] is applied for, granted, used, and ends by itself; what is there stays', async () => {
  expect((await addDevice()).code).toBe(200);
  expect((await addDevice()).code).toBe(1011);
  const { trialId } = await owner.ok('resource/trial/apply', { extraList: DEVICES, days: 30, note: 'A second site' });
  expect(await trials()).toEqual([
    expect.objectContaining({ trialId, state: 'applied', startTime: null, endTime: null, note: 'A second site' }),
  ]);
  expect(await limit(), 'nothing is granted yet').toBe(1);
  await operator.ok('resource/trial/grant', { trialId, isGranted: true, days: 14 });
  const [running] = await trials();
  expect(running).toMatchObject({ state: 'running', extraList: [{ quota: 'devices', amount: 2, used: 1, total: 3 }] });
  expect((running?.endTime ?? 0) - (running?.startTime ?? 0)).toBe(14 * DAY_MS);
  expect([(await addDevice()).code, (await addDevice()).code, (await addDevice()).code]).toEqual([200, 200, 1011]);
  await runSql(server, `update trial set ends_at = ${Date.now() - 1000}`);
  expect((await trials())[0]).toMatchObject({ state: 'ended', extraList: [{ used: 3, total: 1 }] });
  expect((await owner.ok('device/list', {})).total).toBe(3);
  expect((await addDevice()).code).toBe(1011);
});

it('is refused, and may be asked for again', async () => {
  const { trialId } = await owner.ok('resource/trial/apply', { extraList: DEVICES, days: 1 });
  await operator.ok('resource/trial/grant', { trialId, isGranted: false });
  expect((await trials())[0]).toMatchObject({ trialId, state: 'refused', endTime: null });
  expect(await limit()).toBe(1);
  await owner.ok('resource/trial/apply', { extraList: DEVICES, days: 1 });
  expect(await trials()).toHaveLength(2);
});

it('two at the same time add up', async () => {
  for (const days of [1, 2]) {
    const { trialId } = await owner.ok('resource/trial/apply', { extraList: DEVICES, days });
    await operator.ok('resource/trial/grant', { trialId, isGranted: true });
  }
  expect(await limit()).toBe(5);
});

describe('is not given to whom it is not for', () => {
  it('an account sees its own alone, the operator all', async () => {
    await owner.ok('resource/trial/apply', { extraList: DEVICES, days: 1 });
    expect(await trials(other)).toEqual([]);
    expect((await trials(operator)).map(({ userName }) => userName)).toEqual(['owner']);
  });

  it('nobody but the operator grants, and a sub-account does not apply', async () => {
    const { trialId } = await owner.ok('resource/trial/apply', { extraList: DEVICES, days: 1 });
    for (const client of [owner, other])
      expect((await client.raw('resource/trial/grant', { trialId, isGranted: true })).code).toBe(1004);
    await owner.ok('user/add', { username: 'clerk', password: PASSWORD });
    const clerk = await server.signIn('clerk', PASSWORD);
    expect((await clerk.raw('resource/trial/apply', { extraList: DEVICES, days: 1 })).code).toBe(1004);
    expect((await clerk.ok('resource/trial/list', {})).trialList.map((one) => one.trialId)).toEqual([trialId]);
  });

  it('a second application waits for the first, a decision is made once, and an unknown one is none', async () => {
    const { trialId } = await owner.ok('resource/trial/apply', { extraList: DEVICES, days: 1 });
    const again = await Promise.all(
      [1, 2].map(() => owner.raw('resource/trial/apply', { extraList: DEVICES, days: 1 })),
    );
    expect(again.map(({ code }) => code)).toEqual([1016, 1016]);
    const grants = [true, false].map((isGranted) => operator.raw('resource/trial/grant', { trialId, isGranted }));
    expect((await Promise.all(grants)).map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([
      200, 1016,
    ]);
    expect((await operator.raw('resource/trial/grant', { trialId: 'none', isGranted: true })).code).toBe(1007);
  });

  it.each([
    ['no resource', { extraList: [], days: 1 }],
    ['less than nothing', { extraList: [{ quota: 'devices', amount: -5 }], days: 1 }],
    ['more than a trial gives', { extraList: [{ quota: 'devices', amount: 10_001 }], days: 1 }],
    ['one that is no resource of trials', { extraList: [{ quota: 'exports', amount: 1 }], days: 1 }],
    ['the same twice', { extraList: [...DEVICES, ...DEVICES], days: 1 }],
    ['no days', { extraList: DEVICES, days: 0 }],
    ['a year', { extraList: DEVICES, days: 365 }],
  ])('an application for %s is refused', async (_, input) => {
    expect((await owner.raw('resource/trial/apply', input)).code).toBe(1003);
  });
});
