// Reads and writes attempts for the limiter; a lock on the keys makes parallel attempts see each other.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

/** Sorted keys, so that two transactions never deadlock. */
export async function lockKeys(database: Database, keys: readonly string[]): Promise<void> {
  for (const key of [...keys].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`attempt ${key}`}, 0))`.execute(database);
  }
}

/** Times of attempts by key since an instant, oldest first. */
export async function attemptsSince(
  database: Database,
  keys: readonly string[],
  since: number,
): Promise<Map<string, number[]>> {
  const rows = await database
    .selectFrom('attempt')
    .select(['key', 'at'])
    .where('key', 'in', [...keys])
    .where('at', '>', since)
    .orderBy('at')
    .execute();
  const times = new Map<string, number[]>(keys.map((key) => [key, []]));
  for (const row of rows) times.get(row.key)?.push(row.at);
  return times;
}

export async function insertAttempts(
  database: Database,
  attemptId: string,
  keys: readonly string[],
  at: number,
): Promise<void> {
  await database
    .insertInto('attempt')
    .values(keys.map((key) => ({ attempt_id: attemptId, key, at })))
    .execute();
}

/** One attempt with all its keys. */
export async function deleteAttempt(database: Database, attemptId: string): Promise<void> {
  await database.deleteFrom('attempt').where('attempt_id', '=', attemptId).execute();
}

export async function deleteAttemptsOf(database: Database, key: string): Promise<void> {
  await database.deleteFrom('attempt').where('key', '=', key).execute();
}

export async function dropOldAttempts(database: Database, before: number): Promise<void> {
  await database.deleteFrom('attempt').where('at', '<', before).execute();
}
