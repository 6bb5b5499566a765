// The lines of sites: which server a site is connected to, and beside which server the local site runs.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import { NODE_LOCKS } from '../work-lease.queries.ts';

/** As the connection of a site had it when it began. */
export interface SiteLine {
  readonly siteId: string;
  readonly nodeId: string;
  readonly epoch: number;
}

/** What came over a former line of a site: nothing of it was stored. */
export class SiteLineLost extends Error {
  override readonly name = 'SiteLineLost';
}

const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** From here on nothing is stored that comes over a line of before; waits for what is being stored. */
export async function takeSiteLine(database: Database, siteId: string, nodeId: string): Promise<SiteLine> {
  return await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('site_line')
      .values({ site_id: siteId, node_id: nodeId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction.selectFrom('site_line').select('epoch').where('site_id', '=', siteId).forUpdate().execute();
    const { epoch } = await transaction
      .updateTable('site_line')
      .set({ node_id: nodeId, epoch: sql`epoch + 1`, since: NOW })
      .where('site_id', '=', siteId)
      .returning('epoch')
      .executeTakeFirstOrThrow();
    return { siteId, nodeId, epoch };
  });
}

/**
 * Within the transaction that stores what came over it. The lock lasts until the commit, so that the line cannot be taken in between; a
 * server that stands still there is rolled back by PostgreSQL (idle_in_transaction_session_timeout).
 */
export async function assertSiteLine(transaction: Database, { siteId, nodeId, epoch }: SiteLine): Promise<void> {
  const row = await transaction
    .selectFrom('site_line')
    .select('site_id')
    .where('site_id', '=', siteId)
    .where('node_id', '=', nodeId)
    .where('epoch', '=', epoch)
    .forKeyShare()
    .executeTakeFirst();
  if (row === undefined) throw new SiteLineLost(`the site ${siteId} is connected anew`);
}

/** Of these lines, those that are no more. */
export async function formerSiteLines(database: Database, lines: readonly SiteLine[]): Promise<ReadonlySet<string>> {
  if (lines.length === 0) return new Set();
  const rows = await database
    .selectFrom('site_line')
    .select(['site_id', 'epoch'])
    .where(
      'site_id',
      'in',
      lines.map(({ siteId }) => siteId),
    )
    .execute();
  const epochs = new Map(rows.map((row) => [row.site_id, row.epoch]));
  return new Set(lines.filter(({ siteId, epoch }) => epochs.get(siteId) !== epoch).map(({ siteId }) => siteId));
}

/**
 * Whether the local site runs beside this server. It does where none has said so, and where the one that said so is neither connected nor among
 * the servers that speak to each other: its data folder was replaced.
 */
export async function claimLocalSite(database: Database, nodeId: string): Promise<boolean> {
  const isConnected = sql<boolean>`exists (
    select from pg_locks
    where locktype = 'advisory' and classid = ${NODE_LOCKS}::oid and objsubid = 2 and granted
      and objid::bigint = (hashtext(site.node_id)::bigint & 4294967295)
      and database = (select oid from pg_database where datname = current_database()))`;
  const isKnown = sql<boolean>`exists (select from server_node where server_node.node_id = site.node_id)`;
  const row = await database
    .updateTable('site')
    .set({ node_id: nodeId })
    .where('site_id', '=', LOCAL_SITE)
    .where(({ eb, or, and, not }) =>
      or([eb('node_id', 'is', null), eb('node_id', '=', nodeId), and([not(isConnected), not(isKnown)])]),
    )
    .returning('site_id')
    .executeTakeFirst();
  return row !== undefined;
}
