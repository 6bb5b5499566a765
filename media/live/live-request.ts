// Parses messages of a page on /media/live; anything unknown is refused.
import { LIVE_ID_MAX, type LiveRequest } from '@vedette/contract/media-wire.ts';

const MAX_TICKET = 512;

/** Null when the text is no request. */
export function readLiveRequest(text: string): LiveRequest | null {
  const value = parseObject(text);
  if (!value) return null;
  const { type, id, ticket, audio, at } = value;
  if (type === 'ping') return typeof at === 'number' && Number.isFinite(at) ? { type, at } : null;
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 1 || id > LIVE_ID_MAX) return null;
  switch (type) {
    case 'subscribe':
      if (typeof ticket !== 'string' || ticket.length === 0 || ticket.length > MAX_TICKET) return null;
      return { type, id, ticket, audio: audio === true };
    case 'listen':
      return { type, id, audio: audio === true };
    case 'unsubscribe':
    case 'pause':
    case 'resume':
      return { type, id };
    default:
      return null;
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
