// Types of the tables of the audit log and its chain, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { ColumnType, Selectable } from 'kysely';

type Computed<T> = ColumnType<T, never, never>;

interface AuditLogTable {
  /** In the order of storing, with gaps. */
  seq: Computed<number>;
  at: number;
  account_id: string | null;
  account_name: string | null;
  owner_ids: string[];
  session_id: string | null;
  address: string;
  call: string;
  kind: string;
  object: string | null;
  code: number;
  detail: string | null;
  /** Of the server that wrote the line, from its start to its end; null in lines of before. */
  run_id: string | null;
  /** 1, 2, 3 … within the run. */
  run_no: number | null;
}

interface AuditChainTable {
  /** Without gaps. */
  entry_no: number;
  seq: number;
  hash: Buffer;
}

/** Lines that are not chained yet. */
interface AuditTailTable {
  seq: number;
}

export type AuditRow = Selectable<AuditLogTable>;
export type ChainRow = Selectable<AuditChainTable>;

export interface AuditSchema {
  audit_log: AuditLogTable;
  audit_chain: AuditChainTable;
  audit_tail: AuditTailTable;
}
