// Signing in by an identity provider of somebody else: accounts that it makes, rights by the mapping, links, and proof in place of a password.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STRANGER_CLIENT, StrangerProvider } from '../harness/stranger-provider.ts';
import { enableTotp, prove, runSql } from './account-steps.ts';
import { IdentityBrowser, PROVIDER_INPUT, type ProviderInput } from './identity-browser.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let stranger: StrangerProvider;
let providerId: string;
let roleId: string;
let organizationId: string;
const PASSWORD = 'Secret-1';

beforeAll(async () => {
  [server, stranger] = await Promise.all([ServerUnderTest.start(), StrangerProvider.start()]);
  operator = await server.setUp();
  ({ organizationId } = await operator.ok('org/add', { organizationName: 'North' }));
  const permissions = ['Realplay', 'AlarmPush'] as const;
  ({ roleId } = await operator.ok('role/add', { roleName: 'Guards', permissions: [...permissions], resources: null }));
  await prove(operator, OPERATOR.password);
  const { provider } = await operator.ok('identity/provider/save', inputOf({}));
  providerId = provider.providerId;
  stranger.register(provider.redirectUrl);
});
afterAll(async () => {
  stranger?.stop();
  await server?.stop();
});
beforeEach(() => change({}));

function inputOf(more: Partial<ProviderInput>): ProviderInput {
  const mappingList = [{ claim: 'groups', value: 'guards', roleId, organizationId }];
  return { ...PROVIDER_INPUT, providerName: 'Head office', issuer: stranger.issuer, mappingList, ...more };
}

/** Of the provider's settings, beside the usual ones. */
async function change(more: Partial<ProviderInput>): Promise<void> {
  const { providerList } = await operator.ok('identity/provider/list', {});
  const version = providerList.find((one) => one.providerId === providerId)?.version ?? 0;
  const { clientSecret: _kept, ...rest } = inputOf(more);
  await operator.ok('identity/provider/save', { ...rest, providerId, version });
}

async function userCalled(name: string) {
  return (await operator.ok('user/list', { keyWord: name })).userList[0];
}

async function newAccount(username: string, email: string): Promise<string> {
  const { userId } = await operator.ok('user/add', { username, password: PASSWORD, userType: 2 });
  await runSql(server, `update account set email = '${email}' where account_id = '${userId}'`);
  return userId;
}

describe('an account that the provider makes', () => {
  it('has what the mapping gives, follows it at each sign-in, and has nothing where no row fits', async () => {
    stranger.user = { sub: 'anna', preferred_username: 'anna.guard', groups: ['staff', 'guards'] };
    const browser = new IdentityBrowser(server);
    expect((await browser.signIn(providerId)).data).toMatchObject({ userName: 'anna_guard', userType: 5 });
    const made = await userCalled('anna_guard');
    expect(made).toMatchObject({ roleIds: [roleId], organizationIds: [organizationId], ownerName: OPERATOR.username });
    expect((await browser.client.ok('permission/list', {})).permissionList).toContain('AlarmPush');

    stranger.user = { ...stranger.user, groups: ['staff'] };
    expect((await new IdentityBrowser(server).signIn(providerId)).data).toMatchObject({ userId: made?.userId });
    expect(await userCalled('anna_guard')).toMatchObject({ roleIds: [], organizationIds: [] });
    expect((await browser.client.ok('permission/list', {})).permissionList, 'of the session before').not.toContain(
      'AlarmPush',
    );
  });

  it('is another one for another user of the same name, and none where none may be made', async () => {
    stranger.user = { sub: 'anna-2', preferred_username: 'anna.guard' };
    expect((await new IdentityBrowser(server).signIn(providerId)).data).toMatchObject({ userName: 'anna_guard_2' });
    await change({ createsAccounts: false });
    stranger.user = { sub: 'unknown' };
    const refused = await new IdentityBrowser(server).signIn(providerId);
    expect(refused).toMatchObject({ code: 1044, data: { reason: 'identityNoAccount' } });
  });

  it('has no password to sign in with, until its owner sets one', async () => {
    stranger.user = { sub: 'ben', preferred_username: 'ben' };
    const browser = new IdentityBrowser(server);
    const { userId } = (await browser.signIn(providerId)).data;
    expect(await browser.client.ok('identity/link/list', {})).toMatchObject({ hasPassword: false });
    const login = { account: 'ben', password: '', browserId: 'x', clientType: 'client' } as const;
    expect((await server.client().call('account/login', { ...login, password: PASSWORD })).code).toBe(2004);
    const user = await userCalled('ben');
    await operator.ok('user/update', { userId, version: user?.version ?? 0, password: PASSWORD });
    expect((await server.client().call('account/login', { ...login, password: PASSWORD })).code).toBe(200);
  });

  it('proves itself at the provider in place of a password, and keeps its link', async () => {
    stranger.user = { sub: 'cleo', preferred_username: 'cleo' };
    const browser = new IdentityBrowser(server);
    await browser.signIn(providerId);
    const refused = await browser.call('identity/link/delete', { providerId });
    expect(refused).toMatchObject({ code: 1040, data: { providerName: 'Head office' } });
    const { url } = (await browser.call('identity/proof/begin', {})).data;
    expect(new URL(url).searchParams.get('prompt')).toBe('login');
    const parameters = await browser.visit(url);
    const other = new IdentityBrowser(server);
    expect((await other.finish(providerId, parameters)).data, 'no way to sign in').toMatchObject({
      reason: 'identityExpired',
    });
    const proved = await browser.call('identity/link/finish', { providerId, parameters });
    expect(proved.data.provedUntil).toBeGreaterThan(Date.now());
    expect((await browser.call('identity/link/delete', { providerId })).code, 'the only way in').toBe(1006);
  });

  it('is refused once it is disabled, or its provider is', async () => {
    stranger.user = { sub: 'dora', preferred_username: 'dora' };
    const { userId } = (await new IdentityBrowser(server).signIn(providerId)).data;
    await operator.ok('user/enable', { userId, isEnabled: false });
    expect((await new IdentityBrowser(server).signIn(providerId)).code).toBe(2031);
    const begun = new IdentityBrowser(server);
    const parameters = await begun.visit(await begun.begin(providerId));
    stranger.user = { sub: 'anna', preferred_username: 'anna.guard' };
    const open = new IdentityBrowser(server);
    await open.signIn(providerId);
    expect((await open.call('account/info', {})).code).toBe(200);
    await change({ isEnabled: false });
    expect((await open.call('account/info', {})).code, 'who was signed in').toBe(1001);
    expect((await begun.finish(providerId, parameters)).data).toMatchObject({ reason: 'identityClosed' });
    expect((await begun.call('identity/signIn/begin', { providerId })).code).toBe(1007);
    expect((await server.client().ok('server/version', {})).identityProviderList).toEqual([]);
  });
});

describe('an account that was there before', () => {
  it('is linked by its verified address alone, where the operator allows it, and keeps its own rights', async () => {
    const userId = await newAccount('emil', 'emil@example.org');
    stranger.user = { sub: 'emil', email: 'Emil@example.org', email_verified: false, groups: ['guards'] };
    await change({ createsAccounts: false, linksByEmail: true });
    expect((await new IdentityBrowser(server).signIn(providerId)).data).toMatchObject({ reason: 'identityNoAccount' });
    stranger.user = { ...stranger.user, email_verified: true };
    await change({ createsAccounts: false });
    expect((await new IdentityBrowser(server).signIn(providerId)).data).toMatchObject({ reason: 'identityNoAccount' });
    await change({ createsAccounts: false, linksByEmail: true });
    expect((await new IdentityBrowser(server).signIn(providerId)).data).toMatchObject({ userId, userType: 2 });
    expect(await userCalled('emil')).toMatchObject({ roleIds: [], organizationIds: [] });
    stranger.user = { sub: 'another user of the provider', email: 'emil@example.org', email_verified: true };
    expect((await new IdentityBrowser(server).signIn(providerId)).data).toMatchObject({ reason: 'identityOtherLink' });
  });

  it('is never an operator’s or one with a second factor, whatever address the provider tells', async () => {
    await runSql(server, `update account set email = 'op@example.org' where user_name = '${OPERATOR.username}'`);
    await newAccount('fritz', 'fritz@example.org');
    await enableTotp(await server.signIn('fritz', PASSWORD), PASSWORD);
    await change({ linksByEmail: true });
    for (const name of ['op', 'fritz']) {
      stranger.user = { sub: `wants ${name}`, email: `${name}@example.org`, email_verified: true };
      const refused = await new IdentityBrowser(server).signIn(providerId);
      expect(refused, name).toMatchObject({ code: 1044, data: { reason: 'identityNotLinked' } });
    }
  });

  it('links itself, an operator too, and unlinks itself', async () => {
    stranger.user = { sub: 'the operator', preferred_username: 'boss' };
    const browser = new IdentityBrowser(server, operator);
    const { url } = (await browser.call('identity/link/begin', { providerId })).data;
    const parameters = await browser.visit(url);
    const thief = await server.signIn(OPERATOR.username, OPERATOR.password);
    browser.accessToken = thief.accessToken;
    const stolen = await browser.call('identity/link/finish', { providerId, parameters });
    expect(stolen, 'another session').toMatchObject({ code: 1044, data: { reason: 'identityExpired' } });
    browser.accessToken = operator.accessToken;
    const again = await browser.visit((await browser.call('identity/link/begin', { providerId })).data.url);
    expect((await browser.call('identity/link/finish', { providerId, parameters: again })).data).toEqual({
      provedUntil: 0,
    });
    const signedIn = new IdentityBrowser(server);
    expect((await signedIn.signIn(providerId)).data).toMatchObject({ userName: OPERATOR.username });
    const { linkList, offerList, hasPassword } = await operator.ok('identity/link/list', {});
    expect({ linkList, offerList, hasPassword }).toMatchObject({
      linkList: [{ providerId, providerName: 'Head office', userLabel: 'boss' }],
      offerList: [],
      hasPassword: true,
    });
    await operator.ok('identity/link/delete', { providerId });
    expect((await signedIn.call('account/info', {})).code, 'by the link').toBe(1001);
    expect((await operator.call('account/info', {})).code, 'the session that did it').toBe(200);
    expect((await new IdentityBrowser(server).signIn(providerId)).data, 'a new account').toMatchObject({
      userName: 'boss',
      userType: 5,
    });
  });
});

describe('the operator’s settings', () => {
  it('hold the client secret sealed: it stands in no column of any table, in no encoding', async () => {
    const tables = await runSql(server, `select tablename from pg_tables where schemaname = 'public'`);
    const { clientSecret } = STRANGER_CLIENT;
    const forms = [
      clientSecret,
      Buffer.from(clientSecret).toString('hex'),
      Buffer.from(clientSecret).toString('base64'),
    ];
    for (const { tablename } of tables) {
      const rows = await runSql(server, `select to_jsonb(one)::text as text from "${String(tablename)}" as one`);
      const text = rows.map((row) => String(row['text'])).join('\n');
      for (const form of forms) expect(text.includes(form), String(tablename)).toBe(false);
    }
    const answer = JSON.stringify(await operator.ok('identity/provider/list', {}));
    expect(answer).toContain('"hasSecret":true');
    expect(answer).not.toContain(clientSecret);
  });

  it('send a kept secret to no other issuer, name own roles alone, and are of one provider for each issuer', async () => {
    const { providerList } = await operator.ok('identity/provider/list', {});
    const version = providerList[0]?.version ?? 0;
    const { clientSecret: _kept, ...rest } = inputOf({ issuer: 'https://other.example.org' });
    const moved = await operator.call('identity/provider/save', { ...rest, providerId, version });
    expect(moved).toMatchObject({ code: 1003, data: { clientSecret: 'required' } });
    for (const issuer of [stranger.issuer, `${stranger.issuer}/`]) {
      expect((await operator.call('identity/provider/save', inputOf({ issuer }))).code, issuer).toBe(1016);
    }
    const foreign = [{ claim: 'a', value: 'b', roleId: 'MISSING0', organizationId: null }];
    const second = inputOf({ issuer: 'https://second.example.org', mappingList: foreign });
    expect((await operator.call('identity/provider/save', second)).code).toBe(1007);
    const noOpenid = { ...inputOf({}), scopes: 'email' };
    expect(await operator.call('identity/provider/save', noOpenid)).toMatchObject({ data: { scopes: 'format' } });
    const old = { ...rest, issuer: stranger.issuer, providerId, version: version - 1 };
    expect(await operator.call('identity/provider/save', old)).toMatchObject({ code: 1010, data: { version } });
  });

  it('are tried before they are saved', async () => {
    const { issuer } = stranger;
    const good = await operator.ok('identity/provider/test', { issuer });
    expect(good).toEqual({ reason: null, detail: '', authorizationUrl: `${issuer}/auth`, user: null });
    const reasons = [
      ['http://127.0.0.1:1', 'identityUnreachable'],
      ['http://169.254.169.254', 'identityBadProvider'],
      ['https://169.254.169.254', 'identityRefusedAddress'],
      [`${issuer}/other`, 'identityBadProvider'],
    ] as const;
    for (const [at, reason] of reasons) {
      expect(await operator.ok('identity/provider/test', { issuer: at }), at).toMatchObject({ reason });
    }
  });

  it('leave a line for each sign-in in the audit log, with its account', async () => {
    stranger.user = { sub: 'anna', preferred_username: 'anna.guard' };
    await new IdentityBrowser(server).signIn(providerId);
    const { auditList } = await operator.ok('audit/list', { userName: 'anna_guard' });
    expect(auditList[0]).toMatchObject({ call: 'identity/signIn/finish', userName: 'anna_guard', code: 200 });
  });
});
