// Every call of the contract: valid input, each bad field, no token, another account's object; generated from the contract.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '@vedette/contract/call.ts';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { badFields } from './bad-values.ts';
import { goodInputs, refusedByDesign } from './good-inputs.ts';
import { type InputFixture, createInputFixture } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let stranger: CallClient;
let background: CallClient;
let stage: InputFixture;
const paths = Object.keys(goodInputs) as CallPath[];
const refused: Partial<Record<CallPath, number>> = refusedByDesign;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  site.spans = [{ startTime: 1_000_000, endTime: 1_060_000, recordType: 1 }];
  stage = await createInputFixture(server, operator, site);
  await operator.ok('user/add', { username: 'stranger', password: 'Secret-1', userType: 2 });
  await operator.ok('user/add', { username: 'backoffice', password: 'Secret-1', userType: 3 });
  stranger = await server.signIn('stranger', 'Secret-1');
  background = await server.signIn('backoffice', 'Secret-1');
  await stranger.ok('account/stepUp', { password: 'Secret-1' });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const goodInput = (path: CallPath) => goodInputs[path](stage) as Record<string, unknown>;

describe('each bad field', () => {
  it.each(paths)('%s answers 1003 with the field', async (path) => {
    const caller = calls[path].permission.kind === 'public' ? server.client() : operator;
    for (const { field, value } of badFields(calls[path])) {
      const input = { ...goodInput(path), [field]: value };
      const answer = await caller.raw(path, input);
      const where = `${path} with ${field} = ${JSON.stringify(value)?.slice(0, 60)}`;
      expect(answer, where).toMatchObject({ code: 1003, message: 'paramInvalid' });
      const named = Object.keys(answer.data as object).some((key) => key === field || key.startsWith(`${field}.`));
      expect(named, `${where} names ${JSON.stringify(answer.data)}`).toBe(true);
    }
    for (const body of [[], 'x', 5, null]) expect((await caller.raw(path, body)).code).toBe(1003);
  });
});

describe('[SE-08] no token', () => {
  it.each(paths.filter((path) => calls[path].permission.kind !== 'public'))('%s answers 1001', async (path) => {
    expect(await server.client().raw(path, goodInput(path))).toEqual({
      code: 1001,
      message: 'tokenInvalid',
      data: null,
    });
    expect((await server.client().raw(`${path}?token=${operator.accessToken}`, goodInput(path))).code).toBe(1001);
  });
});

/** What the object of another account answers, by the field that names it. */
const FOREIGN: readonly [string, number][] = [
  ['deviceSerial', 1009],
  ['userId', 1007],
  ['sessionId', 1007],
  ['shareId', 1007],
  ['transferId', 1007],
  ['layoutId', 1007],
  ['invitationId', 1007],
  ['task', 1007],
  ['organizationId', 1007],
  ['parentOrgId', 1007],
  ['packageId', 1007],
  ['floorPlanId', 1007],
];
/** Filters: a foreign id finds nothing. */
const FILTERED: readonly CallPath[] = ['device/list', 'share/device/list'];

describe('[SE-18] [SE-22] another account', () => {
  const named = paths.filter(
    (path) => !FILTERED.includes(path) && refused[path] !== 1001 && foreignCode(path) !== undefined,
  );

  it.each(named)('%s answers a foreign object like a missing one', async (path) => {
    const [field, code] = foreignCode(path) ?? ['', 0];
    const { permission } = calls[path];
    if (permission.kind === 'userType' && (field !== 'userId' || !permission.userTypes.some((one) => one === 2)))
      return;
    const foreign = await stranger.raw(path, goodInput(path));
    expect(foreign.code).toBe(code);
    const missing = { ...goodInput(path), [field]: 'MISSING0' };
    expect(await stranger.raw(path, missing)).toEqual(foreign);
  });

  it.each(FILTERED)('%s finds nothing of another account', async (path) => {
    expect(await stranger.raw(path, goodInput(path))).toMatchObject({ code: 200, data: { total: 0 } });
  });

  it('[SE-20] lists and counts for an unrelated account are empty', async () => {
    for (const path of ['device/list', 'org/list', 'org/resource/list', 'share/given/list', 'user/list'] as const) {
      expect((await stranger.ok(path, {})).total, path).toBe(0);
    }
    expect((await stranger.ok('org/search', { keyWord: 'First' })).total).toBe(0);
    expect((await stranger.ok('device/batch', { deviceSerialList: [stage.deviceSerial] })).deviceList).toEqual([]);
  });

  it.each(
    paths.filter((path) => ['userType', 'account'].includes(calls[path].permission.kind) && !isForBackground(path)),
  )('[SE-27] %s is refused to a background account', async (path) => {
    expect((await background.raw(path, goodInput(path))).code).toBe(1004);
  });

  /** Versions of the clients are all that a background account keeps. */
  function isForBackground(path: CallPath): boolean {
    const { permission }: Call = calls[path];
    return permission.kind === 'userType' && permission.userTypes.includes(USER_TYPE.background);
  }

  it('[VE-03] a background account keeps the versions of the clients and nothing else', () => {
    const kept = ['version/list', 'version/save', 'version/delete'];
    expect(paths.filter(isForBackground).toSorted()).toEqual(kept.toSorted());
  });

  /** The serial of `device/add` names a device that is nobody's as yet. */
  function foreignCode(path: CallPath): readonly [string, number] | undefined {
    const declared: Call = calls[path];
    const shape = 'shape' in declared.input ? Object.keys(declared.input.shape as object) : [];
    return FOREIGN.find(([field]) => shape.includes(field) && !(path === 'device/add' && field === 'deviceSerial'));
  }
});

describe('the valid input', () => {
  it('every call succeeds, and answers as the contract says, except those of refused-calls.test.ts', async () => {
    for (const path of paths) {
      const caller = calls[path].permission.kind === 'public' ? server.client() : operator;
      const answer = await caller.raw(path, goodInput(path));
      expect(answer.code, `${path} ${JSON.stringify(answer)}\n${server.log.slice(-3).join('\n')}`).toBe(
        refused[path] ?? 200,
      );
      const declared: Call = calls[path];
      if (answer.code === 200) expect(declared.output.safeParse(answer.data).success, path).toBe(true);
    }
  });

  it('[GO-17] none of it failed inside the server', () => {
    expect(server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
