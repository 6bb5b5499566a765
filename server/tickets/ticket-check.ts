// Asks of open tickets whether their right still stands; one check asks each session, account and channel once, however many tickets rest on it.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { accountPermissions } from '@vedette/rules/decide/account-flags.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import { deviceObject } from '../auth/may.ts';
import { loadRights, type Rights } from '../auth/rights.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { Clock } from '../clock/clock.ts';
import type { Database } from '../database/connection.ts';
import { type DeviceFacts, findDeviceFacts } from '../database/device.queries.ts';
import type { MediaTicketRow } from '../database/schema.ts';

export interface TicketCheckParts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly clock: Clock;
}

export class TicketCheck {
  readonly #parts: TicketCheckParts;
  readonly #rights = new Map<string, Promise<Rights | { endCode: number }>>();
  readonly #facts = new Map<string, Promise<DeviceFacts | undefined>>();

  constructor(parts: TicketCheckParts) {
    this.#parts = parts;
  }

  /** null while the ticket may live. */
  async endCodeOf(ticket: MediaTicketRow): Promise<number | null> {
    const rights = await once(this.#rights, ticket.session_id, () => this.#rightsOf(ticket.session_id));
    if ('endCode' in rights) return rights.endCode;
    const { subject, grants, now } = rights;
    const action = ticket.action as Permission;
    if (ticket.kind === 'probe') {
      return accountPermissions(subject, grants, now).includes(action) ? null : ERROR_CODES.permissionDenied;
    }
    const { device_serial: deviceSerial, channel_no: channelNo } = ticket;
    const facts = await once(this.#facts, `${deviceSerial}/${channelNo}`, () =>
      findDeviceFacts(this.#parts.database, deviceSerial, channelNo),
    );
    if (facts === undefined) return ERROR_CODES.devNotExist;
    const decision = decide({ subject, grants, now, action, object: deviceObject(facts, channelNo) });
    if (!decision.allowed) return ticket.share_id === null ? ERROR_CODES.permissionDenied : ERROR_CODES.shareEnded;
    await this.#rest(ticket, decision.until, decision.because.kind === 'grant' ? decision.because.shareId : null);
    return null;
  }

  async #rightsOf(sessionId: string): Promise<Rights | { endCode: number }> {
    const { database, sessions, clock } = this.#parts;
    const session = await sessions.check(sessionId);
    return 'endCode' in session ? session : await loadRights(database, clock, session.principal);
  }

  /** The right goes on, perhaps for another reason and to another end. */
  async #rest(ticket: MediaTicketRow, until: number | null, shareId: string | null): Promise<void> {
    if (ticket.until === until && ticket.share_id === shareId) return;
    await this.#parts.database
      .updateTable('media_ticket')
      .set({ until, share_id: shareId })
      .where('ticket_id', '=', ticket.ticket_id)
      .execute();
  }
}

function once<T>(held: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const known = held.get(key);
  if (known !== undefined) return known;
  const loading = load();
  held.set(key, loading);
  return loading;
}
