// Reads the audit log in the order of its chain, adds to the chain, and finds lines that are missing or not chained yet.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { AuditRow, ChainRow } from '../schema/audit-schema.ts';

/** `line`: null where it was removed. */
export interface ChainedRow {
  readonly link: ChainRow;
  readonly line: AuditRow | null;
}

/** A page of the chain in its order. */
export async function chainAfter(database: Database, entryNo: number, limit: number): Promise<ChainedRow[]> {
  const rows = await database
    .selectFrom('audit_chain')
    .leftJoin('audit_log', 'audit_log.seq', 'audit_chain.seq')
    .selectAll('audit_log')
    .select(['audit_chain.entry_no', 'audit_chain.seq as chained_seq', 'audit_chain.hash'])
    .where('entry_no', '>', entryNo)
    .orderBy('entry_no')
    .limit(limit)
    .execute();
  return rows.map(({ entry_no, chained_seq: seq, hash, ...line }) => ({
    link: { entry_no, seq, hash },
    line: line.seq === null ? null : (line as AuditRow),
  }));
}

export async function newestLink(database: Database): Promise<Pick<ChainRow, 'entry_no' | 'hash'> | undefined> {
  return await database
    .selectFrom('audit_chain')
    .select(['entry_no', 'hash'])
    .orderBy('entry_no', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Lines that are not chained yet, in the order of storing. */
export function unchainedLines(database: Database, limit: number): Promise<AuditRow[]> {
  return database
    .selectFrom('audit_tail')
    .innerJoin('audit_log', 'audit_log.seq', 'audit_tail.seq')
    .selectAll('audit_log')
    .orderBy('audit_tail.seq')
    .limit(limit)
    .execute();
}

/** In one transaction with what was read as the newest. */
export async function addLinks(database: Database, links: readonly ChainRow[]): Promise<void> {
  const seqs = links.map(({ seq }) => seq);
  await sql`
    insert into audit_chain (entry_no, seq, hash)
    select * from unnest(${links.map((one) => one.entry_no)}::bigint[], ${seqs}::bigint[], ${links.map(({ hash }) => hash)}::bytea[])
  `.execute(database);
  await sql`delete from audit_tail where seq = any(${seqs}::bigint[])`.execute(database);
}

export interface AuditTail {
  /** Lines that are not chained yet. */
  readonly count: number;
  /** When the oldest of them was written, ms. */
  readonly since: number | null;
}

/** By the lines themselves, not by what says that they are to be chained: both tables would have to be changed. */
export async function auditTail(database: Database): Promise<AuditTail> {
  const { rows } = await sql<AuditTail>`
    select count(*) as count, min(at) as since from audit_log
    where not exists (select from audit_chain where audit_chain.seq = audit_log.seq)`.execute(database);
  return rows[0] ?? { count: 0, since: null };
}

/** When the oldest line that waits to be chained was written; reads the tail alone. */
export async function unchainedSince(database: Database): Promise<number | null> {
  const row = await database
    .selectFrom('audit_tail')
    .leftJoin('audit_log', 'audit_log.seq', 'audit_tail.seq')
    .select((select) => select.fn.min('at').as('since'))
    .executeTakeFirst();
  return row?.since ?? null;
}

/**
 * How many lines servers have numbered and that are not there, by the gaps below the newest number of each run that is older than
 * `settledBefore`: later numbers may still be on their way. How a run ended cannot be seen.
 */
export async function missingLines(database: Database, settledBefore: number): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    with settled as (select run_id, max(run_no) as newest from audit_log
      where run_no is not null and at < ${settledBefore}::bigint group by run_id)
    select coalesce(sum(gaps), 0)::bigint as missing from (
      select settled.newest - count(*) as gaps from settled
      join audit_log on audit_log.run_id = settled.run_id and audit_log.run_no <= settled.newest
      group by settled.run_id, settled.newest) as runs`.execute(database);
  return rows[0]?.missing ?? 0;
}
