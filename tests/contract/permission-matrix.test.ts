// Permission matrix: every call × 9 principals × 11 relations to its object, with the right refusal code, generated from the contract.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppScope } from '@vedette/contract/app-scopes.ts';
import type { Call } from '@vedette/contract/call.ts';
import { scopeOfCall } from '@vedette/contract/calls/app-calls.ts';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { type Permission, PERMISSIONS } from '@vedette/contract/permissions.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { goodInputs } from './good-inputs.ts';
import { type InputFixture, createInputFixture } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { registerApp, ThirdPartyApp } from './third-party-app.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

/** The words of docs/permissions.md, written down a second time on purpose: what the server does is held against this. */
const OWNS: readonly number[] = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];
const GIVEN: readonly Permission[] = ['Realplay', 'Replay'];
const ROLE: readonly Permission[] = ['Realplay', 'Config'];
/** Where these were shared once, the answer says that the share has ended. */
const VIEWING: readonly Permission[] = ['Realplay', 'Replay', 'Talk', 'PtzControl'];
const HAD: readonly string[] = ['expired', 'withdrawn'];
/** Their permissions are those that shares give here. */
const APP_SCOPES_GIVEN = ['device.list', 'live', 'playback'] as const satisfies readonly AppScope[];
const REFUSALS: readonly number[] = [1001, 1002, 1004, 1009, 1017];

const RELATIONS = [
  'own',
  'role',
  'sharedDevice',
  'sharedChannel',
  'sharedOrganization',
  'inherited',
  'expired',
  'future',
  'withdrawn',
  'foreign',
  'missing',
] as const;
type Relation = (typeof RELATIONS)[number];

interface Place {
  readonly deviceSerial: string;
  readonly organizationId: string;
}

interface Principal {
  readonly name: string;
  readonly client: CallClient;
  readonly userType: number;
  /** Every call answers it. */
  readonly only?: number;
  /** Of an app that acts for the account. */
  readonly scopes?: readonly AppScope[];
  readonly places: Readonly<Record<Relation, Place>>;
}

let server: ServerUnderTest;
let site: ScriptedSite;
let owner: CallClient;
let stage: InputFixture;
let principals: Principal[];
let hosts = 20;

const paths = (Object.keys(goodInputs) as CallPath[]).filter((path) => calls[path].permission.kind !== 'public');

async function makePlace(client: CallClient): Promise<Place> {
  hosts += 1;
  const { organizationId } = await client.ok('org/add', { organizationName: `Place ${hosts}` });
  const order = { target: `rtsp://198.51.100.${hosts}/2`, deviceName: `Camera ${hosts}`, organizationId };
  return { deviceSerial: (await client.ok('device/add', order)).device.deviceSerial, organizationId };
}

const MISSING: Place = { deviceSerial: 'MISSING0', organizationId: 'missing' };

async function makePrincipal(name: string, userType: number, shared: Omit<Principal['places'], 'own'>) {
  const isSub = userType === USER_TYPE.sub;
  const roleIds = isSub
    ? [
        (
          await owner.ok('role/add', {
            roleName: name,
            permissions: [...ROLE],
            resources: [shared.role].map(({ organizationId }) => ({ organizationId })),
          })
        ).roleId,
      ]
    : [];
  await owner.ok('user/add', { username: name, password: 'Secret-1', userType, roleIds });
  const client = await server.signIn(name, 'Secret-1');
  const own = OWNS.includes(userType) ? await makePlace(client) : shared.foreign;
  return { name, client, userType, places: { ...shared, own, role: isSub ? shared.role : shared.foreign } };
}

/** One set of objects for all: each is shared with everybody in its own way. */
async function makeShares(places: Omit<Principal['places'], 'own'>, accounts: readonly string[]): Promise<void> {
  const permission = ['videoView' as const, 'videotapeView' as const];
  const device = (place: Place) => ({ deviceSerial: place.deviceSerial });
  for (const account of accounts) {
    const give = (item: object, more: object = {}) =>
      owner.ok('share/add', { account, items: [item as { deviceSerial: string }], permission, ...more });
    await give(device(places.sharedDevice));
    await give({ ...device(places.sharedChannel), channelNo: 1 });
    await give({ organizationId: places.sharedOrganization.organizationId });
    await give({ organizationId: places.inherited.organizationId });
    const { shareId } = await give(device(places.withdrawn));
    await owner.ok('share/delete', { shareId, shareType: 2 });
    await give(device(places.future), { startTime: Date.now() + 3_600_000 });
    await give(device(places.expired), { endTime: Date.now() + 3_600_000 });
  }
  await query('update share set end_time = 1 where end_time is not null');
  await query('update grant_row set end_time = 1 where end_time is not null');
}

/** An app that an account lets act for it, on all that the account has. */
async function makeApp(account: CallClient, others: readonly Principal[]): Promise<Principal> {
  const acting = others.find(({ name }) => name === 'ordinary');
  if (acting === undefined) throw new Error('no account for the app');
  const registered = await registerApp(owner, { scopeList: [...APP_SCOPES_GIVEN] });
  await owner.ok('app/approve', { appId: registered.appId, isApproved: true });
  const { own, sharedOrganization, inherited, sharedDevice, sharedChannel } = acting.places;
  const organizations = [own, sharedOrganization, inherited].map(({ organizationId }) => organizationId);
  const devices = [sharedDevice, sharedChannel].map(({ deviceSerial }) => deviceSerial);
  const app = new ThirdPartyApp(server, registered);
  const back = await app.codeFor(account, devices, { scope: APP_SCOPES_GIVEN.join(' ') }, organizations);
  const { access_token: token } = await app.redeem(back.searchParams.get('code'));
  return { ...acting, name: 'app', client: server.client(token), scopes: APP_SCOPES_GIVEN };
}

async function query(text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

beforeAll(async () => {
  server = await ServerUnderTest.start();
  owner = await server.setUp();
  site = await ScriptedSite.dial(server);
  stage = await createInputFixture(server, owner, site);
  const shared = { missing: MISSING } as Record<Exclude<Relation, 'own'>, Place>;
  for (const relation of RELATIONS)
    if (relation !== 'own' && relation !== 'missing') shared[relation] = await makePlace(owner);
  // A device two levels below the organisation that is shared.
  const below = await owner.ok('org/add', { organizationName: 'Below', parentOrgId: shared.inherited.organizationId });
  await owner.ok('device/move', { deviceSerial: shared.inherited.deviceSerial, organizationId: below.organizationId });
  const kinds = { operator2: 0, manager: 1, ordinary: 2, backoffice: 3, guard: 5 };
  principals = [];
  for (const [name, userType] of Object.entries(kinds)) principals.push(await makePrincipal(name, userType, shared));
  await makeShares(shared, Object.keys(kinds));
  principals.push(await makeApp(await server.signIn('ordinary', 'Secret-1'), principals));
  const [first] = principals;
  if (first === undefined) throw new Error('no principal');
  const base = { ...first, userType: -1 };
  const gone = await server.signIn('ordinary', 'Secret-1');
  await gone.ok('account/logout', {});
  const old = await server.signIn('manager', 'Secret-1');
  const { sessionList } = await old.ok('account/session/list', {});
  const sessionId = sessionList.find((session) => session.isCurrent)?.sessionId;
  await query('update session set expires_at = 1 where session_id = $1', [sessionId]);
  principals.push(
    { ...base, name: 'anonymous', client: server.client(), only: 1001 },
    { ...base, name: 'signed out', client: gone, only: 1001 },
    { ...base, name: 'expired', client: old, only: 1002 },
  );
}, 240_000);
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

/** What the caller has on the device, or on its first channel; null: it can't see it. */
function rightsOn(principal: Principal, relation: Relation, isChannel: boolean): readonly Permission[] | null {
  const isOwner = OWNS.includes(principal.userType);
  if (relation === 'own' && principal.scopes !== undefined) return GIVEN;
  if (relation === 'own') return isOwner ? PERMISSIONS : null;
  if (relation === 'role') return principal.userType === USER_TYPE.sub ? ROLE : null;
  if (relation === 'sharedChannel') return isChannel ? GIVEN : [];
  return ['sharedDevice', 'sharedOrganization', 'inherited'].includes(relation) ? GIVEN : null;
}

function rightsOnOrganization(principal: Principal, relation: Relation): readonly Permission[] | null {
  if (relation === 'own' || relation === 'role') return rightsOn(principal, relation, false);
  return ['sharedOrganization', 'inherited'].includes(relation) ? GIVEN : null;
}

/** Flags of the account as a whole: an owner all, a sub-account what roles and shares give, the back office none. */
function hasFlag({ userType, scopes }: Principal, action: Permission): boolean {
  if (scopes !== undefined) return GIVEN.includes(action);
  if (OWNS.includes(userType)) return true;
  return userType === USER_TYPE.sub && (ROLE.includes(action) || GIVEN.includes(action));
}

/** The token of an app opens the calls of its scopes and no other, whatever the account may do. */
function expectedOfScope(path: CallPath, { scopes }: Principal): number | null {
  if (scopes === undefined) return null;
  const needed = scopeOfCall(path);
  if (needed === null) return 1006;
  return needed === 'any' || scopes.includes(needed) ? null : 1004;
}

/** The code of a refusal; null: it is let in. */
function expected(path: CallPath, principal: Principal, relation: Relation, input: object): number | null {
  const limit = principal.only ?? expectedOfScope(path, principal);
  if (limit !== null) return limit;
  const rule = (calls[path] as Call).permission;
  switch (rule.kind) {
    case 'userType':
      return rule.userTypes.includes(principal.userType) ? null : 1004;
    case 'account':
      return hasFlag(principal, rule.action) ? null : 1004;
    case 'device': {
      const unseen = HAD.includes(relation) && VIEWING.includes(rule.action) ? 1017 : 1009;
      return codeOf(rightsOn(principal, relation, 'channelNo' in input), rule.action, unseen);
    }
    case 'organization':
      return codeOf(rightsOnOrganization(principal, relation), rule.action, 1007);
    default:
      return null;
  }
}

/** `unseen`: of an object that the caller can't see. */
function codeOf(held: readonly Permission[] | null, action: Permission, unseen: number): number | null {
  if (held === null) return unseen;
  return held.includes(action) ? null : 1004;
}

/** Of a call that every session may make: whether the object it names is in sight. */
function expectedOfSession(path: CallPath, principal: Principal, relation: Relation, input: object): number | null {
  if (!BY_OBJECT.has(path)) return null;
  if ('deviceSerial' in input) return rightsOn(principal, relation, 'channelNo' in input) === null ? 1009 : null;
  return rightsOnOrganization(principal, relation) === null ? 1007 : null;
}

/** Calls of every session that answer about one object. */
const BY_OBJECT: ReadonlySet<CallPath> = new Set([
  'device/get',
  'device/capacity',
  'channel/capacity',
  'channel/list',
  'org/list',
  'org/device/list',
  'org/resource/sub',
]);
/** Not asked where they would be let in: what they change would change the matrix itself. */
const READS: readonly string[] = ['none', 'read'];
/** A quick run takes a third of the relations per call, another third for the next; the long one all. */
function relationsOf(hasObject: boolean, principal: Principal, at: number): readonly Relation[] {
  if (!hasObject) return ['foreign'];
  if (isLongRun) return RELATIONS;
  // Who has no session is asked before any object is looked at.
  return RELATIONS.filter((_, index) => (at + index) % (principal.only === undefined ? 3 : RELATIONS.length) === 0);
}

async function hold(path: CallPath, principal: Principal, relation: Relation): Promise<void> {
  const { deviceSerial, organizationId } = principal.places[relation];
  const input = goodInputs[path]({
    ...stage,
    deviceSerial,
    organizationId,
    spareOrganizationId: organizationId,
    spareSerial: deviceSerial,
    thirdSerial: deviceSerial,
  }) as object;
  const refusal = expected(path, principal, relation, input) ?? expectedOfSession(path, principal, relation, input);
  const where = `${path} by ${principal.name} on ${relation}`;
  if (refusal !== null) {
    expect((await principal.client.raw(path, input)).code, where).toBe(refusal);
    return;
  }
  const isAnswered = BY_OBJECT.has(path) || calls[path].permission.kind === 'device';
  if (!READS.includes(calls[path].audit) || !isAnswered) return;
  expect(REFUSALS, where).not.toContain((await principal.client.raw(path, input)).code);
}

let cells = 0;

describe('[SE-18] [SE-27] [SE-60] [GO-09] [PM-01] the permission matrix', () => {
  it.each(paths.map((path, at) => [path, at] as const))('%s', async (path, at) => {
    const shape = goodInputs[path](stage) as Record<string, unknown>;
    const hasObject =
      shape['deviceSerial'] === stage.deviceSerial || 'organizationId' in shape || 'parentOrgId' in shape;
    const asked = principals.flatMap((principal) =>
      relationsOf(hasObject, principal, at).map((relation) => ({ principal, relation })),
    );
    cells += asked.length;
    await Promise.all(asked.map(({ principal, relation }) => hold(path, principal, relation)));
  });

  it('has a rule for every call and a case for every call', () => {
    process.stdout.write(`permission matrix: ${cells} cells, ${paths.length} calls, ${principals.length} principals\n`);
    expect(principals).toHaveLength(9);
    expect(cells).toBeGreaterThanOrEqual(paths.length * 9);
  });
});
