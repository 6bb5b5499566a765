// Signing in by a directory: a real slapd behind the ordinary sign-in, with rights by its groups, and an end when somebody leaves.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../server/core/secret-box.ts';
import { openDatabase } from '../../server/database/connection.ts';
import { DirectoryConnection } from '../../server/directory/directory-connection.ts';
import { DirectoryRecheck } from '../../server/features/identity/directory-recheck.ts';
import { BASE, DirectoryServer, GUARDS, GUID, PEOPLE, SEARCHER } from '../harness/directory-server.ts';
import { waitFor } from '../harness/wait-for.ts';
import { codeAt, enableTotp, prove, runSql } from './account-steps.ts';
import { directoryInput, type DirectoryInput, directoryOf, type ProviderInput } from './directory-settings.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let directory: DirectoryServer;
let operator: CallClient;
let connection: ReturnType<typeof openDatabase>;
let recheck: DirectoryRecheck;
let providerId: string;
let roleId: string;
let organizationId: string;

beforeAll(async () => {
  [server, directory] = await Promise.all([ServerUnderTest.start(), DirectoryServer.start()]);
  operator = await server.setUp();
  ({ organizationId } = await operator.ok('org/add', { organizationName: 'North' }));
  const permissions = ['Realplay', 'AlarmPush'] as const;
  ({ roleId } = await operator.ok('role/add', { roleName: 'Guards', permissions: [...permissions], resources: null }));
  await prove(operator, OPERATOR.password);
  ({ providerId } = (await operator.ok('identity/provider/save', inputOf())).provider);
  connection = openDatabase({ url: server.database.url, onError: () => undefined });
  recheck = new DirectoryRecheck(recheckDeps());
});
afterAll(async () => {
  await connection?.database.destroy();
  await Promise.all([server?.stop(), directory?.stop()]);
});
beforeEach(() => change());
afterEach(() => directory.thaw());

function recheckDeps() {
  return {
    database: connection.database,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    box: new SecretBox({ masterKey: Buffer.from(server.masterKey, 'hex') }),
    ownPorts: new Set<number>(),
    signal: new AbortController().signal,
  };
}

function inputOf(more: Partial<DirectoryInput> = {}, rest: Partial<ProviderInput> = {}): ProviderInput {
  const mappingList = [{ claim: 'groups', value: GUARDS, roleId, organizationId }];
  return directoryInput(directoryOf(directory, more), { mappingList, ...rest });
}

/** Of the settings, beside the usual ones. */
async function change(more: Partial<DirectoryInput> = {}, rest: Partial<ProviderInput> = {}) {
  const { providerList } = await operator.ok('identity/provider/list', {});
  const version = providerList.find((one) => one.providerId === providerId)?.version ?? 0;
  await operator.ok('identity/provider/save', { ...inputOf(more, rest), providerId, version });
}

/** Each from an address of its own, so that no test uses up the tries of another. */
let addresses = 0;

async function signIn(account: string, password: string, more: { readonly verifyCode?: string } = {}) {
  addresses += 1;
  const body = JSON.stringify({ account, password, browserId: 'browser of a user', clientType: 'client', ...more });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${addresses % 200}` };
  const answer = await server.send({ method: 'POST', path: '/api/v1/account/login', headers, body });
  return JSON.parse(answer.body) as { code: number; data: { accessToken: string; userId: string; reason?: string } };
}

async function signedIn(account: string, password: string): Promise<CallClient> {
  const { code, data } = await signIn(account, password);
  expect(code, account).toBe(200);
  return server.client(data.accessToken);
}

async function countedTries(): Promise<number> {
  const rows = await runSql(server, 'select count(*)::integer as tries from attempt');
  return Number(rows[0]?.['tries']);
}

async function userCalled(name: string) {
  return (await operator.ok('user/list', { keyWord: name })).userList[0];
}

describe('a user of a directory', () => {
  it.each<[string, () => Partial<DirectoryInput>]>([
    ['LDAPS', () => ({})],
    ['StartTLS', () => ({ security: 'startTls', hosts: [`localhost:${directory.port}`] })],
    ['plain LDAP', () => ({ security: 'plain', hosts: [`127.0.0.1:${directory.port}`] })],
    ['the second host', () => ({ hosts: ['localhost:1', `localhost:${directory.tlsPort}`] })],
  ])('signs in by the ordinary sign-in over %s', async (_how, more) => {
    await change(more());
    expect((await signIn('anna', PEOPLE.anna)).code).toBe(200);
    expect((await signIn('anna', 'another')).code).toBe(2004);
    expect((await signIn('王芳', PEOPLE.wang)).code, 'not by that attribute').toBe(2004);
    await change({ ...more(), userFilter: '(|(uid={username})(cn={username}))' });
    expect((await signIn('王芳', PEOPLE.wang)).code, 'letters beyond ASCII').toBe(200);
  });

  it('has what the table gives for its groups, and a line in the audit log', async () => {
    const anna = await signedIn('anna', PEOPLE.anna);
    const made = await userCalled('anna');
    const rights = { roleIds: [roleId], organizationIds: [organizationId] };
    expect(made).toMatchObject({ ...rights, userType: 5, ownerName: OPERATOR.username });
    expect((await anna.ok('permission/list', {})).permissionList).toContain('AlarmPush');
    await signedIn('ben', PEOPLE.ben);
    expect(await userCalled('ben')).toMatchObject({ roleIds: [], organizationIds: [] });
    const { auditList } = await operator.ok('audit/list', { userName: 'anna' });
    expect(auditList[0]).toMatchObject({ call: 'account/login', object: 'Head office', userName: 'anna', code: 200 });
  });

  it.each<[string, Partial<DirectoryInput>, string, keyof typeof PEOPLE]>([
    [
      'its groups are searched by their members',
      { groupsBy: 'member', groupBase: `ou=groups,${BASE}` },
      'guards',
      'anna',
    ],
    ['by names of members', { groupsBy: 'memberUid' }, 'porters', 'ben'],
  ])('has rights where %s', async (_how, more, value, name) => {
    await change(more, { mappingList: [{ claim: 'groups', value, roleId, organizationId }] });
    await signedIn(name, PEOPLE[name]);
    expect(await userCalled(name)).toMatchObject({ roleIds: [roleId] });
    await change(more);
    await signedIn(name, PEOPLE[name]);
    expect((await userCalled(name))?.roleIds).toEqual(name === 'anna' ? [roleId] : []);
  });

  it('has rights by an attribute of its own, and is told apart by bytes', async () => {
    const mappingList = [{ claim: 'departmentNumber', value: 'north', roleId, organizationId }];
    await change({}, { isEnabled: false });
    const input = inputOf({ idAttribute: 'objectGUID' }, { mappingList, providerName: 'Branch' });
    const branch = (await operator.ok('identity/provider/save', input)).provider.providerId;
    await signedIn('anna', PEOPLE.anna);
    await recheck.run();
    const rows = await runSql(server, `select subject, gone_at from identity_link where provider_id = '${branch}'`);
    expect(rows).toEqual([{ subject: GUID.toString('hex'), gone_at: null }]);
    expect(await userCalled('anna_2')).toMatchObject({ roleIds: [roleId] });
    const { version } = (await operator.ok('identity/provider/list', {})).providerList[1] ?? {};
    const renamed = { ...input, providerId: branch, version: version ?? 0, directory: directoryOf(directory) };
    const refused = await operator.call('identity/provider/save', renamed);
    expect(refused, 'known users would be gone').toMatchObject({ code: 1003, data: { idAttribute: 'notAllowed' } });
    await operator.ok('identity/provider/delete', { providerId: branch });
  });

  it('is asked for the second factor of ours, and proves itself by the password of the directory', async () => {
    const wang = await signedIn('wang', PEOPLE.wang);
    expect((await wang.call('account/stepUp', { password: 'another' })).code).toBe(2004);
    await prove(wang, PEOPLE.wang);
    const change = { oldPassword: PEOPLE.wang, password: 'Secret-1' };
    expect((await wang.call('account/password/change', change)).code, 'no password to change').toBe(2004);
    const { secret } = await enableTotp(wang, PEOPLE.wang);
    expect((await signIn('wang', PEOPLE.wang)).code).toBe(2076);
    expect((await signIn('wang', PEOPLE.wang, { verifyCode: '000000' })).code).toBe(1015);
    expect((await signIn('wang', PEOPLE.wang, { verifyCode: await codeAt(secret) })).code).toBe(200);
  });

  it('is linked to the account with its address where the operator allows it, and signs in by both', async () => {
    directory.addPerson('emil', 'Emil', 'Emils-Word-1');
    directory.modify(`dn: uid=emil,ou=people,${BASE}\nchangetype: modify\nadd: mail\nmail: emil@example.org\n`);
    const { userId } = await operator.ok('user/add', { username: 'guard_emil', password: 'Secret-1', userType: 2 });
    await runSql(server, `update account set email = 'emil@example.org' where account_id = '${userId}'`);
    await change({}, { linksByEmail: true });
    expect((await signIn('emil', 'Emils-Word-1')).data).toMatchObject({ userId });
    expect((await signIn('guard_emil', 'Secret-1')).data).toMatchObject({ userId });
  });
});

describe('nobody signs in', () => {
  it.each([
    ['as everybody', '*', PEOPLE.anna],
    ['by a filter', 'anna)(uid=*', PEOPLE.anna],
    ['by another way of writing a name', 'ａｎｎａ', PEOPLE.anna],
    ['by a space behind it', 'anna ', PEOPLE.anna],
    ['by a name that two have', 'twice', 'Twices-Word-1'],
    ['as the name that searches', 'searcher', SEARCHER.password],
  ])('%s', async (_how, account, password) => {
    expect(await signIn(account, password)).toMatchObject({ code: 2004 });
  });

  it('without a password, which the directory itself would take', async () => {
    for (const password of ['', '\0']) expect((await signIn('anna', password)).code).toBe(1003);
    const name = `uid=anna,ou=people,${BASE}`;
    await expect(directory.accepts(name, ''), 'an unauthenticated bind').resolves.toBe(true);
    const place = { ...directoryOf(directory), bind: SEARCHER };
    const opened = await DirectoryConnection.open(place, new Set(), AbortSignal.timeout(9000));
    for (const password of ['', '\0', '\0\0']) expect(await opened.proves(name, password)).toBe(false);
    expect(await opened.proves(name, PEOPLE.anna)).toBe(true);
    opened.close();
  });

  it('who is disabled there, or may have no account here', async () => {
    const entry = `dn: uid=ben,ou=people,${BASE}\nchangetype: modify\n`;
    directory.modify(`${entry}add: userAccountControl\nuserAccountControl: 514\n`);
    expect((await signIn('ben', PEOPLE.ben)).code).toBe(2004);
    directory.modify(`${entry}delete: userAccountControl\n`);
    directory.addPerson('new', 'New', 'News-Word-1');
    await change({}, { createsAccounts: false });
    expect(await signIn('new', 'News-Word-1')).toMatchObject({ code: 1044, data: { reason: 'identityNoAccount' } });
    await change({}, { isEnabled: false });
    expect((await signIn('anna', PEOPLE.anna)).code).toBe(2004);
  });

  it('beyond the tries that an account has', async () => {
    const codes: number[] = [];
    for (let tries = 0; tries < 21; tries += 1) codes.push((await signIn('nobody-there', `wrong-${tries}`)).code);
    expect(codes).toContain(2031);
  });
});

describe('the password of an account of our own', () => {
  it('opens it whatever the directory has, and while the directory hangs', async () => {
    directory.addPerson(OPERATOR.username, 'Impostor', 'Impostors-Word-1');
    const impostor = await signIn(OPERATOR.username, 'Impostors-Word-1');
    expect(impostor.data.userId).not.toBe((await operator.ok('account/info', {})).userId);
    directory.freeze();
    const before = performance.now();
    expect((await signIn(OPERATOR.username, OPERATOR.password)).code).toBe(200);
    expect(performance.now() - before).toBeLessThan(3000);
  });

  it('is counted when it is wrong while the directory hangs, and answered within ten seconds', async () => {
    await operator.ok('user/add', { username: 'own_guard', password: 'Secret-1', userType: 2 });
    const triesBefore = await countedTries();
    directory.freeze();
    const before = performance.now();
    const answers = await Promise.all([signIn('own_guard', 'wrong'), signIn('nobody-at-all', 'wrong')]);
    for (const answer of answers) expect(answer).toMatchObject({ code: 1044, data: { reason: 'identityUnreachable' } });
    expect(performance.now() - before).toBeLessThan(10_000);
    directory.thaw();
    // Of the place, of the account and of the address, twice.
    expect((await countedTries()) - triesBefore).toBe(6);
  });
});

describe('a user who is gone', () => {
  it('loses the sessions with the next look, and nobody does while the directory is away', async () => {
    directory.addPerson('fred', 'Fred', 'Freds-Word-1');
    const [fred, anna] = [await signedIn('fred', 'Freds-Word-1'), await signedIn('anna', PEOPLE.anna)];
    await directory.end();
    await recheck.run();
    expect((await fred.call('account/info', {})).code, 'away').toBe(200);
    await directory.run();
    await recheck.run();
    expect((await fred.call('account/info', {})).code, 'still there').toBe(200);
    directory.remove(`uid=fred,ou=people,${BASE}`);
    await recheck.run();
    expect((await fred.call('account/info', {})).code).toBe(1001);
    expect((await anna.call('account/info', {})).code).toBe(200);
  });

  it('signs in again once the directory lets it in, and is shut out again', async () => {
    directory.addPerson('gina', 'Gina', 'Ginas-Word-1');
    const entry = `dn: uid=gina,ou=people,${BASE}\nchangetype: modify\n`;
    for (const round of [1, 2]) {
      const gina = await signedIn('gina', 'Ginas-Word-1');
      directory.modify(`${entry}add: userAccountControl\nuserAccountControl: 514\n`);
      await recheck.run();
      expect((await gina.call('account/info', {})).code, `round ${round}`).toBe(1001);
      directory.modify(`${entry}delete: userAccountControl\n`);
    }
  });

  it('is noticed by itself within a quarter of an hour', async () => {
    directory.addPerson('hugo', 'Hugo', 'Hugos-Word-1');
    const hugo = await signedIn('hugo', 'Hugos-Word-1');
    directory.remove(`uid=hugo,ou=people,${BASE}`);
    const clock = new FakeClock(Date.now());
    const timed = new DirectoryRecheck({ ...recheckDeps(), clock });
    timed.start();
    clock.advance(15 * 60_000);
    await waitFor('the end of the session', async () => (await hugo.call('account/info', {})).code === 1001);
    await waitFor('the next look to be planned', () => clock.next() === 15 * 60_000);
    timed.close();
    expect(clock.next()).toBeNull();
  });

  it('from a group has its rights no more, without signing in', async () => {
    const anna = await signedIn('anna', PEOPLE.anna);
    const entry = `dn: ${GUARDS}\nchangetype: modify\n`;
    directory.modify(`${entry}add: member\nmember: uid=ben,ou=people,${BASE}\n`);
    directory.modify(`${entry}delete: member\nmember: uid=anna,ou=people,${BASE}\n`);
    await recheck.run();
    expect((await anna.ok('permission/list', {})).permissionList).not.toContain('AlarmPush');
    expect(await userCalled('ben')).toMatchObject({ roleIds: [roleId] });
    directory.modify(`${entry}add: member\nmember: uid=anna,ou=people,${BASE}\n`);
  });
});
