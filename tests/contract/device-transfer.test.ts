// Device transfer: an offer accepted or refused within seven days, and what the old owner keeps.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVICE_TRANSFER } from '@vedette/contract/limits.ts';
import { runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let taker: CallClient;
let bystander: CallClient;
let made = 0;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const account = async (username: string) => {
    await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 });
    return await server.signIn(username, 'Secret-1');
  };
  owner = await account('owner');
  taker = await account('taker');
  bystander = await account('bystander');
}, 60_000);
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function camera(): Promise<string> {
  made += 1;
  const order = { target: `rtsp://192.0.2.${made}/1`, deviceName: `Camera ${made}` };
  return (await owner.ok('device/add', order)).device.deviceSerial;
}

async function offered(account = 'taker') {
  const deviceSerial = await camera();
  return { deviceSerial, ...(await owner.ok('device/transfer', { deviceSerial, account })) };
}

const code = async (answer: Promise<{ code: number }>): Promise<number> => (await answer).code;
const listOf = async (client: CallClient) => (await client.ok('device/transfer/list', {})).transferList;

describe('[DM-02] offering a device', () => {
  it('is refused to oneself, to unknown accounts, to accounts that cannot own, and for shared devices', async () => {
    const deviceSerial = await camera();
    const give = (account: string) => code(owner.call('device/transfer', { deviceSerial, account }));
    expect(await give('owner')).toBe(1437);
    expect(await give('nobody')).toBe(1007);
    await owner.ok('user/add', { username: 'clerk', password: 'Secret-1' });
    expect(await give('clerk')).toBe(1007);
    await owner.ok('share/add', { account: 'taker', items: [{ deviceSerial }], permission: ['videoView'] });
    for (const { shareId } of (await taker.ok('share/received/list', {})).shareList)
      await taker.ok('share/accept', { shareId });
    expect(await code(taker.call('device/transfer', { deviceSerial, account: 'taker' }))).toBe(1004);
    expect(await listOf(owner)).toEqual([]);
  });
});

describe('[SE-34] an offered device', () => {
  it('stays with its owner, and shows its recipient only what it is, until accepted', async () => {
    const { deviceSerial, transferId } = await offered();
    await owner.ok('share/add', { account: 'bystander', items: [{ deviceSerial }], permission: ['videoView'] });
    const [given] = await listOf(owner);
    const [received] = await listOf(taker);
    expect(given).toMatchObject({ transferId, deviceSerial, isGiven: true, owner: 'owner', account: 'taker' });
    expect(received).toEqual({ ...given, isGiven: false });
    expect((given?.endTime ?? 0) - (given?.createTime ?? 0)).toBe(DEVICE_TRANSFER.validMs);
    expect(await code(taker.call('device/get', { deviceSerial }))).toBe(1009);
    expect(await code(taker.call('media/url', { deviceSerial, channelNo: 1, quality: 1, codecs: ['h264'] }))).toBe(
      1009,
    );
    expect(await code(owner.call('device/get', { deviceSerial }))).toBe(200);
    expect(await taker.ok('device/transfer/accept', { transferId })).toEqual({ deviceSerial });
    expect((await taker.ok('device/get', { deviceSerial })).device).toMatchObject({ organizationId: '0', isShared: 0 });
    expect([await listOf(owner), await listOf(taker)]).toEqual([[], []]);
    expect(await code(owner.call('device/get', { deviceSerial }))).toBe(1009);
    expect(
      (await owner.ok('share/given/list', {})).shareList.some((share) => share.deviceSerial === deviceSerial),
    ).toBe(false);
  });

  it('leaves its old owner nothing: calls, tickets, codes and earlier offers fail', async () => {
    const deviceSerial = await camera();
    const { registrationCode } = await owner.ok('device/code', { deviceSerial });
    const { transferId } = await owner.ok('device/transfer', { deviceSerial, account: 'taker' });
    await owner.ok('media/url', { deviceSerial, channelNo: 1, quality: 1, codecs: ['h264'] });
    await taker.ok('device/transfer/accept', { transferId });
    const claim = { deviceSerial, registrationCode: registrationCode.replaceAll('-', ''), deviceName: 'Back' };
    const tries = [
      owner.call('device/add', claim),
      owner.call('device/code', { deviceSerial }),
      owner.call('device/transfer', { deviceSerial, account: 'bystander' }),
      owner.call('device/delete', { deviceSerial }),
      owner.call('media/url', { deviceSerial, channelNo: 1, quality: 1, codecs: ['h264'] }),
      owner.call('record/query', { deviceSerial, channelNo: 1, startTime: 0, endTime: 9 }),
    ];
    expect(await Promise.all(tries.map(code))).toEqual([1009, 1009, 1009, 1009, 1009, 1009]);
  });

  it('cannot be accepted, refused or seen by other accounts', async () => {
    const { transferId } = await offered();
    expect(await listOf(bystander)).toEqual([]);
    for (const client of [bystander, operator, owner]) {
      expect(await code(client.call('device/transfer/accept', { transferId }))).toBe(1007);
    }
    for (const client of [bystander, operator]) {
      expect(await code(client.call('device/transfer/refuse', { transferId }))).toBe(1007);
    }
    await taker.ok('device/transfer/refuse', { transferId });
    expect(await code(taker.call('device/transfer/accept', { transferId }))).toBe(1007);
    const again = { transferId: (await offered()).transferId };
    await owner.ok('device/transfer/refuse', again);
    expect(await code(taker.call('device/transfer/accept', again))).toBe(1007);
  });

  it('expires after seven days, and ends with a new offer, with the device, and with its owner', async () => {
    const { transferId: old } = await offered();
    await runSql(server, `update device_transfer set end_time = 1 where transfer_id = '${old}'`);
    expect(await listOf(taker)).toEqual([]);
    expect(await code(taker.call('device/transfer/accept', { transferId: old }))).toBe(1007);
    const { deviceSerial: again, transferId: first } = await offered();
    const second = await owner.ok('device/transfer', { deviceSerial: again, account: 'bystander' });
    expect(await code(taker.call('device/transfer/accept', { transferId: first }))).toBe(1007);
    await owner.ok('device/delete', { deviceSerial: again });
    expect(await code(bystander.call('device/transfer/accept', second))).toBe(1007);
    await operator.ok('user/add', { username: 'blocked', password: 'Secret-1', userType: 2 });
    const blocked = await server.signIn('blocked', 'Secret-1');
    const order = { target: 'rtsp://198.51.100.9/1', deviceName: 'Blocked' };
    const { deviceSerial } = (await blocked.ok('device/add', order)).device;
    const last = await blocked.ok('device/transfer', { deviceSerial, account: 'taker' });
    const userId = (await operator.ok('user/list', { pageSize: 1000 })).userList.find(
      ({ userName }) => userName === 'blocked',
    )?.userId;
    await operator.ok('user/enable', { userId: userId ?? '', isEnabled: false });
    expect(await listOf(taker)).toEqual([]);
    expect(await code(taker.call('device/transfer/accept', last))).toBe(1007);
  });

  it('goes to one of fifty parallel takers, by the offer and by a code', async () => {
    const { deviceSerial, transferId } = await offered();
    const { registrationCode } = await owner.ok('device/code', { deviceSerial });
    const claim = { deviceSerial, registrationCode: registrationCode.replaceAll('-', ''), deviceName: 'Claimed' };
    const tries = Array.from({ length: 50 }, (_none, index) =>
      index % 10 === 9 ? bystander.call('device/add', claim) : taker.call('device/transfer/accept', { transferId }),
    );
    const codes = await Promise.all(tries.map(code));
    expect(codes.filter((one) => one === 200)).toHaveLength(1);
    expect(codes.filter((one) => ![200, 1005, 1007, 1009, 2024].includes(one))).toEqual([]);
    const owners = await Promise.all(
      [owner, taker, bystander].map((one) => code(one.call('device/get', { deviceSerial }))),
    );
    expect(owners.filter((one) => one === 200)).toHaveLength(1);
    expect(owners[0]).toBe(1009);
  });

  it('has one open offer after fifty in parallel; deleting and accepting in parallel both answer', async () => {
    const { deviceSerial } = await offered();
    const offer = (index: number) =>
      code(owner.call('device/transfer', { deviceSerial, account: index % 2 === 0 ? 'taker' : 'bystander' }));
    // Thirty names may be looked up at one moment, or it would be 1005.
    for (const _round of [1, 2]) {
      const codes = await Promise.all(Array.from({ length: 25 }, (_none, index) => offer(index)));
      expect(new Set(codes)).toEqual(new Set([200]));
    }
    const open = (await listOf(owner)).filter((offer) => offer.deviceSerial === deviceSerial);
    expect(open).toHaveLength(1);
    const transferId = open[0]?.transferId ?? '';
    const winner = open[0]?.account === 'taker' ? taker : bystander;
    const ends = await Promise.all([
      ...Array.from({ length: 10 }, () => code(winner.call('device/transfer/accept', { transferId }))),
      code(owner.call('device/delete', { deviceSerial })),
      code(owner.call('device/transfer', { deviceSerial, account: 'taker' })),
    ]);
    expect(ends.filter((one) => ![200, 1007, 1009].includes(one))).toEqual([]);
  });

  it('notifies its recipient, also when it is offered to another account or deleted', async () => {
    const { deviceSerial } = await offered();
    await owner.ok('device/transfer', { deviceSerial, account: 'bystander' });
    const notices = async (userName: string) =>
      await runSql(
        server,
        `select seq from revocation join account using (account_id) where device_serial = '${deviceSerial}' and user_name = '${userName}'`,
      );
    await owner.ok('device/delete', { deviceSerial });
    expect((await notices('bystander')).length).toBeGreaterThan(0);
  });

  it('cannot be accepted by an account that lost the right to own', async () => {
    const { userId } = await operator.ok('user/add', { username: 'lowered', password: 'Secret-1', userType: 2 });
    const { transferId } = await offered('lowered');
    await runSql(server, `update account set user_type = 3 where account_id = '${userId}'`);
    const lowered = await server.signIn('lowered', 'Secret-1');
    expect(await code(lowered.call('device/transfer/accept', { transferId }))).toBe(1004);
  });

  it('counts towards the limit of five hundred open offers per account', async () => {
    const { deviceSerial } = await offered();
    await runSql(
      server,
      `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version, manufacturer, driver, address, device_user_name, credentials, is_operator_address, site_id, capabilities, created_at)
       select 'flood' || n, owner_id, 'FLOOD' || n, device_name, device_type, device_model, device_version, manufacturer, driver, address, device_user_name, credentials, false, site_id, capabilities, created_at
       from device, generate_series(1, ${DEVICE_TRANSFER.perReceiver}) as n where device_serial = '${deviceSerial}'`,
    );
    await runSql(
      server,
      `insert into device_transfer select 'flood' || n, 'flood' || n, (select account_id from account where user_name = 'owner'),
       (select account_id from account where user_name = 'bystander'), 0, 4000000000000 from generate_series(1, ${DEVICE_TRANSFER.perReceiver}) as n`,
    );
    const order = { target: 'rtsp://198.51.100.30/1', deviceName: 'One more' };
    const more = (await taker.ok('device/add', order)).device.deviceSerial;
    const refused = await taker.call('device/transfer', { deviceSerial: more, account: 'bystander' });
    expect(refused).toMatchObject({ code: 1011, data: { quota: 'transfers', limit: DEVICE_TRANSFER.perReceiver } });
    await runSql(server, `delete from device where device_id like 'flood%'`);
  });

  it('is in the audit log of both sides, from the offer to its end', async () => {
    const { deviceSerial, transferId: refused } = await offered();
    await taker.ok('device/transfer/refuse', { transferId: refused });
    const { transferId } = await owner.ok('device/transfer', { deviceSerial, account: 'taker' });
    await taker.ok('device/transfer/accept', { transferId });
    for (const client of [owner, taker]) {
      const { auditList } = await client.ok('audit/list', { deviceSerial });
      const entries = auditList.filter(({ call }) => call.startsWith('device/transfer'));
      expect(entries.map(({ call, userName, code: done }) => [call, userName, done])).toEqual([
        ['device/transfer/accept', 'taker', 200],
        ['device/transfer', 'owner', 200],
        ['device/transfer/refuse', 'taker', 200],
        ['device/transfer', 'owner', 200],
      ]);
    }
  });
});

it(`[DM-01] ${OPERATOR.username} takes over a device like any account`, async () => {
  const { deviceSerial, transferId } = await offered(OPERATOR.username);
  await operator.ok('device/transfer/accept', { transferId });
  expect((await operator.ok('device/get', { deviceSerial })).device.isShared).toBe(0);
});
