// Queries keep apart what several accounts have under the same name, against PostgreSQL.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { grantLinksOf } from '../../server/database/grant.queries.ts';
import { migrate } from '../../server/database/migrate.ts';
import { findOwnOrganizationByName } from '../../server/database/organization.queries.ts';
import { enableFactor } from '../../server/database/second-factor.queries.ts';
import { tryCode } from '../../server/database/verify-code.queries.ts';
import { startTestDatabase, type TestDatabase } from './test-database.ts';

let postgres: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  postgres = await startTestDatabase();
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

it('[SE-07] who switches the second factor on does so for nobody else', async () => {
  const { database, pool } = connection;
  for (const id of ['ann', 'bob'])
    await pool.query("insert into second_factor (account_id, method, secret) values ($1, 'totp', '')", [id]);
  expect(await enableFactor(database, 'ann', [Buffer.of(1)])).toBe(true);
  const { rows } = await pool.query('select account_id, is_enabled from second_factor order by account_id');
  expect(rows).toEqual([
    { account_id: 'ann', is_enabled: true },
    { account_id: 'bob', is_enabled: false },
  ]);
});

it('[SE-07] a try at the code of one account is none at that of another', async () => {
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

it('[SE-20] an organisation of the same name is found with its owner alone', async () => {
  const { database, pool } = connection;
  await pool.query(
    "insert into organization (organization_id, owner_id, organization_name, path, created_at) values ('yard', 'bob', 'Yard', '{yard}', 0)",
  );
  expect(await findOwnOrganizationByName(database, 'ann', null, 'Yard')).toBeUndefined();
  expect(await findOwnOrganizationByName(database, 'bob', null, 'Yard')).toMatchObject({ organization_id: 'yard' });
});

it('[PM-04] [SE-20] what was given to others, or belongs to an account that was disabled, is granted to nobody', async () => {
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
