// Reads and writes CDN packages, the codes that open them, and the time that pushes take of them.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

export interface NewPackage {
  readonly codeHash: string;
  readonly minutes: number;
  readonly streams: number;
}

export async function insertPackage(database: Database, one: NewPackage, now: number): Promise<void> {
  const { codeHash, minutes, streams } = one;
  await database
    .insertInto('cdn_package')
    .values({ code_hash: codeHash, minutes, streams, created_at: now, account_id: null, activated_at: null })
    .execute();
}

/** `used`: the code opened a package before. */
export async function activatePackage(
  database: Database,
  codeHash: string,
  { accountId, now }: { readonly accountId: string; readonly now: number },
): Promise<'activated' | 'used' | 'unknown'> {
  const row = await database
    .updateTable('cdn_package')
    .set({ account_id: accountId, activated_at: now })
    .where('code_hash', '=', codeHash)
    .where('activated_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  if (row !== undefined) return 'activated';
  const known = await database
    .selectFrom('cdn_package')
    .select('code_hash')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return known === undefined ? 'unknown' : 'used';
}

export interface PackageTotal {
  readonly minutes: number;
  readonly streams: number;
  readonly usedMs: number;
}

/** All packages of the account together. */
export async function packageTotal(database: Database, accountId: string): Promise<PackageTotal> {
  const { rows } = await sql<{ minutes: number; streams: number; used_ms: number }>`
    select coalesce(sum(minutes), 0)::integer as minutes, coalesce(sum(streams), 0)::integer as streams,
      coalesce((select used_ms from cdn_use where account_id = ${accountId}), 0) as used_ms
    from cdn_package where account_id = ${accountId}`.execute(database);
  const [row] = rows;
  return { minutes: row?.minutes ?? 0, streams: row?.streams ?? 0, usedMs: Number(row?.used_ms ?? 0) };
}

/** Live streams that packages pay for. */
export async function meteredLives(database: Database) {
  return await database
    .selectFrom('cdn_live')
    .innerJoin('channel', 'channel.channel_id', 'cdn_live.channel_id')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select(['cdn_live.live_id', 'cdn_live.ticket_hash', 'cdn_live.holder_id', 'device.site_id'])
    .where('cdn_live.holder_id', 'is not', null)
    .execute();
}

/** Charges the time since the last charge to those that run; of the others that are judged it is let go. */
export async function chargeLives(
  database: Database,
  {
    judged,
    running,
    now,
  }: { readonly judged: readonly string[]; readonly running: readonly string[]; readonly now: number },
): Promise<void> {
  if (judged.length === 0) return;
  await database.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('cdn_live')
      .select(['live_id', 'holder_id', 'metered_at'])
      .where('holder_id', 'is not', null)
      .where('live_id', 'in', judged)
      .forUpdate()
      .execute();
    for (const { live_id: liveId, holder_id: holderId, metered_at: meteredAt } of rows) {
      if (holderId === null || !running.includes(liveId) || now <= meteredAt) continue;
      await transaction
        .insertInto('cdn_use')
        .values({ account_id: holderId, used_ms: now - meteredAt })
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet({ used_ms: sql`cdn_use.used_ms + excluded.used_ms` }),
        )
        .execute();
    }
    await transaction.updateTable('cdn_live').set({ metered_at: now }).where('live_id', 'in', judged).execute();
  });
}
