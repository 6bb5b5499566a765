// The schema that the migrations make is the one kept in the tree.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePartition } from '../../server/database/alarm-partitions.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { listMigrations, migrate } from '../../server/database/migrate.ts';
import { readSchema } from '../harness/read-schema.ts';
import { expectSnapshot } from '../project/snapshot-file.ts';
import { startTestDatabase, type TestDatabase } from './test-database.ts';

let postgres: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  postgres = await startTestDatabase();
  connection = openDatabase({ url: postgres.url, onError: () => undefined });
  await migrate(connection.pool);
  await makePartition(connection.database, 20_000);
});
afterAll(async () => {
  await connection?.database.destroy();
  await postgres?.stop();
});

it('is the snapshot in the tree', async () => {
  const schema = await readSchema(connection.pool);
  expect(schema.length).toBeGreaterThan(500);
  expectSnapshot('server/database/schema.snapshot.txt', [
    ...listMigrations().map((one) => `migration ${one}`),
    ...schema,
  ]);
});
