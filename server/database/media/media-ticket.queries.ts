// Reads and writes media tickets with the right each depends on, so that it can be revalidated.
import type { Database } from '../connection.ts';
import type { MediaTicketRow } from '../schema/schema.ts';

export async function insertTicket(database: Database, ticket: MediaTicketRow): Promise<void> {
  await database.insertInto('media_ticket').values(ticket).execute();
}

export async function ticketExists(database: Database, ticketId: string): Promise<boolean> {
  const row = await database
    .selectFrom('media_ticket')
    .select('ticket_id')
    .where('ticket_id', '=', ticketId)
    .executeTakeFirst();
  return row !== undefined;
}

export function ticketsConcerning(
  database: Database,
  which: { accountIds: readonly string[]; deviceSerials: readonly string[] },
): Promise<MediaTicketRow[]> {
  return database
    .selectFrom('media_ticket')
    .selectAll()
    .where((where) =>
      where.or([
        ...(which.accountIds.length === 0 ? [] : [where('account_id', 'in', [...which.accountIds])]),
        ...(which.deviceSerials.length === 0 ? [] : [where('device_serial', 'in', [...which.deviceSerials])]),
      ]),
    )
    .execute();
}

export function ticketsAt(database: Database, siteId: string): Promise<MediaTicketRow[]> {
  return database.selectFrom('media_ticket').selectAll().where('site_id', '=', siteId).execute();
}

/** Tickets whose right ends up to `now`. */
export function ticketsEndingBy(database: Database, now: number): Promise<MediaTicketRow[]> {
  return database.selectFrom('media_ticket').selectAll().where('until', '<=', now).execute();
}

export async function dropTickets(database: Database, ticketIds: readonly string[]): Promise<void> {
  if (ticketIds.length === 0) return;
  await database
    .deleteFrom('media_ticket')
    .where('ticket_id', 'in', [...ticketIds])
    .execute();
}
