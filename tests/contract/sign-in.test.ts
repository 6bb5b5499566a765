// Set-up, sign-in, sessions and the accounts below one, against the real server and database.
import { PERMISSIONS } from '@vedette/contract/permissions.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLongRun } from '../harness/fault-rounds.ts';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
/** Tries with a name that exists and one that does not. */
const TIMED_PAIRS = isLongRun ? 300 : 18;
const web = { browserId: 'b1', clientType: 'web' } as const;

beforeAll(async () => {
  server = await ServerUnderTest.start();
});
afterAll(async () => {
  await server?.stop();
});

describe('set-up', () => {
  it('[SE-06] accepts only the secret of this start, and only once', async () => {
    const nobody = server.client();
    expect((await nobody.ok('server/version', {})).needsSetup).toBe(true);
    expect((await nobody.call('account/setup', { secret: 'guessed', ...OPERATOR })).code).toBe(1007);
    for (const [username, password] of [
      ['admin', 'admin'],
      ['12345', 'Watch-2026'],
    ] as const) {
      const answer = await nobody.call('account/setup', { secret: server.setupSecret ?? '', username, password });
      expect(answer.code).toBe(1003);
    }
    const secret = server.setupSecret ?? '';
    const tries = await Promise.all(
      ['one', 'two', 'three'].map((username) =>
        nobody.call('account/setup', { secret, username, password: OPERATOR.password, browserId: 'first browser' }),
      ),
    );
    expect(tries.filter((answer) => answer.code === 200)).toHaveLength(1);
    expect(tries.filter((answer) => answer.code === 1007)).toHaveLength(2);
    expect((await nobody.ok('server/version', {})).needsSetup).toBe(false);
    const winner = tries.find((answer) => answer.code === 200);
    operator = server.client(winner?.data.accessToken ?? null);
    expect(winner?.data.userType).toBe(0);
    expect((await nobody.call('account/setup', { secret, ...OPERATOR })).code).toBe(1007);
  });

  it('issues no secret at the next start', async () => {
    await server.end();
    await server.run();
    expect(server.setupSecret).toBeNull();
    expect((await operator.call('token/check', {})).code).toBe(200);
  });
});

describe('sign-in', () => {
  it('[SE-03] [ER-01] answers an unknown name and a wrong password alike', async () => {
    const { userName } = await operator.ok('account/info', {});
    const wrong = await server.client().call('account/login', { account: userName, password: 'Wrong-1', ...web });
    const unknown = await server.client().call('account/login', { account: 'nobody', password: 'Wrong-1', ...web });
    expect(wrong).toEqual({ code: 2004, message: 'userPWDIncorrect', data: null });
    expect(unknown).toEqual(wrong);
  });

  it('[SE-03] takes as long for an unknown name as for a wrong password', {
    timeout: 600_000,
  }, async () => {
    await operator.ok('user/add', { username: 'timed', password: 'Timed-01', userType: 2 });
    const timed = async (account: string) => {
      const startedAt = performance.now();
      const wish = { account, password: 'Wrong-1', browserId: 'b', clientType: 'client' } as const;
      expect((await server.client().call('account/login', wish)).code).toBe(2004);
      return performance.now() - startedAt;
    };
    const pairs: { known: number; unknown: number }[] = [];
    for (let count = 0; count < TIMED_PAIRS; count += 1) {
      // Before tries have to wait.
      if (count % 4 === 0) await runSql(server, 'delete from attempt');
      const unknownFirst = count % 2 === 0 ? await timed(`unknown${count}`) : null;
      const known = await timed('timed');
      pairs.push({ known, unknown: unknownFirst ?? (await timed(`unknown${count}`)) });
    }
    await runSql(server, 'delete from attempt');
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const medians = { known: median(pairs.map((one) => one.known)), unknown: median(pairs.map((one) => one.unknown)) };
    const slower = pairs.filter(({ known, unknown }) => known > unknown).length;
    process.stdout.write(`sign-in: ${JSON.stringify({ pairs: pairs.length, slower, ...medians })}\n`);
    // Who is not hashed is faster in every pair, and by far; a busy machine is neither.
    const isAlways = slower === 0 || slower === TIMED_PAIRS;
    const isFar = Math.abs(medians.known - medians.unknown) >= 5;
    expect(isLongRun ? isFar : isAlways && isFar).toBe(false);
  });

  it('[SE-07] [GO-14] (wvp-GB28181-pro: MD5) accepts neither the stored hash nor an empty password', async () => {
    const { userName } = await operator.ok('account/info', {});
    const empty = await server.client().call('account/login', { account: userName, password: '', ...web });
    expect(empty).toMatchObject({ code: 1003, data: { password: 'required' } });
    const hash = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAA';
    expect((await server.client().call('account/login', { account: userName, password: hash, ...web })).code).toBe(
      2004,
    );
  });

  it('[SE-01] [SE-02] limits attempts of others while the owner still signs in from a known browser', async () => {
    await operator.ok('user/add', { username: 'victim', password: 'Victim-1', userType: 2 });
    const known = { account: 'victim', browserId: 'home', clientType: 'web' } as const;
    const { accessToken } = await server.client().ok('account/login', { ...known, password: 'Victim-1' });
    const stranger = { account: 'victim', password: 'Guess-1', browserId: 'strange', clientType: 'client' } as const;
    const codes: number[] = [];
    // Goes on until the wait is long enough for the lines below, however slow the machine is.
    await waitFor('a delay of seconds', async () => {
      const answer = await server.client().call('account/login', stranger);
      codes.push(answer.code);
      return answer.code === 2031 && (answer.data as unknown as { retryAfter: number }).retryAfter >= 4;
    });
    expect(codes.filter((code) => code === 2004).length).toBeLessThanOrEqual(20);
    expect(codes.slice(0, 5)).toEqual([2004, 2004, 2004, 2004, 2004]);
    const refused = await server.client().call('account/login', { ...stranger, password: 'Victim-1' });
    expect(refused).toMatchObject({ code: 2031, data: { reason: 'tooManyAttempts' } });
    expect((refused.data as unknown as { retryAfter: number }).retryAfter).toBeGreaterThan(0);
    expect((await server.client(accessToken).call('token/check', {})).code).toBe(200);
    expect((await server.client().call('account/login', { ...known, password: 'Victim-1' })).code).toBe(200);
  });

  it('[SE-02] a reset link opens what failed attempts locked', async () => {
    const { userId } = await operator.ok('user/add', { username: 'locked', password: 'Locked-1', userType: 2 });
    const from = { account: 'locked', browserId: 'new browser', clientType: 'client' } as const;
    await Promise.all(
      Array.from({ length: 20 }, () => server.client().call('account/login', { ...from, password: 'Guess-1' })),
    );
    // As if the guesses had gone on for the hour: none is left.
    await runSql(server, 'insert into attempt select attempt_id || n, key, at from attempt, generate_series(1, 5) n');
    const refused = await server.client().call('account/login', { ...from, password: 'Locked-1' });
    expect(refused).toMatchObject({ code: 2031, data: { reason: 'tooManyAttempts' } });
    await operator.ok('account/stepUp', { password: OPERATOR.password });
    const { token } = await operator.ok('user/password/reset', { userId });
    await server.client().ok('account/password/reset/use', { token, password: 'Locked-2' });
    expect((await server.client().call('account/login', { ...from, password: 'Locked-2' })).code).toBe(200);
    await runSql(server, 'delete from attempt');
  });

  it('[SE-02] the browser of the set-up is known, and no other is', async () => {
    const { userName } = await operator.ok('account/info', {});
    const guess = (browserId: string) =>
      ({ account: userName, password: 'Guess-1', browserId, clientType: 'client' }) as const;
    await Promise.all(Array.from({ length: 50 }, () => server.client().call('account/login', guess('setup'))));
    expect((await server.client().call('account/login', guess('strange'))).code).toBe(2031);
    const owner = { ...guess('first browser'), password: OPERATOR.password };
    expect((await server.client().call('account/login', owner)).code).toBe(200);
    // What follows comes from the same address.
    await runSql(server, 'delete from attempt');
  });

  it('[SE-12] refuses invalid tokens', async () => {
    for (const token of ['', 'x', 'a'.repeat(43), `${operator.accessToken}x`, 'eyJhbGciOiJub25lIn0.e30.']) {
      expect((await server.client(token).call('token/check', {})).code).toBe(1001);
    }
  });
});

describe('sessions', () => {
  it('[SE-13] [ST-02] end with logout, revoke, password change, disabling and deleting', async () => {
    await operator.ok('user/add', { username: 'guest', password: 'Guest-1', userType: 2 });
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => server.signIn('guest', 'Guest-1')));
    if (!first || !second || !third) throw new Error('three sessions');
    await first.ok('account/logout', {});
    expect((await first.call('token/check', {})).code).toBe(1001);
    const { sessionList } = await second.ok('account/session/list', {});
    expect(sessionList).toHaveLength(2);
    const other = sessionList.find((session) => !session.isCurrent)?.sessionId ?? '';
    expect((await operator.call('account/session/revoke', { sessionId: other })).code).toBe(1007);
    await second.ok('account/session/revoke', { sessionId: other });
    expect((await third.call('token/check', {})).code).toBe(1001);

    const fourth = await server.signIn('guest', 'Guest-1');
    const wrong = { oldPassword: 'Guest-2', password: 'Guest-3' };
    expect((await fourth.call('account/password/change', wrong)).code).toBe(2004);
    await fourth.ok('account/password/change', { oldPassword: 'Guest-1', password: 'Guest-3' });
    expect((await second.call('token/check', {})).code).toBe(1001);
    expect((await fourth.call('token/check', {})).code).toBe(200);

    const { userId } = await fourth.ok('account/info', {});
    await operator.ok('user/enable', { userId, isEnabled: false });
    expect(await fourth.call('token/check', {})).toMatchObject({ code: 2031, data: { reason: 'disabled' } });
    const right = { account: 'guest', password: 'Guest-3', ...web };
    expect(await server.client().call('account/login', right)).toMatchObject({
      code: 2031,
      data: { reason: 'disabled' },
    });
    expect((await server.client().call('account/login', { ...right, password: 'Guest-9' })).code).toBe(2004);
    await operator.ok('user/enable', { userId, isEnabled: true });
    const fifth = await server.signIn('guest', 'Guest-3');
    await operator.ok('user/delete', { userId });
    expect((await fifth.call('token/check', {})).code).toBe(1001);
  });

  it('are extended by use, and answer that they expired otherwise', async () => {
    await operator.ok('user/add', { username: 'looker', password: 'Look-123', userType: 2 });
    const looker = await server.signIn('looker', 'Look-123');
    const { sessionList } = await looker.ok('account/session/list', {});
    const where = `where session_id = '${sessionList[0]?.sessionId ?? ''}'`;
    const soon = Date.now() + 20_000;
    await runSql(server, `update session set expires_at = ${soon}, last_used_at = ${soon - 100_000} ${where}`);
    expect((await looker.ok('token/check', {})).expireTime).toBeGreaterThan(Date.now() + 24 * 3_600_000);
    await runSql(server, `update session set expires_at = 1 ${where}`);
    expect((await looker.call('token/check', {})).code).toBe(1002);
  });

  it('[SE-13] an open event socket is notified of the end of its session within 2 s', async () => {
    await operator.ok('user/add', { username: 'watcher', password: 'Watch-1', userType: 2 });
    const watcher = await server.signIn('watcher', 'Watch-1');
    const socket = server.webSocket('/ws');
    const heard: { type: string; code?: number }[] = [];
    socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8')) as { type: string }));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: watcher.accessToken })));
    await waitFor('the welcome', () => heard.some((message) => message.type === 'welcome'));
    await watcher.ok('account/logout', {});
    await waitFor('the end', () => heard.some((message) => message.type === 'end' && message.code === 1001), 2000);
  });
});

describe("the account's own profile", () => {
  it('[WG-02] [WG-03] stores language, theme and menu order, and refuses a stale change with the newer one', async () => {
    const before = await operator.ok('account/info', {});
    const change = { language: 0, theme: 'dark #1d4ed8', menuOrder: ['b', 'a'], version: before.version };
    const after = await operator.ok('account/update', change);
    expect(after).toMatchObject({ language: 0, theme: 'dark #1d4ed8', menuOrder: ['b', 'a'] });
    const stale = await operator.call('account/update', { language: 1, version: before.version });
    expect(stale).toMatchObject({ code: 1010, data: { language: 0, version: after.version } });
  });

  it('[SE-26] refuses fields that it may not set', async () => {
    const answer = await operator.raw('account/update', { userType: 0, ownerId: 'x' });
    expect(answer).toMatchObject({ code: 1003, data: { userType: 'unknownField', ownerId: 'unknownField' } });
  });

  it('[PM-02] the operator has every flag, and the last operator cannot be removed', async () => {
    const { permissionList } = await operator.ok('permission/list', {});
    expect(permissionList).toEqual([...PERMISSIONS]);
    const self = await operator.ok('account/info', {});
    expect((await operator.call('user/delete', { userId: self.userId })).code).toBe(1007);
  });
});

describe('sub-accounts', () => {
  it('[PM-06] [SE-27] an ordinary account creates sub-accounts alone, and sees only its own', async () => {
    await operator.ok('user/add', { username: 'shop', password: 'Shop-01', userType: 2 });
    const shop = await server.signIn('shop', 'Shop-01');
    expect((await shop.call('user/add', { username: 'boss', password: 'Boss-01', userType: 0 })).code).toBe(1004);
    const { userId } = await shop.ok('user/add', { username: 'clerk', password: 'Clerk-1' });
    expect((await shop.ok('user/list', {})).userList.map((user) => user.userName)).toEqual(['clerk']);
    expect((await shop.call('user/add', { username: 'CLERK', password: 'Clerk-1' })).code).toBe(1016);
    const clerk = await server.signIn('clerk', 'Clerk-1');
    expect((await clerk.call('user/list', {})).code).toBe(1004);
    expect((await clerk.ok('permission/list', {})).permissionList).toEqual([]);
    expect((await operator.ok('permission/list', { userId })).permissionList).toEqual([]);
    expect((await clerk.call('permission/list', { userId })).code).toBe(200);
    const guest = await server.signIn('victim', 'Victim-1').catch(() => null);
    if (guest !== null) expect((await guest.call('permission/list', { userId })).code).toBe(1007);
  });
});
