// Tickets and tokens of an installation with several servers: they name the server whose machine serves them, whichever gateway is asked.

const NODE_TICKET = /^on-([0-9a-f]{24})-[\w-]{16,96}$/;

/** `nodeId`: identity of the server. The whole is what is hashed, shown and stored. */
export function ticketOn(nodeId: string, ticket: string): string {
  return `on-${nodeId}-${ticket}`;
}

/** A path of a process that serves whatever reaches it. */
export function withoutNodeTicket(path: string): string {
  return path.replace(/\/on-[0-9a-f]{24}-[\w-]+$/u, '');
}

/** Null where the machine that is asked serves it. */
export function nodeOfTicket(ticket: string): string | null {
  return NODE_TICKET.exec(ticket)?.[1] ?? null;
}
