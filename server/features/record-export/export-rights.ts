// Rights of an export to replay and to export every range, evaluated whenever rights may have changed.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import { deviceObject } from '../../auth/authorize.ts';
import { loadRights } from '../../auth/rights.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { findAccount } from '../../database/account/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findDeviceFacts } from '../../database/device/device.queries.ts';
import type { ExportTaskRow } from '../../database/schema/schema.ts';
import { earliest } from '../../ticket/ticket-issuer.ts';

/** To see a recording, and to take it away: an owner has both, others by grants. */
export const EXPORT_ACTIONS = ['Replay', 'Export'] as const;

export interface ExportRight {
  /** Why it must end; null while it may go on. */
  readonly endCode: number | null;
  /** When the first of its rights ends by time. */
  readonly until: number | null;
}

/** The account counts, not the session: an export goes on after its user signed out. */
export async function exportRight(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  task: ExportTaskRow,
): Promise<ExportRight> {
  const account = await findAccount(database, task.account_id);
  if (!account?.is_enabled) return { endCode: ERROR_CODES.permissionDenied, until: null };
  const { account_id: userId, user_name: userName, user_type: userType, owner_id: ownerId } = account;
  const rights = await loadRights(database, clock, { userId, userName, userType, ownerId, sessionId: '' });
  let until: number | null = null;
  for (const { deviceSerial, channelNo, shareId } of task.items) {
    const facts = await findDeviceFacts(database, deviceSerial, channelNo);
    if (facts === undefined) return { endCode: ERROR_CODES.devNotExist, until: null };
    const { subject, grants, now } = rights;
    for (const action of EXPORT_ACTIONS) {
      const decision = decide({ subject, grants, now, action, object: deviceObject(facts, channelNo) });
      if (!decision.allowed) {
        return { endCode: shareId === null ? ERROR_CODES.permissionDenied : ERROR_CODES.shareEnded, until: null };
      }
      until = earliest(until, decision.until);
    }
  }
  return { endCode: null, until };
}
