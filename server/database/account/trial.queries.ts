// Reads and writes trials.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { TrialExtra, TrialRow } from '../schema/trial-schema.ts';

/** Those of one account, or of all; the newest first. */
export async function listTrials(
  database: Database,
  accountId: string | null,
): Promise<(TrialRow & { readonly user_name: string; readonly user_type: number })[]> {
  return await database
    .selectFrom('trial')
    .innerJoin('account', 'account.account_id', 'trial.account_id')
    .selectAll('trial')
    .select(['account.user_name', 'account.user_type'])
    .$if(accountId !== null, (query) => query.where('trial.account_id', '=', accountId ?? ''))
    .orderBy('trial.applied_at', 'desc')
    .orderBy('trial.trial_id')
    .execute();
}

export interface NewTrial {
  readonly trialId: string;
  readonly accountId: string;
  readonly extras: readonly TrialExtra[];
  readonly days: number;
  readonly note: string;
  readonly now: number;
}

/** False where an application of the account waits already. */
export async function insertTrial(database: Database, trial: NewTrial): Promise<boolean> {
  const { trialId, accountId, extras, days, note, now } = trial;
  const rows = await database
    .insertInto('trial')
    .values({
      trial_id: trialId,
      account_id: accountId,
      extras: JSON.stringify(extras),
      days,
      note,
      applied_at: now,
      decided_at: null,
      ends_at: null,
    })
    .onConflict((conflict) => conflict.column('account_id').where('decided_at', 'is', null).doNothing())
    .returning('trial_id')
    .execute();
  return rows.length > 0;
}

export async function findTrial(database: Database, trialId: string): Promise<TrialRow | undefined> {
  return await database.selectFrom('trial').selectAll().where('trial_id', '=', trialId).executeTakeFirst();
}

/** False where it was decided before. `endsAt` null refuses it. */
export async function decideTrial(
  database: Database,
  trialId: string,
  { now, endsAt }: { readonly now: number; readonly endsAt: number | null },
): Promise<boolean> {
  const rows = await database
    .updateTable('trial')
    .set({ decided_at: now, ends_at: endsAt })
    .where('trial_id', '=', trialId)
    .where('decided_at', 'is', null)
    .returning('trial_id')
    .execute();
  return rows.length > 0;
}

/** What the trials that run give an account beyond its limits, by quota. */
export async function runningExtras(database: Database, ownerId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ quota: string; amount: number }>`
    select extra->>'quota' as quota, sum((extra->>'amount')::bigint)::bigint as amount
    from trial, jsonb_array_elements(extras) as extra
    where account_id = ${ownerId} and ends_at > (extract(epoch from now()) * 1000)::bigint
    group by 1`.execute(database);
  return new Map(rows.map(({ quota, amount }) => [quota, Number(amount)]));
}
