// Tenant isolation of queries for objects of the same name, against PostgreSQL.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  insertChannel,
  insertRule,
  replaceChannel,
  replaceRule,
} from '../../server/database/alarm/alarm-rule.queries.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { grantLinksOf } from '../../server/database/access/grant.queries.ts';
import { hadEndedShare } from '../../server/database/access/ended-share.queries.ts';
import { migrate } from '../../server/database/migrate.ts';
import { findOwnOrganizationByName } from '../../server/database/access/organization.queries.ts';
import { enableTwoFactor } from '../../server/database/account/two-factor.queries.ts';
import { dropPackage, insertPackage, packagesOf } from '../../server/database/device/firmware.queries.ts';
import { consumeCode, tryCode } from '../../server/database/account/verification-code.queries.ts';
import { transferOwnership } from '../../server/features/device/transfer-ownership.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

let postgres: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  postgres = await openTestDatabase();
  connection = openDatabase({ url: postgres.url, onError: () => undefined });
  await migrate(connection.pool);
  for (const id of ['ann', 'bob', 'gone'])
    await connection.pool.query(
      'insert into account (account_id, user_name, user_name_key, password_hash, user_type, is_enabled, created_at) values ($1, $1, $1, $1, 2, $2, 0)',
      [id, id !== 'gone'],
    );
});
afterAll(async () => {
  await connection?.database.destroy();
  await postgres?.stop();
});

it('[SE-15] enabling 2FA affects that account alone', async () => {
  const { database, pool } = connection;
  for (const id of ['ann', 'bob'])
    await pool.query("insert into second_factor (account_id, method, secret) values ($1, 'totp', '')", [id]);
  expect(await enableTwoFactor(database, 'ann', { salt: Buffer.of(1), hashes: [Buffer.of(1)], madeAt: 1 })).toBe(true);
  const { rows } = await pool.query('select account_id, is_enabled from second_factor order by account_id');
  expect(rows).toEqual([
    { account_id: 'ann', is_enabled: true },
    { account_id: 'bob', is_enabled: false },
  ]);
});

it('[SE-04] an attempt at the code of one account does not count for another', async () => {
  const { database, pool } = connection;
  for (const [id, hash] of [
    ['ann', Buffer.of(1)],
    ['bob', Buffer.of(2)],
  ])
    await pool.query(
      "insert into verify_code (purpose, target, account_id, code_hash, expires_at) values ('bind', 'a@example.com', $1, $2, 10)",
      [id, hash],
    );
  const place = { purpose: 'bind', target: 'a@example.com', accountId: 'bob' };
  expect(await tryCode(database, place, { tries: 3, now: 1 })).toEqual(Buffer.of(2));
  const { rows } = await pool.query('select account_id, tries from verify_code order by account_id');
  expect(rows).toEqual([
    { account_id: 'ann', tries: 0 },
    { account_id: 'bob', tries: 1 },
  ]);
});

it('[SE-04] a used code is removed from one account, though two were sent the same', async () => {
  const { database, pool } = connection;
  for (const id of ['ann', 'bob'])
    await pool.query(
      "insert into verify_code (purpose, target, account_id, code_hash, expires_at) values ('bind', 'b@example.com', $1, $2, 10)",
      [id, Buffer.of(7)],
    );
  const place = { purpose: 'bind', target: 'b@example.com', accountId: 'bob' };
  expect(await consumeCode(database, place, Buffer.of(7))).toBe(true);
  const { rows } = await pool.query("select account_id from verify_code where target = 'b@example.com'");
  expect(rows).toEqual([{ account_id: 'ann' }]);
});

it('[SE-20] finds an organisation of the same name for its owner alone', async () => {
  const { database, pool } = connection;
  await pool.query(
    "insert into organization (organization_id, owner_id, organization_name, path, created_at) values ('yard', 'bob', 'Yard', '{yard}', 0)",
  );
  expect(await findOwnOrganizationByName(database, 'ann', null, 'Yard')).toBeUndefined();
  expect(await findOwnOrganizationByName(database, 'bob', null, 'Yard')).toMatchObject({ organization_id: 'yard' });
});

it('[SE-20] grants to others, and of disabled accounts, apply to nobody else', async () => {
  const { database, pool } = connection;
  await pool.query(
    `insert into grant_row (grant_id, grantee_id, owner_id, object_kind, organization_id, permissions, source)
     values ('to ann', 'ann', 'bob', 'organization', 'yard', '{Realplay}', 'role')`,
  );
  for (const owner of ['ann', 'gone']) {
    const place = `${owner} place`;
    await pool.query(
      'insert into organization (organization_id, owner_id, organization_name, path, created_at) values ($1, $2, $1, array[$1], 0)',
      [place, owner],
    );
    await pool.query(
      `insert into grant_row (grant_id, grantee_id, owner_id, object_kind, organization_id, permissions, source)
       values ($1, 'bob', $1, 'organization', $2, '{Realplay}', 'role')`,
      [owner, place],
    );
  }
  const links = await grantLinksOf(database, ['bob'], 1);
  expect(links.map(({ ownerId }) => ownerId)).toEqual(['ann']);
});

it('an ended share is reported only for the owner that gave it', async () => {
  const { database, pool } = connection;
  await pool.query(
    `insert into share (share_id, owner_id, grantee_id, share_type, share_name, description, created_at, accepted_at)
     values ('of ann', 'ann', 'bob', 2, '', '', 0, 0)`,
  );
  await pool.query(
    `insert into grant_row (grant_id, grantee_id, owner_id, object_kind, organization_id, permissions, source, share_id)
     values ('by share', 'bob', 'ann', 'organization', 'ann place', '{Realplay}', 'share', 'of ann')`,
  );
  const object = { deviceId: '', organizationPath: ['ann place'], channelNo: undefined };
  expect(await hadEndedShare(database, 'bob', { ...object, ownerId: 'ann' }, 1)).toBe(true);
  expect(await hadEndedShare(database, 'bob', { ...object, ownerId: 'gone' }, 1)).toBe(false);
});

it('[SE-18] rules, channels and packages are changed and deleted by their own account alone', async () => {
  const { database } = connection;
  const definition = { isEnabled: true } as never;
  const rule = { ruleId: 'rule', definition };
  await insertRule(database, { ...rule, accountId: 'ann', at: 0 });
  expect(await replaceRule(database, { ...rule, accountId: 'bob', version: 1 })).toBe(false);
  expect(await replaceRule(database, { ...rule, accountId: 'ann', version: 1 })).toBe(true);
  const words = {
    kind: 'webhook',
    name: '',
    isEnabled: true,
    settings: {},
    sealed: Buffer.of(),
    keptSecrets: [],
  } as const;
  const channel = { ...words, channelId: 'channel' };
  await insertChannel(database, { ...channel, accountId: 'ann' }, 0);
  expect(await replaceChannel(database, { ...channel, accountId: 'bob' }, 1)).toBe(false);
  expect(await replaceChannel(database, { ...channel, accountId: 'ann' }, 1)).toBe(true);
  const file = { device_model: '', version: '', file_name: '', size_bytes: 1, sha256: '', created_at: 0 };
  await insertPackage(database, { ...file, package_id: 'package', owner_id: 'ann' });
  await dropPackage(database, 'bob', 'package');
  expect(await packagesOf(database, 'ann')).toHaveLength(1);
  await dropPackage(database, 'ann', 'package');
  expect(await packagesOf(database, 'ann')).toEqual([]);
});

it('[SE-28] only the current owner transfers a device', async () => {
  const { database, pool } = connection;
  await pool.query(
    `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version,
       manufacturer, driver, address, device_user_name, credentials, is_operator_address, created_at)
     values ('given', 'bob', 'GIVEN', 'Given', 0, '', '', '', 'rtsp', '192.0.2.1', '', '', false, 0)`,
  );
  const giveBy = (ownerId: string) =>
    database.transaction().execute(async (transaction) => {
      const device = { deviceId: 'given', deviceSerial: 'GIVEN', ownerId, organizationPath: [] };
      const taker = { accountId: 'gone', userType: 2 };
      await transferOwnership(transaction, { device, taker, organization: null, now: 1 });
    });
  const ownerOf = async () => (await pool.query("select owner_id from device where device_id = 'given'")).rows;
  await expect(giveBy('ann')).rejects.toThrow('devNotExist');
  expect(await ownerOf()).toEqual([{ owner_id: 'bob' }]);
  await giveBy('bob');
  expect(await ownerOf()).toEqual([{ owner_id: 'gone' }]);
});
