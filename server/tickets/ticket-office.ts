// Gives out media tickets: 256 random bits, known to the site by their hash before the answer leaves, each resting on one decision.
import { createHash } from 'node:crypto';
import { TICKET_FIRST_USE_MS } from '@vedette/contract/limits.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { TicketGrant } from '@vedette/contract/site.ts';
import { type AuthorisedDevice, mayDevice } from '../auth/may.ts';
import type { Principal } from '../auth/principal.ts';
import { loadRights } from '../auth/rights.ts';
import { CallError } from '../call-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { Database } from '../database/connection.ts';
import { dropTickets, insertTicket, ticketExists } from '../database/media-ticket.queries.ts';
import { newId, newSecret } from '../randomness.ts';
import type { SitePort } from '../site-link/site-port.ts';

export interface TicketOrder {
  readonly kind: TicketGrant['kind'];
  readonly action: Permission;
  readonly principal: Principal;
  /** null for a probe, which has no device yet. */
  readonly device: AuthorisedDevice | null;
  readonly channelNo: number;
  readonly quality: 0 | 1 | 2;
  readonly range: { readonly startTime: number; readonly endTime: number } | null;
  readonly probeId: string | null;
  /** The export that is downloaded. */
  readonly exportId?: string;
  /** What the site is to make of the stream for this viewer. */
  readonly transcode?: 'h264' | 'mjpeg';
}

export interface IssuedTicket {
  readonly ticket: string;
  readonly firstUseBefore: number;
}

export class TicketOffice {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #site: SitePort;

  constructor(options: { database: Database; clock: Clock; site: SitePort }) {
    this.#database = options.database;
    this.#clock = options.clock;
    this.#site = options.site;
  }

  /** Throws 1012 without a site, or 1004 and 1009 where the right went while the ticket was made. */
  async issue(order: TicketOrder): Promise<IssuedTicket> {
    const now = this.#clock.now();
    const ticket = newSecret();
    const firstUseBefore = now + TICKET_FIRST_USE_MS;
    const grant = toGrant(order, ticket, firstUseBefore);
    await insertTicket(this.#database, toRow(order, grant, now));
    try {
      // From here on the follower of revocations finds the row; what was withdrawn before is found by asking again.
      await this.#askAgain(order);
      await this.#site.call('ticket', { grants: [grant] });
    } catch (error) {
      await dropTickets(this.#database, [grant.ticketId]);
      throw error;
    }
    await this.#confirm(grant.ticketId);
    return { ticket, firstUseBefore };
  }

  async #askAgain(order: TicketOrder): Promise<void> {
    if (order.device === null) return;
    const rights = await loadRights(this.#database, this.#clock, order.principal);
    await mayDevice(this.#database, rights, order.action, {
      deviceSerial: order.device.deviceSerial,
      channelNo: order.channelNo,
    });
  }

  /** A revocation that came before the site knew the ticket has removed the row: then the ticket must not live. */
  async #confirm(ticketId: string): Promise<void> {
    if (await ticketExists(this.#database, ticketId)) return;
    await this.#site.call('revoke', { ticketIds: [ticketId], code: 1004 });
    throw new CallError('permissionDenied');
  }
}

function toGrant(order: TicketOrder, ticket: string, firstUseBefore: number): TicketGrant {
  return {
    ticketId: newId(),
    ticketHash: createHash('sha256').update(ticket).digest('hex'),
    userId: order.principal.userId,
    sessionId: order.principal.sessionId,
    kind: order.kind,
    deviceSerial: order.device?.deviceSerial ?? '',
    channelNo: order.channelNo,
    quality: order.quality,
    range: order.range,
    firstUseBefore,
    until: order.device?.decision.until ?? null,
    probeId: order.probeId,
    ...(order.transcode && { transcode: order.transcode }),
    ...(order.kind === 'talk' && { userName: order.principal.userName }),
    ...(order.exportId === undefined ? {} : { exportId: order.exportId }),
  };
}

function toRow(order: TicketOrder, grant: TicketGrant, now: number) {
  const because = order.device?.decision.because;
  return {
    ticket_id: grant.ticketId,
    ticket_hash: grant.ticketHash,
    account_id: grant.userId,
    session_id: grant.sessionId,
    kind: grant.kind,
    action: order.action,
    device_serial: grant.deviceSerial,
    channel_no: grant.channelNo,
    quality: grant.quality,
    start_time: grant.range?.startTime ?? null,
    end_time: grant.range?.endTime ?? null,
    probe_id: grant.probeId,
    share_id: because?.kind === 'grant' ? because.shareId : null,
    created_at: now,
    first_use_before: grant.firstUseBefore,
    until: grant.until,
  };
}
