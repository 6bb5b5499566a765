// The cluster that test databases are copied from: empty, with every migration done; made once for each set of migrations.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { listMigrations, migrate } from '../../server/database/migrate.ts';
import { buildOfPostgres, copyCluster, keptCluster } from '../harness/postgres-cluster.ts';
import { CLUSTER_FOLDER, startTestDatabase } from './test-database.ts';

const MIGRATIONS = new URL('../../server/database/migrations/', import.meta.url);

export function migratedCluster(): Promise<string> {
  return keptCluster(`migrated-cluster-${buildOfPostgres()}-${digestOfMigrations()}`, async (aside) => {
    const database = await startTestDatabase();
    const pool = new pg.Pool({ connectionString: database.url });
    // An ended pool does not wait for its connections to close: the server may end them first, which is no failure.
    pool.on('error', () => undefined);
    try {
      await migrate(pool);
      await pool.end();
      await database.down();
      copyCluster(join(database.folder, CLUSTER_FOLDER), aside);
    } finally {
      await database.stop();
    }
  });
}

function digestOfMigrations(): string {
  const digest = createHash('sha256');
  for (const name of listMigrations()) digest.update(name).update(readFileSync(new URL(name, MIGRATIONS)));
  return digest.digest('hex').slice(0, 16);
}
