// Appends to the audit log; nothing here changes or removes a line.
import type { Database } from './connection.ts';

export interface AuditLine {
  readonly at: number;
  readonly accountId: string | null;
  readonly sessionId: string | null;
  readonly address: string;
  readonly call: string;
  readonly kind: string;
  /** Ids of what was touched, never contents. */
  readonly object: string | null;
  readonly code: number;
}

export async function appendAudit(database: Database, line: AuditLine): Promise<void> {
  await database
    .insertInto('audit_log')
    .values({
      at: line.at,
      account_id: line.accountId,
      session_id: line.sessionId,
      address: line.address,
      call: line.call,
      kind: line.kind,
      object: line.object,
      code: line.code,
    })
    .execute();
}
