// Signing in by the key of a native shell: challenge, ticket, session, and everything that ends a key.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt, enableTotp, runSql } from './account-steps.ts';
import { registerKey, shellKey, ticketOf } from './shell-key.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
});
afterAll(async () => {
  await server?.stop();
});

describe('[BR-02] sign-in by the key of a shell', () => {
  const password = 'Secret-1';
  const redeem = (ticket: string, browserId: string) =>
    server.client().call('account/key/signIn', { ticket, browserId });
  async function userWithKey(name: string) {
    const { userId } = await operator.ok('user/add', { username: name, password, userType: 2 });
    const key = shellKey(server);
    const client = await registerKey(server, key, { name, password });
    const browserId = `shell of ${name}`;
    const signIn = async () => await redeem(await ticketOf(key), browserId);
    return { userId, key, client, browserId, signIn };
  }

  it('a ticket opens one session, in the browser of the key alone', async () => {
    const { key, userId, browserId } = await userWithKey('keyann');
    const ticket = await ticketOf(key);
    expect((await redeem(ticket, 'another browser')).code).toBe(2004);
    const answers = await Promise.all([1, 2, 3].map(() => redeem(ticket, browserId)));
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 2004, 2004]);
    const opened = answers.find(({ code }) => code === 200)?.data;
    expect(opened).toMatchObject({ userId, userName: 'keyann', userType: 2 });
    expect((await server.client(opened?.accessToken ?? '').ok('token/check', {})).userId).toBe(userId);
    expect((await redeem(ticket, browserId)).code).toBe(2004);
  });

  it('tickets and challenges are taken after 59 s and refused after 61 s', async () => {
    const { key, browserId } = await userWithKey('keybob');
    const passTime = (ms: number) => runSql(server, `update sign_in_key set pending_until = pending_until - ${ms}`);
    for (const [ms, code] of [
      [59_000, 200],
      [61_000, 2004],
    ] as const) {
      const ticket = await ticketOf(key);
      await passTime(ms);
      expect((await redeem(ticket, browserId)).code, `${ms} ms`).toBe(code);
    }
    const late = shellKey(server, { onCall: async (path) => path.endsWith('ticket') && (await passTime(61_000)) });
    await registerKey(server, late, { name: 'keybob', password });
    expect(await late.ticket()).toBeNull();
  });

  it('a proof counts once, and for this server, this account and the newest challenge alone', async () => {
    await operator.ok('user/add', { username: 'keyeve', password, userType: 2 });
    const elsewhere = shellKey(server, { origin: 'https://elsewhere.example' });
    await registerKey(server, elsewhere, { name: 'keyeve', password });
    expect(await elsewhere.ticket()).toBeNull();
    expect(await elsewhere.forget(), 'refused by the server: forgotten by the shell').toBeNull();

    const sent: object[] = [];
    const key = shellKey(server, { onCall: async (_path, input) => sent.push(input) });
    await registerKey(server, key, { name: 'keyeve', password });
    expect(await ticketOf(key)).not.toBe('');
    const [asked, proved] = sent;
    expect((await operator.raw('account/key/ticket', proved)).code, 'again').toBe(2004);
    await operator.raw('account/key/challenge', asked);
    expect((await operator.raw('account/key/ticket', proved)).code, 'of an older challenge').toBe(2004);

    // Its own key, in the name of another account.
    const { userId } = await operator.ok('account/info', {});
    const { userId: ownId } = await server.client().ok('account/login', {
      account: 'keyeve',
      password,
      browserId: 'b',
      clientType: 'client',
      signInKey: key.create(),
    });
    expect(ownId).not.toBe(userId);
    await key.keep({ userId, loginName: 'operator' });
    expect(await key.ticket()).toBeNull();
  });

  it('a password change, the second factor, the account, and whoever removes it end a key', async () => {
    const { client, key, signIn, userId } = await userWithKey('keyguy');
    const { code, data } = await signIn();
    expect(code).toBe(200);
    const byKey = server.client(data.accessToken);
    const { signInKeyList } = await client.ok('account/session/list', {});
    const [{ keyId } = { keyId: '' }] = signInKeyList;
    expect((await operator.call('account/key/delete', { keyId })).code, 'of another').toBe(1007);
    await client.ok('account/key/delete', { keyId });
    expect((await byKey.call('token/check', {})).code).toBe(1001);
    expect((await client.call('token/check', {})).code).toBe(200);
    expect(await key.ticket()).toBeNull();

    await registerKey(server, key, { name: 'keyguy', password });
    const opened = server.client((await signIn()).data.accessToken);
    const { sessionList } = await opened.ok('account/session/list', {});
    const { sessionId = '' } = sessionList.find((session) => session.isCurrent) ?? {};
    await client.ok('account/session/revoke', { sessionId });
    expect(await key.ticket(), 'with its session').toBeNull();

    await registerKey(server, key, { name: 'keyguy', password });
    await client.ok('account/password/change', { oldPassword: password, password: 'Secret-2' });
    expect(await key.ticket(), 'with the password').toBeNull();

    const guy = await registerKey(server, key, { name: 'keyguy', password: 'Secret-2' });
    const { secret } = await enableTotp(guy, 'Secret-2');
    expect(await key.ticket(), 'with the second factor').toBeNull();
    const trusted = {
      account: 'keyguy',
      password: 'Secret-2',
      browserId: 'shell of keyguy',
      clientType: 'client',
    } as const;
    await server.client().ok('account/login', { ...trusted, trustDevice: true, verifyCode: await codeAt(secret) });
    await server.client().ok('account/login', trusted);
    // Step-up: the trust of a browser registers no key.
    expect((await server.client().call('account/login', { ...trusted, signInKey: key.create() })).code).toBe(2076);
    expect(await key.ticket()).toBeNull();
    await operator.ok('user/enable', { userId, isEnabled: false });
  });

  it('a disabled account opens nothing; a key is no older than a session may be, and an account has ten', async () => {
    const { userId, key, signIn } = await userWithKey('keykim');
    await operator.ok('user/enable', { userId, isEnabled: false });
    expect(await signIn()).toMatchObject({ code: 2031, data: { reason: 'disabled' } });
    await operator.ok('user/enable', { userId, isEnabled: true });
    expect((await signIn()).code).toBe(200);
    await runSql(server, `update sign_in_key set created_at = created_at - 90 * 86400000::bigint`);
    expect(await key.ticket()).toBeNull();
    await runSql(
      server,
      `insert into sign_in_key
      select 'key ' || n, account_id, x, y, 'browser ' || n, agent, address, created_at + 89 * 86400000::bigint, n
      from sign_in_key, generate_series(1, 10) n where account_id = '${userId}'`,
    );
    const kim = await registerKey(server, key, { name: 'keykim', password });
    const { signInKeyList } = await kim.ok('account/session/list', {});
    expect(signInKeyList.map(({ keyId }) => keyId)).toEqual([
      await key.forget(),
      ...[10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `key ${n}`),
    ]);
    for (const [x, y] of [
      ['A'.repeat(43), 'A'.repeat(43)],
      ['A', 'B'],
    ] as const) {
      const order = { account: 'keykim', password, browserId: 'b', clientType: 'client', signInKey: { x, y } } as const;
      expect((await server.client().call('account/login', order)).code).toBe(1003);
    }
  });
});
