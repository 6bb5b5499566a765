// Reads what a page says on /media/talk.
import type { TalkRequest } from '@vedette/contract/talk-wire.ts';

const TICKET_MAX = 512;

/** Null for anything else. */
export function readTalkRequest(text: string): TalkRequest | null {
  const { type, ticket, sdp } = fieldsOf(text);
  if (type === 'open' && typeof ticket === 'string' && ticket.length > 0 && ticket.length <= TICKET_MAX) {
    return { type, ticket };
  }
  return type === 'offer' && typeof sdp === 'string' ? { type, sdp } : null;
}

function fieldsOf(text: string): Partial<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as Partial<Record<string, unknown>> | null) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
