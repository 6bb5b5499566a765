// The hash chain of the audit log: the links of lines that follow a link, and which link is the first that does not fit.
import { createHash } from 'node:crypto';
import { chainAfter, type ChainedRow } from '../database/account/audit-chain.queries.ts';
import type { Database } from '../database/connection.ts';
import type { AuditRow, ChainRow } from '../database/schema/audit-schema.ts';

const PAGE = 2000;

/** Where the chain ends; nothing is there before its first link. */
export type ChainEnd = Pick<ChainRow, 'entry_no' | 'hash'>;
export const EMPTY_CHAIN: ChainEnd = { entry_no: 0, hash: Buffer.alloc(0) };

export interface ChainState {
  readonly total: number;
  readonly brokenAt: number | null;
  readonly head: string;
}

/** Each hash, and the numbers without gaps. */
export async function readChain(database: Database): Promise<ChainState> {
  let end = EMPTY_CHAIN;
  for (;;) {
    const rows = await chainAfter(database, end.entry_no, PAGE);
    for (const row of rows) {
      if (!follows(row, end)) {
        return { total: end.entry_no + 1, brokenAt: row.link.entry_no, head: end.hash.toString('hex') };
      }
      end = row.link;
    }
    if (rows.length < PAGE) return { total: end.entry_no, brokenAt: null, head: end.hash.toString('hex') };
  }
}

function follows({ link, line }: ChainedRow, end: ChainEnd): boolean {
  return line !== null && link.entry_no === end.entry_no + 1 && link.hash.equals(hashOf(line, link.entry_no, end.hash));
}

export function linksOf(lines: readonly AuditRow[], end: ChainEnd): ChainRow[] {
  let { entry_no: entryNo, hash } = end;
  return lines.map((line) => {
    entryNo += 1;
    hash = hashOf(line, entryNo, hash);
    return { entry_no: entryNo, seq: line.seq, hash };
  });
}

export function hashOf(line: Omit<AuditRow, 'seq'>, entryNo: number, previous: Uint8Array): Buffer {
  const fields = [
    String(entryNo),
    String(line.at),
    line.account_id,
    line.account_name,
    line.session_id,
    line.address,
    line.call,
    line.kind,
    line.object,
    String(line.code),
    line.owner_ids.join(' '),
    ...laterFields(line),
  ];
  // Characters as PostgreSQL counts them, not UTF-16 units: it computed the hashes of older versions.
  const text = fields.map((field) => (field === null ? '-' : `${Array.from(field).length}:${field}`)).join('');
  return createHash('sha256').update(previous).update(text, 'utf8').digest();
}

/** Lines of older versions keep their hash: before runs were written down a detail counted where it was there, and before details nothing. */
function laterFields({ detail, run_id: runId, run_no: runNo }: Omit<AuditRow, 'seq'>): (string | null)[] {
  if (runId !== null) return [detail, runId, String(runNo)];
  return detail === null ? [] : [detail];
}
