// Appends to the audit log and reads it; nothing here changes or deletes a line.
import type { AuditDetail } from '@vedette/contract/audit-detail.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { AuditRow } from '../schema/audit-schema.ts';
import { likePattern } from '../search-text.ts';

export interface AuditLine {
  readonly at: number;
  readonly accountId: string | null;
  readonly sessionId: string | null;
  readonly address: string;
  readonly call: string;
  readonly kind: string;
  /** Ids of the objects, never contents. */
  readonly object: string | null;
  readonly code: number;
  /** Owners of the objects; the acting account's owner is added. */
  readonly ownerIds: readonly string[];
  readonly detail?: AuditDetail | null;
}

/** Which line of which run of a server. */
export interface LineNumber {
  readonly runId: string;
  readonly runNo: number;
}

/** For deleted accounts the line keeps only the id. A line that is stored already is not stored twice. */
export async function insertAuditLine(database: Database, line: AuditLine & LineNumber): Promise<void> {
  await sql`
    insert into audit_log (at, account_id, account_name, session_id, address, call, kind, object, code, detail, run_id, run_no, owner_ids)
    select ${line.at}::bigint, ${line.accountId}::text, actor.user_name, ${line.sessionId}::text, ${line.address},
      ${line.call}, ${line.kind}, ${line.object}::text, ${line.code}::int,
      ${line.detail ? JSON.stringify(line.detail) : null}::text, ${line.runId}, ${line.runNo}::bigint,
      array(select distinct one from unnest(${[...line.ownerIds]}::text[] || coalesce(actor.owner_id, actor.account_id)) as one
        where one is not null order by one)
    from (select 1) as always left join account as actor on actor.account_id = ${line.accountId}
    on conflict (run_id, run_no) do nothing
  `.execute(database);
}

export interface AuditFilter {
  readonly kind?: string | undefined;
  readonly userName?: string | undefined;
  readonly deviceSerial?: string | undefined;
  readonly isRefused?: boolean | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Entries of one owner; operators also read those without an owner, such as failed sign-ins. */
export function auditEntriesOf(
  database: Database,
  reader: { ownerId: string; isOperator: boolean },
  filter: AuditFilter,
) {
  const own = sql<SqlBool>`owner_ids @> array[${reader.ownerId}]::text[]`;
  let query = database
    .selectFrom('audit_log')
    .where(reader.isOperator ? sql<SqlBool>`(${own} or owner_ids = '{}')` : own);
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  if (filter.userName !== undefined && filter.userName !== '') {
    query = query.where(sql<SqlBool>`lower(account_name) like ${likePattern(filter.userName)}`);
  }
  if (filter.deviceSerial !== undefined) query = query.where(touchesDevice(filter.deviceSerial));
  if (filter.isRefused !== undefined) query = query.where('code', filter.isRefused ? '!=' : '=', 200);
  if (filter.startTime !== undefined) query = query.where('at', '>=', filter.startTime);
  if (filter.endTime !== undefined) query = query.where('at', '<', filter.endTime);
  return query;
}

function touchesDevice(deviceSerial: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${`deviceSerial=${deviceSerial}`} = any(string_to_array(object, ' '))`;
}

/** With its number in the chain; null: not chained yet. */
export type NumberedRow = AuditRow & { readonly entry_no: number | null };

/** Newest first. */
export function numberedRows(query: ReturnType<typeof auditEntriesOf>, page: { offset: number; limit: number }) {
  return query
    .leftJoin('audit_chain', 'audit_chain.seq', 'audit_log.seq')
    .selectAll('audit_log')
    .select('audit_chain.entry_no')
    .orderBy('audit_log.seq', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}
