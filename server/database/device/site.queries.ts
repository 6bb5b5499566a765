// Reads and writes sites, and the site of each device.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { DIRECT_ATTEMPT_VALID_MS, type DirectAttempt, LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Database } from '../connection.ts';
import type { SiteRow } from '../schema/schema.ts';
import { channelsWhere } from './channel.queries.ts';
import { insertUnknownStatus } from '../statistic/hour-store.queries.ts';

export interface SiteWithTotal extends SiteRow {
  readonly camera_total: number;
}

/** The site beside the server first, then by name. */
export function allSites(database: Database): Promise<SiteWithTotal[]> {
  return selectSites(database).orderBy(sql`site_id <> ${LOCAL_SITE}`).orderBy('site_name').orderBy('site_id').execute();
}

/** Of channels that fulfil a condition of auth/visibility-conditions.ts; the site beside the server first, then by name. */
export async function sitesWhere(database: Database, visible: RawBuilder<SqlBool>) {
  return await channelsWhere(database, visible)
    .innerJoin('site', 'site.site_id', 'device.site_id')
    .select(['site.site_id', 'site.site_name'])
    .groupBy(['site.site_id', 'site.site_name'])
    .orderBy(sql`site.site_id <> ${LOCAL_SITE}`)
    .orderBy('site.site_name')
    .orderBy('site.site_id')
    .execute();
}

export function findSite(database: Database, siteId: string): Promise<SiteWithTotal | undefined> {
  return selectSites(database).where('site_id', '=', siteId).executeTakeFirst();
}

function selectSites(database: Database) {
  return database
    .selectFrom('site')
    .selectAll()
    .select(
      sql<number>`(select count(*) from channel join device using (device_id) where device.site_id = site.site_id)`.as(
        'camera_total',
      ),
    );
}

export function findSiteBySerial(database: Database, serial: string): Promise<SiteRow | undefined> {
  return database.selectFrom('site').selectAll().where('serial', '=', serial).executeTakeFirst();
}

export async function insertSite(
  database: Database,
  site: { siteId: string; ownerId: string; siteName: string; serial: string; createdAt: number },
): Promise<void> {
  await database
    .insertInto('site')
    .values({
      site_id: site.siteId,
      owner_id: site.ownerId,
      site_name: site.siteName,
      serial: site.serial,
      created_at: site.createdAt,
    })
    .execute();
}

export async function renameSite(database: Database, siteId: string, siteName: string): Promise<void> {
  await database.updateTable('site').set({ site_name: siteName }).where('site_id', '=', siteId).execute();
}

/** False if devices are still assigned; recordings to be removed stay there and are forgotten. */
export async function deleteSite(database: Database, siteId: string): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('site')
      .where('site_id', '=', siteId)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('device').select('device_id').where('site_id', '=', siteId))),
      )
      .returning('site_id')
      .executeTakeFirst();
    if (row === undefined) return false;
    await transaction.deleteFrom('footage_removal').where('site_id', '=', siteId).execute();
    await transaction.deleteFrom('media_ticket').where('site_id', '=', siteId).execute();
    return true;
  });
}

/** Voids an earlier code. */
export async function storeSiteCode(
  database: Database,
  siteId: string,
  code: { hash: string; until: number },
): Promise<void> {
  await database
    .updateTable('site')
    .set({ code_hash: code.hash, code_until: code.until, code_tries: 0 })
    .where('site_id', '=', siteId)
    .execute();
}

/**
 * Replaces the code by the credential, once for concurrent callers. A wrong code counts, and the last allowed attempt
 * voids it.
 */
export async function redeemSiteCode(
  database: Database,
  siteId: string,
  given: { codeHash: string; credentialHash: string; now: number; tries: number },
): Promise<boolean> {
  const taken = await database
    .updateTable('site')
    .set({ credential_hash: given.credentialHash, code_hash: null, code_until: null, code_tries: 0 })
    .where('site_id', '=', siteId)
    .where('code_hash', '=', given.codeHash)
    .where('code_until', '>', given.now)
    .where('code_tries', '<', given.tries)
    .returning('site_id')
    .executeTakeFirst();
  if (taken !== undefined) return true;
  await database
    .updateTable('site')
    .set((expression) => ({ code_tries: expression('code_tries', '+', 1) }))
    .where('site_id', '=', siteId)
    .where('code_hash', 'is not', null)
    .where('code_tries', '<', given.tries)
    .execute();
  return false;
}

export async function storeSiteSeen(
  database: Database,
  siteId: string,
  seen: { at: number; version: string; publicAddress: string; addresses: readonly string[] },
): Promise<void> {
  await database
    .updateTable('site')
    .set({
      last_seen: seen.at,
      product_version: seen.version,
      public_address: seen.publicAddress,
      direct_addresses: JSON.stringify(seen.addresses),
    })
    .where('site_id', '=', siteId)
    .execute();
}

export async function touchSite(database: Database, siteId: string, at: number): Promise<void> {
  await database.updateTable('site').set({ last_seen: at }).where('site_id', '=', siteId).execute();
}

/** Null: never. */
export async function siteLastSeen(database: Database, siteId: string): Promise<number | null> {
  const row = await database.selectFrom('site').select('last_seen').where('site_id', '=', siteId).executeTakeFirst();
  return row?.last_seen ?? null;
}

/** A failure from another network does not delete a recent success. */
export async function storeDirectAttempt(database: Database, siteId: string, direct: DirectAttempt): Promise<void> {
  let query = database
    .updateTable('site')
    .set({ direct_at: direct.at, is_direct: direct.isConnected })
    .where('site_id', '=', siteId);
  if (!direct.isConnected) {
    const since = direct.at - DIRECT_ATTEMPT_VALID_MS;
    query = query.where(({ not, and, eb }) => not(and([eb('is_direct', 'is', true), eb('direct_at', '>', since)])));
  }
  await query.execute();
}

/** Unknown devices answer as the local site, like any foreign device. */
export async function siteOfDevice(database: Database, deviceSerial: string): Promise<string> {
  const row = await database
    .selectFrom('device')
    .select('site_id')
    .where('device_serial', '=', deviceSerial)
    .executeTakeFirst();
  return row?.site_id ?? LOCAL_SITE;
}

export async function sitesOfChannels(database: Database, channelIds: readonly string[]): Promise<string[]> {
  if (channelIds.length === 0) return [];
  const rows = await database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select('device.site_id')
    .distinct()
    .where('channel.channel_id', 'in', [...channelIds])
    .execute();
  return rows.map((row) => row.site_id);
}

/** Resets the status of its devices; the time of the last report stays, so that newer reports apply. Returns their serials. */
export async function markSiteOffline(database: Database, siteId: string, now: number): Promise<string[]> {
  const rows = await database
    .updateTable('device')
    .set({ status: DEVICE_STATUS.unknown, status_reason: 'siteAway' })
    .where('site_id', '=', siteId)
    .where('status', '<>', DEVICE_STATUS.unknown)
    .returning(['device_id', 'device_serial'])
    .execute();
  await insertUnknownStatus(
    database,
    rows.map((row) => row.device_id),
    now,
  );
  return rows.map((row) => row.device_serial);
}
