// Verifies the hash chain of the audit log: each hash, and the sequence without gaps.
import { createHash } from 'node:crypto';
import { type AuditRow, auditChain } from '../../database/account/audit.queries.ts';
import type { Database } from '../../database/connection.ts';

const PAGE = 2000;

export interface ChainState {
  readonly total: number;
  readonly brokenAt: number | null;
  readonly head: string;
}

export async function readChain(database: Database): Promise<ChainState> {
  let previous: Buffer = Buffer.alloc(0);
  let last = 0;
  let total = 0;
  for (;;) {
    const rows = await auditChain(database, last, PAGE);
    for (const row of rows) {
      const isNext = row.entry_no === last + 1;
      if (!isNext || !row.hash.equals(hashOf(row, previous))) {
        return { total: total + 1, brokenAt: row.entry_no, head: previous.toString('hex') };
      }
      previous = row.hash;
      last = row.entry_no;
      total += 1;
    }
    if (rows.length < PAGE) return { total, brokenAt: null, head: previous.toString('hex') };
  }
}

/** In the format of the table's trigger. */
export function hashOf(row: Omit<AuditRow, 'seq' | 'hash'>, previous: Uint8Array): Buffer {
  const fields = [
    String(row.entry_no),
    String(row.at),
    row.account_id,
    row.account_name,
    row.session_id,
    row.address,
    row.call,
    row.kind,
    row.object,
    String(row.code),
    row.owner_ids.join(' '),
    // Entries from before the hash chain have no hash.
    ...(row.detail === null ? [] : [row.detail]),
  ];
  // PostgreSQL counts characters, not UTF-16 units.
  const text = fields.map((field) => (field === null ? '-' : `${Array.from(field).length}:${field}`)).join('');
  return createHash('sha256').update(previous).update(text, 'utf8').digest();
}
