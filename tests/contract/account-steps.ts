// Steps that tests of accounts share: what no call can do, done in the database itself.
import pg from 'pg';
import type { ServerUnderTest } from './server-under-test.ts';

/** For time that must pass, and for looking at what is stored. */
export async function runSql(server: ServerUnderTest, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
