// What the server still waits for before it is ready: the database within a second, and the site.
import { sql } from 'kysely';
import type { Clock } from '../clock/clock.ts';
import type { Database } from '../database/connection.ts';

const DATABASE_WITHIN_MS = 1000;

export async function readinessOf(parts: {
  database: Database;
  clock: Clock;
  site: { isOnline: () => boolean };
}): Promise<string[]> {
  const isAnswering = await answersInTime(parts.database, parts.clock);
  return [...(isAnswering ? [] : ['database']), ...(parts.site.isOnline() ? [] : ['site'])];
}

function answersInTime(database: Database, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(DATABASE_WITHIN_MS, () => resolve(false));
    const settle = (isAnswering: boolean) => {
      cancel();
      resolve(isAnswering);
    };
    sql`select 1`.execute(database).then(
      () => settle(true),
      () => settle(false),
    );
  });
}
