// Lines of sites in a real database: each connection ends the one before, whichever server has it, and whose local site it is.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import {
  assertSiteLine,
  claimLocalSite,
  SiteLineLost,
  takeSiteLine,
} from '../../server/database/device/site-line.queries.ts';
import { lockIdentity } from '../../server/database/work-lease.queries.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

let testDatabase: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  testDatabase = await openTestDatabase();
  connection = openDatabase({ url: testDatabase.url, onError: () => undefined });
});
afterAll(async () => {
  await connection.database.destroy();
  await testDatabase.stop();
});

it('a newer connection refuses what comes over the one before, at either server', async () => {
  const { database } = connection;
  const first = await takeSiteLine(database, LOCAL_SITE, 'a');
  await database.transaction().execute((transaction) => assertSiteLine(transaction, first));
  const again = await takeSiteLine(database, LOCAL_SITE, 'a');
  const second = await takeSiteLine(database, LOCAL_SITE, 'b');
  expect([again.epoch, second.epoch]).toEqual([first.epoch + 1, first.epoch + 2]);
  for (const former of [first, again]) {
    const stored = database.transaction().execute((transaction) => assertSiteLine(transaction, former));
    await expect(stored).rejects.toThrow(SiteLineLost);
  }
  await database.transaction().execute((transaction) => assertSiteLine(transaction, second));
});

it('a line is not taken between the check and the commit', async () => {
  const { database } = connection;
  const line = await takeSiteLine(database, LOCAL_SITE, 'a');
  const order: string[] = [];
  const checked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const storing = database.transaction().execute(async (transaction) => {
    await assertSiteLine(transaction, line);
    checked.resolve();
    await go.promise;
    order.push('stored');
  });
  await checked.promise;
  const taking = takeSiteLine(database, LOCAL_SITE, 'b').then(() => order.push('taken'));
  await isWaiting();
  go.resolve();
  await Promise.all([storing, taking]);
  expect(order).toEqual(['stored', 'taken']);
});

it('the local site is that of the first server, until its data folder is replaced', async () => {
  const { database } = connection;
  const client = connection.newClient();
  await client.connect();
  await lockIdentity(client, 'a');
  expect(await claimLocalSite(database, 'a')).toBe(true);
  expect(await claimLocalSite(database, 'b')).toBe(false);
  expect(await claimLocalSite(database, 'a')).toBe(true);
  await client.end();
  const row = { address: '10.0.0.1:1', fingerprint: 'f', release: '1.0.0', key_check: 'k', started_at: 0, seen_at: 0 };
  await database
    .insertInto('server_node')
    .values({ node_id: 'a', ...row })
    .execute();
  expect(await claimLocalSite(database, 'b'), 'it is only away').toBe(false);
  await database.deleteFrom('server_node').execute();
  expect(await claimLocalSite(database, 'b')).toBe(true);
  expect(await claimLocalSite(database, 'a'), 'its own of before, while nobody is connected').toBe(true);
});

/** Somebody waits for a lock of a row. */
async function isWaiting(): Promise<void> {
  const client = connection.newClient();
  await client.connect();
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await client.query(text)).rowCount === 0);
  await client.end();
}
