// Account enumeration by names and addresses: few are revealed, and none is in the database log.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { runSql } from './account-steps.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { type OwnDatabase, startTestDatabase } from './test-database.ts';

let server: ServerUnderTest<OwnDatabase>;
let sink: SmtpSink;
let operator: CallClient;
const PASSWORD = 'Secret-1';

beforeAll(async () => {
  [server, sink] = await Promise.all([ServerUnderTest.over(await startTestDatabase()), SmtpSink.start()]);
  operator = await server.setUp();
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, mail: sink.settings }, version });
  await operator.ok('user/add', { username: 'canary_name', password: PASSWORD, userType: 2 });
});
afterAll(async () => {
  await server?.stop();
  await sink?.stop();
});

async function newUser(username: string): Promise<CallClient> {
  await operator.ok('user/add', { username, password: PASSWORD, userType: 2 });
  return await server.signIn(username, PASSWORD);
}

/** Codes of so many tries in turn. */
async function inTurn(times: number, ask: () => Promise<{ code: number }>): Promise<number[]> {
  const codes: number[] = [];
  for (let at = 0; at < times; at += 1) codes.push((await ask()).code);
  return codes;
}

describe('[SE-03] names in use', () => {
  it('are revealed thirty times an hour by account/update, user/add and user/update together, for all accounts of one owner', async () => {
    const owner = await newUser('prober');
    await owner.ok('user/add', { username: 'prober_sub', password: PASSWORD });
    const sub = await server.signIn('prober_sub', PASSWORD);
    const taken = { username: 'canary_name', password: PASSWORD };
    const { userList } = await owner.ok('user/list', {});
    const { userId = '', version = 0 } = userList[0] ?? {};
    const codes = [
      ...(await inTurn(10, () => owner.call('account/update', { userName: 'Canary_Name' }))),
      ...(await inTurn(10, () => owner.call('user/add', taken))),
      ...(await inTurn(5, () => owner.call('user/update', { userId, version, username: 'canary_name' }))),
      ...(await inTurn(5, () => sub.call('account/update', { userName: 'canary_name' }))),
    ];
    expect(codes).toEqual(Array.from({ length: 30 }, () => 1016));
    expect((await owner.call('account/update', { userName: 'canary_name' })).code).toBe(1005);
    expect((await owner.call('account/update', { userName: 'nobody_has_it' })).code, 'nor a free one').toBe(1005);
    expect((await owner.call('user/add', { ...taken, username: 'nobody_has_this' })).code).toBe(1005);
    expect((await sub.call('account/update', { userName: 'canary_name' })).code).toBe(1005);
    expect((await owner.call('account/update', { theme: 'dark' })).code, 'no name, no budget').toBe(200);
    expect((await operator.call('user/add', { ...taken, username: 'nobody_has_this' })).code, 'another asker').toBe(
      200,
    );
  });

  it('are revealed thirty times by one invitation', async () => {
    const { token } = await operator.ok('user/invitation/create', { userType: 2 });
    const accept = (username: string) =>
      server.client().call('user/invitation/accept', { token, username, password: PASSWORD });
    expect(await inTurn(30, () => accept('canary_name'))).toEqual(Array.from({ length: 30 }, () => 1016));
    expect((await accept('canary_name')).code).toBe(1005);
  });

  it('are not counted when they are free', async () => {
    const owner = await newUser('renamer');
    let at = 0;
    const codes = await inTurn(35, () => {
      at += 1;
      return owner.call('account/update', { userName: `renamer_${at}` });
    });
    expect(new Set(codes)).toEqual(new Set([200]));
  });

  it('go to one of several parallel requests', async () => {
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => operator.call('user/add', { username: 'wanted', password: PASSWORD })),
    );
    expect(asked.map(({ code }) => code).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 1016)].sort());
    const [one, two] = [await newUser('racer_one'), await newUser('racer_two')];
    const raced = await Promise.all([one, two].map((client) => client.call('account/update', { userName: 'trophy' })));
    expect(raced.map(({ code }) => code).sort()).toEqual([1016, 200].sort());
  });
});

it('[SE-98] do not appear in the log of the database', async () => {
  await runSql(server, 'delete from attempt');
  const [ann, bob] = [await newUser('canary_ann'), await newUser('canary_bob')];
  const target = 'canary@example.org';
  for (const client of [ann, bob]) {
    const seen = sink.mails.length;
    await runSql(server, 'delete from attempt');
    await client.ok('account/verifyCode/send', { target, purpose: 'bind' });
    const verifyCode = await sink.code(target, seen);
    await client.call('account/contact/bind', { target, verifyCode, password: PASSWORD });
  }
  expect((await ann.ok('account/info', {})).email).toBe(target);
  expect((await bob.ok('account/info', {})).email).toBe('');
  expect((await bob.call('account/update', { userName: 'canary_ann' })).code).toBe(1016);
  expect(server.database.log()).toContain('ready to accept connections');
  expect(server.database.log()).not.toMatch(/canary/i);
});

it('[SE-98] nor do names of objects, under the settings of the product', async () => {
  const own = await ServerUnderTest.over(await startTestDatabase({ isDurable: true }));
  const owner = await own.setUp();
  for (const code of [200, 1016]) {
    expect((await owner.call('group/add', { groupName: 'canary group' })).code).toBe(code);
    const role = { roleName: 'canary role', permissions: ['Realplay' as const], resources: [] };
    expect((await owner.call('role/add', role)).code).toBe(code);
    const layout = { name: 'canary layout', split: 4 as const, tiles: [] };
    expect((await owner.call('layout/save', layout)).code).toBe(code);
  }
  expect(own.database.log()).toContain('duplicate key value');
  expect(own.database.log()).not.toMatch(/canary/i);
  await own.stop();
});
