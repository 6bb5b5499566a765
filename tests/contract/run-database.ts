// Starts one PostgreSQL for all test files of a run: each takes a copy of its migrated database.
import { migratedCluster } from './migrated-cluster.ts';
import { RUN_DATABASE, startTestDatabase } from './test-database.ts';

/** Several suites of a run ask for it: the first one starts it, and ends it when all are over. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[RUN_DATABASE] !== undefined) return undefined;
  const database = await startTestDatabase({ cluster: migratedCluster() });
  process.env[RUN_DATABASE] = database.folder;
  return async () => {
    delete process.env[RUN_DATABASE];
    await database.stop();
  };
}
