// Step-up authentication: calls that declare it ask for the password again, and for a code where 2FA is on.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '@vedette/contract/call.ts';
import type { CallInput, CallPath } from '@vedette/contract/calls/calls.ts';
import { calls } from '@vedette/contract/calls/calls.ts';
import { enableTotp, prove, runSql } from './account-steps.ts';
import { goodInputs } from './good-inputs.ts';
import { createInputFixture, type InputFixture } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let stage: InputFixture;
const PASSWORD = 'Secret-1';
const OTHER = 'Secret-2';

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  stage = await createInputFixture(server, operator, site);
});
afterAll(async () => {
  await server?.stop();
});

async function newTenant(username: string): Promise<{ client: CallClient; userId: string }> {
  const { userId } = await operator.ok('user/add', { username, password: PASSWORD, userType: 2 });
  return { client: await server.signIn(username, PASSWORD), userId };
}

const login = (account: string, browserId: string, more: Partial<CallInput<'account/login'>> = {}) =>
  server.client().call('account/login', { account, password: PASSWORD, browserId, clientType: 'client', ...more });

const declared = (Object.keys(calls) as CallPath[]).filter((path) => (calls[path] as Call).stepUp !== undefined);

describe('[SE-15] a stolen session', () => {
  it('enables no 2FA: the password comes first, and its confirmation lasts for minutes', async () => {
    const { client } = await newTenant('ann');
    const refused = await client.call('account/twofactor/begin', {});
    expect(refused).toMatchObject({ code: 1040, data: { methods: [], target: '' } });
    expect((await client.call('account/stepUp', { password: 'Wrong-1' })).code).toBe(2004);
    expect((await client.call('account/twofactor/begin', {})).code).toBe(1040);
    await prove(client, PASSWORD);
    expect((await client.call('account/twofactor/begin', {})).code).toBe(200);
    const thief = await server.signIn('ann', PASSWORD);
    expect((await thief.call('account/twofactor/begin', {})).code, 'another session').toBe(1040);
    await runSql(server, 'update session set proved_at = proved_at - 300001 where proved_at > 0');
    expect((await client.call('account/twofactor/begin', {})).code, 'minutes later').toBe(1040);
  });

  it('needs a code too once 2FA is on, with limited guesses', async () => {
    const { client } = await newTenant('bob');
    const { recoveryCodes } = await enableTotp(client, PASSWORD);
    expect((await client.call('account/twofactor/disable', { code: recoveryCodes[0] ?? '' })).code).toBe(1040);
    expect(await client.call('account/stepUp', { password: PASSWORD })).toMatchObject({
      code: 2076,
      data: { methods: ['totp', 'recovery'] },
    });
    expect((await client.call('account/stepUp', { password: PASSWORD, code: '000000' })).code).toBe(1015);
    const guesses = await Promise.all(
      Array.from({ length: 30 }, () => client.call('account/stepUp', { password: PASSWORD, code: '000000' })),
    );
    expect(guesses.some(({ code }) => code === 1005)).toBe(true);
    await runSql(server, 'delete from attempt');
    const change = { oldPassword: PASSWORD, password: OTHER };
    expect((await client.call('account/password/change', change)).code, 'the old password alone').toBe(1040);
    await prove(client, PASSWORD, recoveryCodes[1]);
    await client.ok('account/password/change', change);
    const renewed = await client.ok('account/twofactor/recovery', {});
    expect((await login('bob', 'new', { password: OTHER, verifyCode: recoveryCodes[2] ?? '' })).code).toBe(1015);
    expect((await login('bob', 'new', { password: OTHER, verifyCode: renewed.recoveryCodes[0] ?? '' })).code).toBe(200);
    await client.ok('account/twofactor/disable', {});
    expect((await login('bob', 'other', { password: OTHER })).code).toBe(200);
  });

  it.each(declared)('%s requires it', async (path) => {
    // An account with a second factor, whose session gave neither password nor code again; the operator where it alone may.
    const known = sessions.get('cat') ?? (await withFactor('cat'));
    sessions.set('cat', known);
    const isOperators = calls[path].permission.kind === 'userType';
    const answer = await (isOperators ? operator : known).raw(path, goodInputs[path](stage));
    expect(answer.code, JSON.stringify(answer)).toBe(1040);
  });

  it('is declared by the calls on password, 2FA, contact and trusted browsers', () => {
    expect(declared).toEqual(
      expect.arrayContaining([
        'account/password/change',
        'account/twofactor/begin',
        'account/twofactor/enable',
        'account/twofactor/disable',
        'account/twofactor/recovery',
        'account/contact/bind',
        'account/contact/unbind',
        'account/erase',
        'trustDevice/delete',
        'user/password/reset',
        'user/twofactor/reset',
      ]),
    );
  });

  it('[SE-97] recovery codes have 80 bits, and only their argon2id hash is stored', async () => {
    const { client, userId } = await newTenant('dan');
    const { recoveryCodes } = await enableTotp(client, PASSWORD);
    expect(recoveryCodes).toHaveLength(10);
    // 32 letters and digits: five bits each.
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
    const plain = recoveryCodes.map((code) => createHash('sha256').update(code.replaceAll('-', '')).digest('hex'));
    const rows = await runSql(
      server,
      `select encode(code_hash, 'hex') as hash from recovery_code where account_id = '${userId}'`,
    );
    expect(rows).toHaveLength(10);
    for (const { hash } of rows) expect(plain).not.toContain(hash);
  });
});

const sessions = new Map<string, CallClient>();

async function withFactor(username: string): Promise<CallClient> {
  const { client } = await newTenant(username);
  await enableTotp(client, PASSWORD);
  return client;
}

it('[SE-97] recovery codes of an earlier version work after the next start, hashed as new ones', async () => {
  await site.hangUp();
  const { userId } = await operator.ok('user/add', { username: 'eve', password: PASSWORD, userType: 2 });
  const client = await server.signIn('eve', PASSWORD);
  await enableTotp(client, PASSWORD);
  const [first, second] = ['ABCDE-23456', 'FGHJK-23456'];
  await runSql(
    server,
    `delete from recovery_code where account_id = '${userId}';
     update second_factor set recovery_salt = null where account_id = '${userId}';
     insert into recovery_code select '${userId}', sha256(convert_to(code, 'UTF8')) from unnest(array['ABCDE23456', 'FGHJK23456']) code`,
  );
  await server.end();
  await server.run();
  const rows = await runSql(
    server,
    `select code_hash = any(array[sha256('ABCDE23456'), sha256('FGHJK23456')]) as plain from recovery_code where account_id = '${userId}'`,
  );
  expect(rows).toEqual([{ plain: false }, { plain: false }]);
  expect((await login('eve', 'x', { verifyCode: first })).code).toBe(200);
  expect((await login('eve', 'x', { verifyCode: first })).code).toBe(1015);
  expect((await login('eve', 'x', { verifyCode: second })).code).toBe(200);
});
