// Reads and writes CDN providers and the live streams that are pushed to them.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import { channelsWhere } from '../device/channel.queries.ts';
import type { CdnLiveRow, CdnProviderRow } from '../schema/cdn-schema.ts';

export type ProviderWithTotal = CdnProviderRow & { readonly live_total: number };
export type ProviderColumns = Omit<CdnProviderRow, 'provider_id' | 'version' | 'created_at'>;

export async function listProviders(database: Database): Promise<ProviderWithTotal[]> {
  return await database
    .selectFrom('cdn_provider')
    .selectAll()
    .select(sql<number>`(select count(*) from cdn_live where provider_id = cdn_provider.provider_id)`.as('live_total'))
    .orderBy('created_at')
    .orderBy('provider_id')
    .execute();
}

export async function hasProvider(database: Database): Promise<boolean> {
  const row = await database.selectFrom('cdn_provider').select('provider_id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function insertProvider(
  database: Database,
  providerId: string,
  { columns, now }: { readonly columns: ProviderColumns; readonly now: number },
): Promise<void> {
  await database
    .insertInto('cdn_provider')
    .values({ ...columns, provider_id: providerId, created_at: now })
    .execute();
}

/** False where it has another version by now, or is gone. */
export async function updateProvider(
  database: Database,
  which: { readonly providerId: string; readonly version: number },
  columns: ProviderColumns,
): Promise<boolean> {
  const row = await database
    .updateTable('cdn_provider')
    .set({ ...columns, version: sql`version + 1` })
    .where('provider_id', '=', which.providerId)
    .where('version', '=', which.version)
    .returning('provider_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Rejects with a foreign key violation while a live stream names it. */
export async function deleteProvider(database: Database, providerId: string): Promise<void> {
  await database.deleteFrom('cdn_provider').where('provider_id', '=', providerId).execute();
}

/** The channel that a stream of a CDN is named after. */
export async function channelOfStream(database: Database, channelId: string) {
  return await database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select(['device.device_serial', 'channel.channel_no'])
    .where('channel.channel_id', '=', channelId)
    .executeTakeFirst();
}

export async function findLive(
  database: Database,
  which: Pick<CdnLiveRow, 'provider_id' | 'channel_id' | 'quality'>,
): Promise<CdnLiveRow | undefined> {
  return await database
    .selectFrom('cdn_live')
    .selectAll()
    .where('provider_id', '=', which.provider_id)
    .where('channel_id', '=', which.channel_id)
    .where('quality', '=', which.quality)
    .executeTakeFirst();
}

/** `known`: there is one of that stream already. `full`: its holder has `streams` of them, null for any number. */
export async function insertLive(
  database: Database,
  live: CdnLiveRow,
  streams: number | null,
): Promise<'inserted' | 'known' | 'full'> {
  return await database.transaction().execute(async (transaction) => {
    const { holder_id: holderId } = live;
    if (streams !== null && holderId !== null) {
      // Starts of one holder count one after the other.
      await transaction
        .selectFrom('account')
        .select('account_id')
        .where('account_id', '=', holderId)
        .forUpdate()
        .execute();
      const { total } = await transaction
        .selectFrom('cdn_live')
        .select((select) => select.fn.countAll<number>().as('total'))
        .where('holder_id', '=', holderId)
        .executeTakeFirstOrThrow();
      if (Number(total) >= streams) return 'full';
    }
    const row = await transaction
      .insertInto('cdn_live')
      .values(live)
      .onConflict((conflict) => conflict.constraint('cdn_live_one').doNothing())
      .returning('live_id')
      .executeTakeFirst();
    return row === undefined ? 'known' : 'inserted';
  });
}

export async function setLiveTicket(database: Database, liveId: string, ticketHash: string): Promise<void> {
  await database.updateTable('cdn_live').set({ ticket_hash: ticketHash }).where('live_id', '=', liveId).execute();
}

export async function countLives(database: Database): Promise<number> {
  const { total } = await database
    .selectFrom('cdn_live')
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** With its ticket: what its site still holds of it ends when the tickets are compared. */
export async function deleteLive(database: Database, live: Pick<CdnLiveRow, 'live_id' | 'ticket_hash'>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('cdn_live').where('live_id', '=', live.live_id).execute();
    await transaction.deleteFrom('media_ticket').where('ticket_hash', '=', live.ticket_hash).execute();
  });
}

/** Of channels that fulfil a condition of auth/visibility-conditions.ts, and those that the account started. */
export async function listLives(database: Database, visible: RawBuilder<SqlBool>, accountId: string) {
  return await channelsWhere(database, sql<SqlBool>`(${visible} or cdn_live.account_id = ${accountId})`)
    .innerJoin('cdn_live', 'cdn_live.channel_id', 'channel.channel_id')
    .innerJoin('cdn_provider', 'cdn_provider.provider_id', 'cdn_live.provider_id')
    .innerJoin('account', 'account.account_id', 'cdn_live.account_id')
    .select([
      'channel.channel_id',
      'channel.channel_no',
      'channel.channel_name',
      'device.device_serial',
      'device.device_name',
      'device.site_id',
      'device.owner_id',
      'cdn_live.live_id',
      'cdn_live.ticket_hash',
      'cdn_live.account_id',
      'cdn_live.quality',
      'cdn_live.started_at',
      'account.user_name',
      'cdn_provider.provider_id',
      'cdn_provider.provider_name',
      'cdn_provider.kind',
      'cdn_provider.base_address',
      'cdn_provider.signing_key',
      'cdn_provider.valid_minutes',
      'cdn_provider.rtmp_address',
      'cdn_provider.hls_address',
      'cdn_provider.flv_address',
      'cdn_provider.publish_address',
      'cdn_provider.signing',
    ])
    .orderBy('cdn_live.started_at')
    .execute();
}

export type ListedLive = Awaited<ReturnType<typeof listLives>>[number];
