// Rows of sessions that ended: kept for a day with their exact code, however long the session might have lasted.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endLinkedSessions } from '../../server/database/account/identity-link.queries.ts';
import { dropOldSessions, endSessions } from '../../server/database/account/session.queries.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2027, 0, 1);
const ENDS = NOW + 30 * DAY_MS;

let postgres: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  postgres = await openTestDatabase();
  connection = openDatabase({ url: postgres.url, onError: () => undefined });
  await migrate(connection.pool);
  const { pool } = connection;
  await pool.query(
    "insert into account (account_id, user_name, user_name_key, password_hash, user_type, is_enabled, created_at) values ('ann', 'ann', 'ann', 'x', 2, true, 0)",
  );
  for (const id of ['open', 'ended', 'disabled', 'over', 'linked'])
    await pool.query(
      "insert into session (session_id, account_id, token_hash, browser_id, client_type, address, created_at, last_used_at, expires_at) values ($1, 'ann', $2, 'b', 'web', '', $3, $3, $4)",
      [id, Buffer.from(id), NOW - DAY_MS, id === 'over' ? NOW - 1 : ENDS],
    );
});
afterAll(async () => {
  await connection?.database.destroy();
  await postgres?.stop();
});

async function rows(): Promise<Record<string, { endCode: number | null; expiresAt: number }>> {
  const { rows: found } = await connection.pool.query<{ id: string; code: number | null; expires: string }>(
    'select session_id as id, end_code as code, expires_at as expires from session',
  );
  return Object.fromEntries(found.map(({ id, code, expires }) => [id, { endCode: code, expiresAt: Number(expires) }]));
}

it('the row of an ended session is gone a day later, not when it would have expired', async () => {
  const { database } = connection;
  await endSessions(database, { accountId: 'ann', only: 'ended' }, 1001, NOW);
  await endSessions(database, { accountId: 'ann', only: 'disabled' }, 2031, NOW);
  await endSessions(database, { accountId: 'ann', only: 'over' }, 1001, NOW);
  await connection.pool.query(`insert into identity_provider (provider_id, owner_id, issuer, provider_name, client_id,
      scopes, creates_accounts, links_by_email, is_enabled, created_at)
    values ('idp', 'ann', 'https://idp.example', 'idp', 'c', 'openid', false, false, true, 0)`);
  await connection.pool.query(`insert into identity_link (provider_id, issuer, subject, account_id, user_label,
      is_managed, created_at, last_used_at)
    values ('idp', 'https://idp.example', 's', 'ann', 'ann', false, 0, 0)`);
  await endLinkedSessions(database, { providerId: 'idp', except: 'open' }, NOW);
  expect(await rows()).toEqual({
    open: { endCode: null, expiresAt: ENDS },
    ended: { endCode: 1001, expiresAt: NOW },
    disabled: { endCode: 2031, expiresAt: NOW },
    linked: { endCode: 1001, expiresAt: NOW },
    over: { endCode: 1001, expiresAt: NOW - 1 },
  });
  await dropOldSessions(database, NOW);
  expect(Object.keys(await rows()).toSorted()).toEqual(['disabled', 'ended', 'linked', 'open']);
  await dropOldSessions(database, NOW + 1);
  expect(Object.keys(await rows())).toEqual(['open']);
});
