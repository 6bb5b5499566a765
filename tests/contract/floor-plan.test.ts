// Floor plans over the real server: pictures and cameras are kept, every account sees its own cameras alone, managers edit.
import { FLOOR_PLAN_LIMITS } from '@vedette/contract/limits.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOT_PICTURE } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guard: CallClient;
let keeper: CallClient;
let neighbour: CallClient;
let yard: string;
let gate: string;
let vault: string;

const PASSWORD = 'Secret-1';

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  yard = (await operator.ok('org/add', { organizationName: 'Yard' })).organizationId;
  const add = async (host: string, organizationId: string) =>
    (await operator.ok('device/add', { target: `rtsp://${host}/1`, deviceName: host, organizationId })).device
      .deviceSerial;
  gate = await add('192.0.2.1', yard);
  vault = await add('192.0.2.2', '0');
  const role = async (roleName: string, permissions: readonly ('Realplay' | 'OrganizationManage')[]) =>
    (await operator.ok('role/add', { roleName, permissions: [...permissions] })).roleId;
  const sub = async (username: string, roleId: string) => {
    const order = { username, password: PASSWORD, userType: 5, roleIds: [roleId], organizationIds: [yard] };
    await operator.ok('user/add', order);
    return await server.signIn(username, PASSWORD);
  };
  guard = await sub('guard', await role('Guards', ['Realplay']));
  keeper = await sub('keeper', await role('Keepers', ['Realplay', 'OrganizationManage']));
  await operator.ok('user/add', { username: 'neighbour', password: PASSWORD, userType: 2 });
  neighbour = await server.signIn('neighbour', PASSWORD);
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const camera = (deviceSerial: string, x = 0.5) => ({
  deviceSerial,
  channelNo: 1,
  x,
  y: 0.25,
  direction: 90,
  viewAngle: 60,
});
const plan = (name: string, cameraList: ReturnType<typeof camera>[] = []) => ({
  organizationId: yard,
  name,
  picture: DOT_PICTURE,
  cameraList,
});
async function add(name: string, ...cameras: ReturnType<typeof camera>[]) {
  return (await operator.ok('floorPlan/save', plan(name, cameras))).floorPlan;
}
const namesOf = async (client: CallClient) =>
  (await client.ok('floorPlan/list', {})).floorPlanList.map(({ name }) => name);

describe('floor plans', () => {
  it('are kept with their picture and cameras, and listed by name', async () => {
    const made = await add(' Upper floor 楼上 ', camera(gate, 1));
    expect(made).toMatchObject({ name: 'Upper floor 楼上', width: 1, height: 1, version: 1, isEditable: true });
    const { floorPlanId } = made;
    expect((await operator.ok('floorPlan/get', { floorPlanId })).floorPlan).toEqual(made);
    expect(made.cameraList).toEqual([camera(gate, 1)]);
    expect((await operator.ok('floorPlan/picture', { floorPlanId })).picture).toEqual(DOT_PICTURE);
    await add('Cellar');
    expect(await namesOf(operator)).toEqual(['Cellar', 'Upper floor 楼上']);
    expect(await operator.ok('floorPlan/list', { pageStart: 1, pageSize: 1 })).toMatchObject({
      total: 2,
      floorPlanList: [{ floorPlanId }],
    });
  });

  it('have names of their own within an organisation, and each camera once', async () => {
    expect(await operator.call('floorPlan/save', plan('CELLAR'))).toMatchObject({
      code: 1016,
      data: { name: 'notAllowed' },
    });
    const twice = await operator.call('floorPlan/save', plan('Twice', [camera(gate), camera(gate, 0)]));
    expect(twice).toMatchObject({ code: 1003 });
    expect(twice.data).toHaveProperty('cameraList');
    const bare = { organizationId: yard, name: 'Bare', cameraList: [] };
    expect((await operator.call('floorPlan/save', bare)).data).toHaveProperty('picture');
    expect((await operator.call('floorPlan/save', { ...plan('Root'), organizationId: '0' })).code).toBe(1007);
  });

  it('are refused a picture that is none, and one of too many pixels', async () => {
    const text = { contentType: 'image/png' as const, data: Buffer.from('<svg/>'.repeat(9)).toString('base64') };
    expect(await operator.call('floorPlan/save', { ...plan('Text'), picture: text })).toMatchObject({
      code: 1003,
      data: { picture: 'format' },
    });
    const huge = Buffer.from(DOT_PICTURE.data, 'base64');
    huge.writeUInt32BE(FLOOR_PLAN_LIMITS.side + 1, 16);
    const picture = { ...DOT_PICTURE, data: huge.toString('base64') };
    expect(await operator.call('floorPlan/save', { ...plan('Huge'), picture })).toMatchObject({
      code: 1003,
      data: { picture: 'tooBig' },
    });
    const longest = { ...DOT_PICTURE, data: 'A'.repeat(FLOOR_PLAN_LIMITS.pictureLength) };
    const answer = await operator.call('floorPlan/save', { ...plan('Long'), picture: longest });
    expect(answer, 'the largest picture is read, not cut off').toMatchObject({ data: { picture: 'format' } });
    expect(await namesOf(operator)).toEqual(['Cellar', 'Upper floor 楼上']);
  });

  it('keep the picture where a change brings none, and answer 1010 with the newer plan', async () => {
    const { floorPlanId, version, pictureTime } = await add('Hall');
    const change = { organizationId: yard, floorPlanId, version, name: 'Great hall', cameraList: [camera(gate)] };
    const changed = (await operator.ok('floorPlan/save', change)).floorPlan;
    expect(changed).toMatchObject({ name: 'Great hall', version: 2, pictureTime, cameraList: [camera(gate)] });
    const stale = await operator.call('floorPlan/save', { ...change, name: 'Small hall' });
    expect(stale).toMatchObject({ code: 1010, data: { name: 'Great hall', version: 2 } });
    await operator.ok('floorPlan/delete', { organizationId: yard, floorPlanId });
    expect((await operator.call('floorPlan/get', { floorPlanId })).code).toBe(1007);
  });
});

describe('the rights on a floor plan', () => {
  it('[SE-20] let who sees the organisation see the plan with its own cameras alone', async () => {
    const { floorPlanId } = await add('Both', camera(gate), camera(vault));
    for (const client of [guard, keeper]) {
      const { floorPlan } = await client.ok('floorPlan/get', { floorPlanId });
      expect(floorPlan.cameraList).toEqual([camera(gate)]);
      expect(JSON.stringify(floorPlan)).not.toContain(vault);
      expect((await client.ok('floorPlan/picture', { floorPlanId })).picture).toEqual(DOT_PICTURE);
    }
    expect((await guard.ok('floorPlan/list', {})).floorPlanList.map(({ isEditable }) => isEditable)).not.toContain(
      true,
    );
    await operator.ok('floorPlan/delete', { organizationId: yard, floorPlanId });
  });

  it('let managers of the organisation alone change it, and keep what the editor cannot see', async () => {
    const { floorPlanId, version } = await add('Edited', camera(gate), camera(vault));
    const change = { organizationId: yard, floorPlanId, version, name: 'Edited', cameraList: [camera(gate, 0.75)] };
    expect((await guard.call('floorPlan/save', change)).code).toBe(1004);
    expect((await guard.call('floorPlan/delete', { organizationId: yard, floorPlanId })).code).toBe(1004);
    const saved = await keeper.ok('floorPlan/save', change);
    expect(saved.floorPlan).toMatchObject({ isEditable: true, cameraList: [camera(gate, 0.75)] });
    const { cameraList } = (await operator.ok('floorPlan/get', { floorPlanId })).floorPlan;
    expect(cameraList.map(({ deviceSerial }) => deviceSerial).sort()).toEqual([gate, vault].sort());
    const foreign = { ...change, version: 2, cameraList: [camera(vault)] };
    expect((await keeper.call('floorPlan/save', foreign)).code).toBe(1009);
    expect((await keeper.call('floorPlan/save', { ...foreign, cameraList: [camera('MISSING')] })).code).toBe(1009);
  });

  it('do not reach a plan of another organisation through one of their own', async () => {
    const { organizationId } = await neighbour.ok('org/add', { organizationName: 'Garden' });
    const floorPlanId = (await operator.ok('floorPlan/list', {})).floorPlanList[0]?.floorPlanId ?? '';
    const change = { organizationId, floorPlanId, version: 1, name: 'Mine', cameraList: [] };
    const missing = await neighbour.call('floorPlan/save', { ...change, floorPlanId: 'MISSING0' });
    expect(missing.code).toBe(1007);
    expect(await neighbour.call('floorPlan/save', change)).toEqual(missing);
    expect((await neighbour.call('floorPlan/delete', { organizationId, floorPlanId })).code).toBe(1007);
    const other = (await operator.ok('org/add', { organizationName: 'Office' })).organizationId;
    expect((await operator.call('floorPlan/delete', { organizationId: other, floorPlanId })).code).toBe(1007);
  });

  it('tell who received a camera alone nothing of the place where it stands', async () => {
    const items = [{ deviceSerial: gate, channelNo: 1 }];
    await operator.ok('share/add', { account: 'neighbour', items, permission: ['videoView'] });
    const { floorPlanId } = await add('Unseen', camera(gate));
    expect((await neighbour.ok('floorPlan/list', {})).total).toBe(0);
    const missing = await neighbour.call('floorPlan/get', { floorPlanId: 'MISSING0' });
    expect(await neighbour.call('floorPlan/get', { floorPlanId })).toEqual(missing);
    expect((await neighbour.call('floorPlan/picture', { floorPlanId })).code).toBe(1007);
  });

  it('show a shared organisation with the cameras of the share', async () => {
    const items = [{ organizationId: yard }];
    const { shareId } = await operator.ok('share/add', { account: 'neighbour', items, permission: ['videoView'] });
    const { floorPlanId } = await add('Lent', camera(gate), camera(vault));
    const { floorPlan } = await neighbour.ok('floorPlan/get', { floorPlanId });
    expect(floorPlan).toMatchObject({ isEditable: false, cameraList: [camera(gate)] });
    const change = { organizationId: yard, floorPlanId, version: 1, name: 'Taken', cameraList: [] };
    expect((await neighbour.call('floorPlan/save', change)).code).toBe(1004);
    await operator.ok('share/delete', { shareId, shareType: 2 });
    expect((await neighbour.call('floorPlan/get', { floorPlanId })).code).toBe(1007);
  });
});

describe('what a floor plan stands on', () => {
  it('takes it along: a camera that is deleted leaves it, and it goes with its organisation', async () => {
    const { organizationId } = await operator.ok('org/add', { organizationName: 'Barn' });
    const order = { target: 'rtsp://192.0.2.3/1', deviceName: 'Barn' };
    const { deviceSerial } = (await operator.ok('device/add', order)).device;
    const { floorPlan } = await operator.ok('floorPlan/save', {
      ...plan('Barn', [camera(deviceSerial)]),
      organizationId,
    });
    const { floorPlanId } = floorPlan;
    await operator.ok('device/delete', { deviceSerial });
    expect((await operator.ok('floorPlan/get', { floorPlanId })).floorPlan.cameraList).toEqual([]);
    await operator.ok('org/delete', { organizationId });
    expect((await operator.call('floorPlan/get', { floorPlanId })).code).toBe(1007);
  });
});
