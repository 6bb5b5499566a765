// Linking an own account to a directory: name and password of its user, typed by who is signed in, under the limits of a sign-in.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BASE, DirectoryServer, PEOPLE } from '../harness/directory-server.ts';
import { prove, runSql } from './account-steps.ts';
import { directoryInput, directoryOf } from './directory-settings.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let directory: DirectoryServer;
let operator: CallClient;
let providerId: string;
const PASSWORD = 'Secret-1';

beforeAll(async () => {
  [server, directory] = await Promise.all([ServerUnderTest.start(), DirectoryServer.start()]);
  operator = await server.setUp();
  await prove(operator, OPERATOR.password);
  const input = directoryInput(directoryOf(directory), { createsAccounts: false });
  ({ providerId } = (await operator.ok('identity/provider/save', input)).provider);
});
afterAll(async () => {
  await Promise.all([server?.stop(), directory?.stop()]);
});
beforeEach(async () => {
  directory.thaw();
  await runSql(server, 'delete from attempt');
  await runSql(server, 'delete from identity_link');
});

let people = 0;

/** Signed in to an account of its own, and just proved. */
async function newGuard(): Promise<{ readonly client: CallClient; readonly name: string; readonly userId: string }> {
  people += 1;
  const name = `own_guard${people}`;
  const { userId } = await operator.ok('user/add', { username: name, password: PASSWORD, userType: 2 });
  const client = await server.signIn(name, PASSWORD);
  await prove(client, PASSWORD);
  return { client, name, userId };
}

const login = (account: string, password: string) =>
  server.client().call('account/login', { account, password, browserId: 'x', clientType: 'client' });

describe('who is signed in to an own account', () => {
  it('links it by name and password of the directory, signs in by both, and unlinks it again', async () => {
    const { client, name, userId } = await newGuard();
    const offer = { providerId, providerName: 'Head office', isDirectory: true };
    expect(await client.ok('identity/link/list', {})).toMatchObject({ linkList: [], offerList: [offer] });
    expect((await login('anna', PEOPLE.anna)).code, 'not before').toBe(1044);
    await client.ok('identity/link/directory', { providerId, userName: 'anna', password: PEOPLE.anna });
    const linked = await client.ok('identity/link/list', {});
    expect(linked).toMatchObject({ linkList: [{ providerId, userLabel: 'anna' }], offerList: [], hasPassword: true });
    expect((await login('anna', PEOPLE.anna)).data).toMatchObject({ userId });
    expect((await login(name, PASSWORD)).data).toMatchObject({ userId });
    const { auditList } = await client.ok('audit/list', {});
    expect(auditList.find(({ call }) => call === 'identity/link/directory')).toMatchObject({
      object: 'Head office',
      code: 200,
    });
    expect(JSON.stringify(auditList)).not.toContain(PEOPLE.anna);
    await client.ok('identity/link/delete', { providerId });
    expect((await login('anna', PEOPLE.anna)).code, 'no more').toBe(1044);
    expect((await login(name, PASSWORD)).data, 'a way in stays').toMatchObject({ userId });
  });

  it('keeps its rights, which are no business of the directory', async () => {
    const { client, userId } = await newGuard();
    const before = (await client.ok('permission/list', {})).permissionList;
    await client.ok('identity/link/directory', { providerId, userName: 'anna', password: PEOPLE.anna });
    expect((await login('anna', PEOPLE.anna)).data).toMatchObject({ userId });
    expect((await client.ok('permission/list', {})).permissionList).toEqual(before);
  });

  it('proves itself by its own password first', async () => {
    const { name } = await newGuard();
    const thief = await server.signIn(name, PASSWORD);
    const input = { providerId, userName: 'anna', password: PEOPLE.anna };
    expect((await thief.call('identity/link/directory', input)).code).toBe(1040);
    expect((await server.client().call('identity/link/directory', input)).code, 'nobody').toBe(1001);
    expect((await thief.ok('identity/link/list', {})).linkList).toEqual([]);
  });

  it('cannot take a user who is linked to somebody else, nor have two of one directory', async () => {
    const [first, second] = [await newGuard(), await newGuard()];
    const anna = { providerId, userName: 'anna', password: PEOPLE.anna };
    await first.client.ok('identity/link/directory', anna);
    await first.client.ok('identity/link/directory', anna);
    const taken = { code: 1044, data: { reason: 'identityOtherLink' } };
    expect(await second.client.call('identity/link/directory', anna)).toMatchObject(taken);
    const ben = { providerId, userName: 'ben', password: PEOPLE.ben };
    expect(await first.client.call('identity/link/directory', ben)).toMatchObject(taken);
    expect((await login('anna', PEOPLE.anna)).data).toMatchObject({ userId: first.userId });
    expect((await second.client.ok('identity/link/list', {})).linkList).toEqual([]);
  });
});

describe('nothing is linked', () => {
  it.each<[string, string, string, number]>([
    ['by a wrong password', 'anna', 'another', 2004],
    ['by a name that nobody has', 'nobody', 'another', 2004],
    ['by a filter', 'anna)(uid=*', PEOPLE.anna, 2004],
    ['by another way of writing a name', 'anna ', PEOPLE.anna, 2004],
    ['by a name that two have', 'twice', 'Twices-Word-1', 2004],
    ['without a name', '', PEOPLE.anna, 1003],
    ['without a password', 'anna', '', 1003],
    ['by a password of nothing', 'anna', '\0', 1003],
    ['by a name without an end', 'a'.repeat(65), PEOPLE.anna, 1003],
    ['by a password without an end', 'anna', 'a'.repeat(129), 1003],
  ])('%s', async (_how, userName, password, code) => {
    const { client } = await newGuard();
    expect((await client.call('identity/link/directory', { providerId, userName, password })).code).toBe(code);
    expect((await client.ok('identity/link/list', {})).linkList).toEqual([]);
  });

  it('by what is no directory, or one that signs nobody in', async () => {
    const { client } = await newGuard();
    const input = { userName: 'anna', password: PEOPLE.anna };
    expect((await client.call('identity/link/directory', { ...input, providerId: 'MISSING0' })).code).toBe(1007);
    const { provider } = await operator.ok('identity/provider/save', {
      ...directoryInput(directoryOf(directory), { isEnabled: false, providerName: 'Closed' }),
    });
    const closed = { ...input, providerId: provider.providerId };
    expect((await client.call('identity/link/directory', closed)).code).toBe(1007);
    expect((await client.ok('identity/link/list', {})).offerList).toHaveLength(1);
    await operator.ok('identity/provider/delete', { providerId: provider.providerId });
  });

  it('while the directory hangs, and the try counts', async () => {
    const { client } = await newGuard();
    directory.freeze();
    const hung = await client.call('identity/link/directory', { providerId, userName: 'anna', password: 'wrong' });
    expect(hung).toMatchObject({ code: 1044, data: { reason: 'identityUnreachable' } });
    directory.thaw();
    // Two of the session; of the name three, as at the sign-in page.
    const rows = await runSql(server, 'select count(*)::integer as tries from attempt');
    expect(rows).toEqual([{ tries: 5 }]);
  });

  it('beyond the tries of the name, which are those of the sign-in page, nor beyond those of the session', async () => {
    const { client } = await newGuard();
    const codes: number[] = [];
    const wrong = async (userName: string) =>
      codes.push((await client.call('identity/link/directory', { providerId, userName, password: 'wrong' })).code);
    for (let tries = 0; tries < 12; tries += 1) await wrong('anna');
    expect(codes.slice(0, 5)).toEqual([2004, 2004, 2004, 2004, 2004]);
    expect(codes.at(-1)).toBe(2031);
    expect((await login('anna', PEOPLE.anna)).code, 'there too').toBe(2031);
    codes.length = 0;
    for (let tries = 0; tries < 22; tries += 1) await wrong(`name${tries}`);
    expect(codes.at(-1), 'other names from the same session').toBe(2031);
  });
});

it('a user who is gone opens the account no more, which its own password still does', async () => {
  directory.addPerson('fred', 'Fred', 'Freds-Word-1');
  const { client, name, userId } = await newGuard();
  await client.ok('identity/link/directory', { providerId, userName: 'fred', password: 'Freds-Word-1' });
  directory.remove(`uid=fred,ou=people,${BASE}`);
  expect((await login('fred', 'Freds-Word-1')).code).toBe(2004);
  expect((await login(name, PASSWORD)).data).toMatchObject({ userId });
});
