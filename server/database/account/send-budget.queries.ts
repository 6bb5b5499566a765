// Reads and writes rate limits of outgoing messages: one row and one statement each, so that parallel senders see each other.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

/** False if the budget is too low: `costMs` is the share of the window that the messages use. */
export async function spendBudget(
  database: Database,
  spent: { readonly key: string; readonly costMs: number; readonly windowMs: number; readonly now: number },
): Promise<boolean> {
  const { key, costMs, windowMs, now } = spent;
  const { rows } = await sql<{ full_at: number }>`
    insert into send_budget as budget (key, full_at) values (${key}, ${now + costMs}::bigint)
    on conflict (key) do update set full_at = greatest(budget.full_at, ${now}::bigint) + ${costMs}::bigint
      where greatest(budget.full_at, ${now}::bigint) + ${costMs}::bigint <= ${now + windowMs}::bigint
    returning full_at`.execute(database);
  return rows.length > 0;
}

/** When the budget is full again; 0: it is. */
export async function budgetFullAt(database: Database, key: string): Promise<number> {
  const row = await database.selectFrom('send_budget').select('full_at').where('key', '=', key).executeTakeFirst();
  return row?.full_at ?? 0;
}

export async function dropFullBudgets(database: Database, now: number): Promise<void> {
  await database.deleteFrom('send_budget').where('full_at', '<', now).execute();
}
