// Handlers of audit/*: the log for its owner, CSV export, and verification.
import type { AuditDetail } from '@vedette/contract/audit-detail.ts';
import type { auditCalls, AuditEntry } from '@vedette/contract/calls/audit.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { AUDIT_LIMITS } from '@vedette/contract/limits.ts';
import { writeCsv } from '@vedette/rules/csv/csv.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import type { Principal } from '../../auth/principal.ts';
import { readChain } from '../../audit/audit-chain.ts';
import { auditEntriesOf, type NumberedRow, numberedRows } from '../../database/account/audit.queries.ts';
import { auditTail, missingLines } from '../../database/account/audit-chain.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';

const HEAD = [
  'no',
  'time (UTC)',
  'user',
  'address',
  'kind',
  'call',
  'object',
  'code',
  'names',
  'through',
  'with',
  'changes',
  'reason',
] as const;
/** Lines that waited for the database are stored within seconds of its return, so that a lower number may come after a higher one. */
const SETTLED_AFTER_MS = 120_000;

export function auditHandlers({ database }: { readonly database: Database }): Handlers<keyof typeof auditCalls> {
  return {
    'audit/list': async ({ input, principal }) => {
      const query = auditEntriesOf(database, readerOf(principal), input);
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await numberedRows(query, pageRange(input));
      return { total, auditList: rows.map(toEntry) };
    },
    'audit/export': async ({ input, principal, now }) => {
      const query = auditEntriesOf(database, readerOf(principal), input);
      const rows = await numberedRows(query, { offset: 0, limit: AUDIT_LIMITS.exported + 1 });
      const lines = rows.slice(0, AUDIT_LIMITS.exported).map(toEntry).map(cells);
      const name = `audit-${new Date(now).toISOString().slice(0, 10)}.csv`;
      return { name, csv: writeCsv([HEAD, ...lines]), isCut: rows.length > AUDIT_LIMITS.exported };
    },
    'audit/verify': async ({ now }) => {
      const { total, brokenAt, head } = await readChain(database);
      const { count: unchained, since } = await auditTail(database);
      const unchainedForMs = since === null ? 0 : Math.max(0, now - since);
      const missing = await missingLines(database, now - SETTLED_AFTER_MS);
      return { isWhole: brokenAt === null, total, brokenAt, head, unchained, unchainedForMs, missing };
    },
  };
}

function readerOf(principal: Principal) {
  return { ownerId: principal.userId, isOperator: principal.userType === USER_TYPE.super };
}

function toEntry(row: NumberedRow): AuditEntry {
  return {
    entryId: String(row.seq),
    entryNo: row.entry_no ?? 0,
    time: row.at,
    userName: row.account_name ?? '',
    address: row.address,
    call: row.call,
    kind: row.kind === 'watch' ? 'watch' : 'write',
    object: row.object ?? '',
    detail: row.detail === null ? null : (JSON.parse(row.detail) as AuditDetail),
    code: row.code,
  };
}

function cells(entry: AuditEntry): string[] {
  const { entryNo, time, userName, address, kind, call, object, code, detail } = entry;
  const no = entryNo === 0 ? '' : String(entryNo);
  const line = [no, new Date(time).toISOString(), userName, address, kind, call, object, String(code)];
  const subject = detail?.subject === undefined ? [] : [detail.subject.name];
  const names = [...(detail?.itemList ?? []).map(({ name }) => name), ...subject].join(', ');
  return [...line, names, throughOf(detail), detail?.toUserName ?? '', changesOf(detail), reasonOf(detail)];
}

function changesOf(detail: AuditDetail | null): string {
  const changes = detail?.changeList ?? [];
  return changes.map(({ field, before, after }) => `${field}: ${before ?? ''} -> ${after ?? ''}`).join('; ');
}

function reasonOf(detail: AuditDetail | null): string {
  return detail?.isPreview === true ? 'preview' : (detail?.reason ?? '');
}

/** The share and link used, each with its giver, and the app that acted. */
function throughOf(detail: AuditDetail | null): string {
  const share = detail?.share && `share ${detail.share.shareName || detail.share.shareId} of ${detail.share.userName}`;
  const link = detail?.link && `link ${detail.link.linkName} of ${detail.link.userName}`;
  const app = detail?.app && `app ${detail.app.appName}`;
  return [share, link, app].filter((one) => one !== undefined).join(', ');
}
