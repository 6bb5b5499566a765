// Groups within groups of a real slapd: what counts where the operator wants them, both ways, with cycles, missing groups and more than anybody reads.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecretBox } from '../../server/core/secret-box.ts';
import { openDatabase } from '../../server/database/connection.ts';
import { DirectoryConnection } from '../../server/directory/directory-connection.ts';
import { DirectoryUsers } from '../../server/directory/directory-users.ts';
import { DirectoryRecheck } from '../../server/features/identity/directory-recheck.ts';
import { BASE, DirectoryServer, GUARDS, PEOPLE, SEARCHER } from '../harness/directory-server.ts';
import { prove, runSql } from './account-steps.ts';
import { directoryInput, type DirectoryInput, directoryOf } from './directory-settings.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let directory: DirectoryServer;
let operator: CallClient;

const group = (name: string, where = 'groups') => `cn=${name},ou=${where},${BASE}`;

beforeAll(async () => {
  [server, directory] = await Promise.all([ServerUnderTest.start(), DirectoryServer.start()]);
  operator = await server.setUp();
  await prove(operator, OPERATOR.password);
  // anna, guards, staff, everybody, and round again to guards; beside them a group of another unit in between.
  directory.addGroup(group('staff'), [GUARDS, group('everybody')]);
  directory.addGroup(group('everybody'), [group('staff'), group('everybody'), group('gone')]);
  directory.addGroup(group('elsewhere', 'guests'), [GUARDS]);
  directory.addGroup(group('behind'), [group('elsewhere', 'guests')]);
  directory.modify(`dn: ${GUARDS}\nchangetype: modify\nadd: member\nmember: ${group('everybody')}\n`);
  directory.addPerson('emil', 'Emil', 'Emils-Word-1');
}, 60_000);
afterAll(async () => {
  await Promise.all([server?.stop(), directory?.stop()]);
});

const SEARCHED: Partial<DirectoryInput> = { groupsBy: 'member', groupBase: `ou=groups,${BASE}` };
const BIND = { clientId: SEARCHER.name, clientSecret: SEARCHER.password } as const;

async function found(userName: string, more: Partial<DirectoryInput>) {
  const settings = directoryOf(directory, more);
  const { reason, user } = await operator.ok('identity/provider/test', { ...BIND, directory: settings, userName });
  expect(reason).toBeNull();
  return user;
}

describe.each<[string, Partial<DirectoryInput>]>([
  ['read of each group', {}],
  ['searched by their members', { groupsBy: 'member' }],
])('groups %s', (_how, more) => {
  it('count where they name the user, and those around them where that is wanted, each once', async () => {
    const alone = await found('anna', more);
    expect(alone?.groups).toContain(GUARDS);
    expect(alone).toMatchObject({ nestedGroups: [], hasMoreGroups: false });
    const all = await found('anna', { ...more, nestedGroups: true });
    expect(all?.groups, 'which are direct').toEqual(alone?.groups);
    const names = all?.nestedGroups.filter((name) => name.includes('=')) ?? [];
    const around = [group('staff'), group('everybody'), group('elsewhere', 'guests'), group('behind')];
    expect(names.toSorted()).toEqual(around.toSorted());
    expect(names.indexOf(group('staff')), 'the nearest first').toBeLessThan(names.indexOf(group('everybody')));
    expect(await found('emil', { ...more, nestedGroups: true })).toMatchObject({ groups: [], nestedGroups: [] });
  });

  it('end with their tenth level, and it is told that there are more', async () => {
    directory.addPerson('deep', 'Deep', 'Deeps-Word-1');
    const level = (depth: number) => group(`level${depth}`);
    directory.addGroup(level(0), [`uid=deep,ou=people,${BASE}`]);
    for (let depth = 1; depth <= 11; depth += 1) directory.addGroup(level(depth), [level(depth - 1)]);
    const user = await found('deep', { ...more, nestedGroups: true });
    expect(user?.nestedGroups).toContain(level(10));
    expect(user?.nestedGroups).not.toContain(level(11));
    expect(user?.hasMoreGroups).toBe(true);
    directory.remove(level(11));
    expect(await found('deep', { ...more, nestedGroups: true })).toMatchObject({ hasMoreGroups: false });
    for (let depth = 0; depth <= 10; depth += 1) directory.remove(level(depth));
    directory.remove(`uid=deep,ou=people,${BASE}`);
  });
});

it('groups outside of their base neither count nor lead further', async () => {
  const user = await found('anna', { ...SEARCHED, nestedGroups: true });
  expect(user?.groups).toEqual([GUARDS, 'guards']);
  expect(user?.nestedGroups.toSorted()).toEqual([group('everybody'), group('staff'), 'everybody', 'staff'].toSorted());
});

it('a group that is gone, elsewhere or no name at all counts by its name and leads nowhere', async () => {
  const named = [group('gone'), `cn=other,ou=elsewhere,${BASE}`, 'no name'];
  const place = { ...directoryOf(directory), bind: SEARCHER };
  const opened = await DirectoryConnection.open(place, new Set(), AbortSignal.timeout(9000));
  for (const name of named) expect(await opened.entryAt(name, ['memberOf']), name).toBeNull();
  expect((await opened.entryAt(GUARDS, ['memberOf']))?.texts('memberOf')).toContain(group('staff'));
  opened.close();
  await expect(opened.entryAt(GUARDS, ['memberOf']), 'a connection that broke').rejects.toMatchObject({
    reason: 'identityUnreachable',
  });
});

it('users who are looked at together ask for each group once', async () => {
  const settings = directoryOf(directory, { nestedGroups: true });
  const opened = await DirectoryConnection.open({ ...settings, bind: SEARCHER }, new Set(), AbortSignal.timeout(9000));
  const parents = new Map();
  const users = new DirectoryUsers(opened, settings, { further: [], parents });
  const before = await users.user(await users.entryNamed('anna'));
  directory.addGroup(group('newer'), [GUARDS]);
  const { groups } = await users.user(await users.entryNamed('anna'));
  expect(groups.nested).toEqual(before.groups.nested);
  const anew = new DirectoryUsers(opened, settings, { further: [] });
  expect((await anew.user(await anew.entryNamed('anna'))).groups.nested).toContain(group('newer'));
  opened.close();
  directory.remove(group('newer'));
});

describe('more groups than count', () => {
  beforeAll(() => {
    directory.addPerson('busy', 'Busy', 'Busys-Word-1');
    const direct = [0, 1, 2].map((index) => group(`first${index}`));
    // slapd itself returns no more than 500 at a time.
    const around = direct.flatMap((name, index) =>
      Array.from({ length: 350 }, (_, count) => ({ name: group(`many${index}-${count}`), members: [name] })),
    );
    directory.addGroups([...direct.map((name) => ({ name, members: [`uid=busy,ou=people,${BASE}`] })), ...around]);
  }, 60_000);

  it.each<[string, Partial<DirectoryInput>]>([
    ['read of each group', {}],
    ['searched by their members', { groupsBy: 'member' }],
  ])('are left out, within the time and with a word of it: %s', async (_how, more) => {
    const before = systemClock.monotonicMs();
    const user = await found('busy', { ...more, nestedGroups: true });
    expect(systemClock.monotonicMs() - before).toBeLessThan(7000);
    // A thousand with the three direct ones.
    expect(user?.nestedGroups.filter((name) => name.includes('='))).toHaveLength(997);
    expect(user?.hasMoreGroups).toBe(true);
  });
});

/** Breaks each connection off once it sent so many bytes. */
async function startRelay(
  mostBytes: () => number,
): Promise<{ readonly host: string; count: () => number; stop(): void }> {
  let count = 0;
  const relay = createServer((client) => {
    count += 1;
    let sent = 0;
    const behind = connect(directory.port, '127.0.0.1');
    const end = (): void => void [client.destroy(), behind.destroy()];
    for (const socket of [client, behind]) socket.on('error', end).on('close', end);
    client.pipe(behind);
    behind.on('data', (chunk) => {
      sent += chunk.length;
      if (sent > mostBytes()) end();
      else client.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  return { host, count: () => count, stop: () => void relay.close() };
}

function newRecheck(database: ReturnType<typeof openDatabase>['database']): DirectoryRecheck {
  return new DirectoryRecheck({
    database,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    box: new SecretBox({ masterKey: Buffer.from(server.masterKey, 'hex') }),
    ownPorts: new Set<number>(),
    signal: new AbortController().signal,
  });
}

it('a look at users goes on over further connections where one may not have it all', async () => {
  let mostBytes = Number.POSITIVE_INFINITY;
  const relay = await startRelay(() => mostBytes);
  const names = ['crowd1', 'crowd2', 'crowd3', 'crowd4', 'crowd5'];
  for (const name of names) {
    directory.addPerson(name, name, 'Crowds-Word-1');
    const entry = `dn: uid=${name},ou=people,${BASE}\nchangetype: modify\n`;
    directory.modify(`${entry}add: description\ndescription: ${'x'.repeat(3000)}\n`);
  }
  const role = await operator.ok('role/add', { roleName: 'Crowd', permissions: ['AlarmPush'], resources: null });
  // What a row names is asked for: each user is 3 KB.
  const mappingList = [{ claim: 'description', value: 'y', roleId: role.roleId, organizationId: null }];
  const settings = directoryOf(directory, { security: 'plain', hosts: [relay.host] });
  const { provider } = await operator.ok('identity/provider/save', directoryInput(settings, { mappingList }));
  const sessions = new Map<string, CallClient>();
  for (const name of names) sessions.set(name, await signedIn(name, 'Crowds-Word-1'));
  const rows = await runSql(server, 'select user_label from identity_link order by subject');
  const last = String(rows.at(-1)?.['user_label']);
  directory.remove(`uid=${last},ou=people,${BASE}`);
  const opened = openDatabase({ url: server.database.url, onError: () => undefined });
  const before = relay.count();
  mostBytes = 7500;
  await newRecheck(opened.database).run();
  expect(relay.count() - before).toBe(2);
  for (const [name, client] of sessions)
    expect((await client.call('account/info', {})).code).toBe(name === last ? 1001 : 200);
  mostBytes = 1000;
  await newRecheck(opened.database).run();
  expect(relay.count() - before, 'nobody was looked at, so it ends').toBe(3);
  relay.stop();
  await opened.database.destroy();
  await operator.ok('identity/provider/delete', { providerId: provider.providerId });
});

const login = { browserId: 'x', clientType: 'client' } as const;

async function signedIn(account: string, password: string): Promise<CallClient> {
  return server.client((await server.client().ok('account/login', { ...login, account, password })).accessToken);
}

describe('rights by a group of groups', () => {
  it('hold from the sign-in on where they count, and end with the next look once a group in between is gone', async () => {
    const permissions = ['AlarmPush'] as const;
    const role = await operator.ok('role/add', { roleName: 'Staff', permissions: [...permissions], resources: null });
    const { organizationId } = await operator.ok('org/add', { organizationName: 'North' });
    const mappingList = [{ claim: 'groups', value: 'everybody', roleId: role.roleId, organizationId }];
    const input = directoryInput(directoryOf(directory, SEARCHED), { mappingList });
    const { provider } = await operator.ok('identity/provider/save', input);
    expect(provider.directory?.nestedGroups, 'as every row before has it').toBeUndefined();
    const anna = await signedIn('anna', PEOPLE.anna);
    const mayWatchAlarms = async () => (await anna.ok('permission/list', {})).permissionList.includes('AlarmPush');
    expect(await mayWatchAlarms()).toBe(false);
    const { providerId, version } = provider;
    const nested = {
      ...input,
      providerId,
      version,
      directory: directoryOf(directory, { ...SEARCHED, nestedGroups: true }),
    };
    expect((await operator.ok('identity/provider/save', nested)).provider.directory?.nestedGroups).toBe(true);
    const opened = openDatabase({ url: server.database.url, onError: () => undefined });
    const recheck = newRecheck(opened.database);
    await recheck.run();
    expect(await mayWatchAlarms()).toBe(true);
    await signedIn('anna', PEOPLE.anna);
    expect(await mayWatchAlarms(), 'by a sign-in too').toBe(true);
    directory.modify(`dn: ${group('staff')}\nchangetype: modify\ndelete: member\nmember: ${GUARDS}\n`);
    await recheck.run();
    expect(await mayWatchAlarms()).toBe(false);
    await opened.database.destroy();
    await operator.ok('identity/provider/delete', { providerId });
  });
});
