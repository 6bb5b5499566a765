// Revalidates open tickets when rights change or expire and when a site reconnects; revokes them with the code.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Logger } from 'pino';
import type { Sessions } from '../auth/sessions.ts';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { dropTickets, ticketsAt, ticketsConcerning, ticketsEndingBy } from '../database/media/media-ticket.queries.ts';
import type { RevocationRow } from '../database/access/revocation.queries.ts';
import type { MediaTicketRow } from '../database/schema/schema.ts';
import { isInside } from '../site-link/inside-site.ts';
import { mergedWork } from '../site-link/merged-work.ts';
import type { SitePort, SitesPort } from '../site-link/site-port.ts';
import { TicketCheck } from './ticket-check.ts';

/** Looks for rights that ended by time this often. */
const ROUND_MS = 500;
/** Compares the table with what the site still holds this often. */
const SWEEP_EVERY_ROUNDS = 120;
/** A ticket that is being made has its row before the site has it. Every call ends within ten seconds, and with it the making. */
const MAKING_MS = 10_000;

export interface TicketRevalidatorOptions {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly site: SitesPort;
}

/** At a remote site: these tickets; null: all that it holds, compared. */
type FarCheck = readonly MediaTicketRow[] | null;

export class TicketRevalidator {
  readonly #options: TicketRevalidatorOptions;
  /** Each remote site has a queue of its own, so that a slow one does not delay revocations at others. */
  readonly #farChecks = new Map<string, (check: FarCheck) => void>();
  #cancelRound: (() => void) | null = null;
  #rounds = 0;
  #isClosed = false;
  /** Counts what was withdrawn. */
  #withdrawals = 0;
  /** How many there were when the tickets of a site were last compared. */
  readonly #comparedAt = new Map<string, number>();

  constructor(options: TicketRevalidatorOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancelRound = this.#options.clock.after(ROUND_MS, () => {
      this.#rounds += 1;
      this.#round().then(
        () => this.#restart(),
        (error: unknown) => {
          this.#options.log.warn({ err: error }, 'open tickets could not be checked; the next round tries again');
          this.#restart();
        },
      );
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRound?.();
  }

  async applyRevocations(rows: readonly RevocationRow[]): Promise<void> {
    this.#withdrawals += 1;
    const accountIds = [...new Set(rows.flatMap((row) => (row.accountId === null ? [] : [row.accountId])))];
    const deviceSerials = [...new Set(rows.flatMap((row) => (row.deviceSerial === null ? [] : [row.deviceSerial])))];
    if (accountIds.length === 0 && deviceSerials.length === 0) return;
    await this.#check(await ticketsConcerning(this.#options.database, { accountIds, deviceSerials }));
  }

  /** On connect: what the site still holds is checked anew, what it holds and we don't know is ended, what it lost is forgotten. */
  async reconcile(siteId: string, site: SitePort): Promise<void> {
    const { database, clock } = this.#options;
    const startedAt = clock.wallMs();
    const withdrawals = this.#withdrawals;
    const held = new Set((await site.call('tickets', {})).ticketIds);
    const rows = await ticketsAt(database, siteId);
    const known = new Set(rows.map((row) => row.ticket_id));
    const unknown = [...held].filter((ticketId) => !known.has(ticketId));
    if (unknown.length > 0) await site.call('revoke', { ticketIds: unknown, code: ERROR_CODES.tokenInvalid });
    const isLost = (row: MediaTicketRow) => !held.has(row.ticket_id) && row.created_at < startedAt - MAKING_MS;
    await dropTickets(
      database,
      rows.filter(isLost).map((row) => row.ticket_id),
    );
    await this.#checkAt(
      site,
      rows.filter((row) => held.has(row.ticket_id)),
    );
    this.#comparedAt.set(siteId, withdrawals);
  }

  /** Once a site is among those that are told: what was withdrawn after its tickets were looked at was told to others alone. */
  async connected(siteId: string, site: SitePort): Promise<void> {
    if (this.#comparedAt.get(siteId) !== this.#withdrawals) await this.reconcile(siteId, site);
  }

  #restart(): void {
    if (!this.#isClosed) this.start();
  }

  async #round(): Promise<void> {
    const { database, clock, site: sites } = this.#options;
    if (this.#rounds % SWEEP_EVERY_ROUNDS !== 0)
      return await this.#check(await ticketsEndingBy(database, clock.wallMs()));
    const linked = sites.linked();
    for (const { siteId } of linked) if (!isInside(siteId)) this.#checkFar(siteId, null);
    const inside = linked.find(({ siteId }) => isInside(siteId));
    if (inside !== undefined) await this.reconcile(inside.siteId, inside.site);
  }

  /** Each server does so for the sites that it has. Without their site the rows stay: it asks about its tickets as soon as it is back. */
  async #check(tickets: readonly MediaTicketRow[]): Promise<void> {
    const bySite = Map.groupBy(tickets, (ticket) => ticket.site_id);
    const reached = this.#options.site.linked().filter(({ siteId }) => bySite.has(siteId));
    for (const { siteId } of reached) if (!isInside(siteId)) this.#checkFar(siteId, bySite.get(siteId) ?? []);
    const inside = reached.find(({ siteId }) => isInside(siteId));
    if (inside !== undefined) await this.#checkAt(inside.site, bySite.get(inside.siteId) ?? []);
  }

  #checkFar(siteId: string, check: FarCheck): void {
    const known = this.#farChecks.get(siteId);
    const begin = known ?? mergedWork<FarCheck>((next) => this.#tryFar(siteId, next), joined);
    if (known === undefined) this.#farChecks.set(siteId, begin);
    begin(check);
  }

  async #tryFar(siteId: string, check: FarCheck): Promise<void> {
    const site = this.#options.site.at(siteId);
    if (!site.isOnline()) return;
    try {
      if (check === null) await this.reconcile(siteId, site);
      else await this.#checkAt(site, check);
    } catch (error) {
      const fields = error instanceof CallError ? { code: error.code } : { err: error };
      this.#options.log.warn({ siteId, ...fields }, 'the tickets of a far site could not be checked');
    }
  }

  async #checkAt(site: SitePort, tickets: readonly MediaTicketRow[]): Promise<void> {
    const ended: { ticketId: string; code: number }[] = [];
    const check = new TicketCheck(this.#options);
    for (const ticket of tickets) {
      const code = await check.endCodeOf(ticket);
      if (code !== null) ended.push({ ticketId: ticket.ticket_id, code });
    }
    for (const [code, list] of Map.groupBy(ended, (one) => one.code)) {
      const ticketIds = list.map((one) => one.ticketId);
      if (!(await this.#revoke(site, ticketIds, code))) return;
      await dropTickets(this.#options.database, ticketIds);
    }
  }

  async #revoke(site: SitePort, ticketIds: readonly string[], code: number): Promise<boolean> {
    try {
      await site.call('revoke', { ticketIds, code });
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      this.#options.log.warn({ code: error.code }, 'the site could not be told of ended tickets');
      return false;
    }
  }
}

/** Few tickets are checked as they are told; of more than fit, all of the site. */
const JOINED_MAX = 1000;

function joined(held: FarCheck, next: FarCheck): FarCheck {
  if (held === null || next === null || held.length + next.length > JOINED_MAX) return null;
  return [...new Map([...held, ...next].map((ticket) => [ticket.ticket_id, ticket])).values()];
}
