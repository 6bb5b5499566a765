// Parses messages of a page on /media/live; anything unknown is refused.
import { LIVE_ID_MAX, type LiveRequest } from '@vedette/contract/media-wire.ts';

const MAX_TICKET = 512;

/** Null when the text is no request. */
export function readLiveRequest(text: string): LiveRequest | null {
  const value = parseObject(text);
  if (!value) return null;
  const { type, id, ticket, audio, tracks, at } = value;
  if (type === 'ping') return isTime(at) ? { type, at } : null;
  if (!isLiveId(id)) return null;
  switch (type) {
    case 'subscribe':
      return isTicketText(ticket) ? { type, id, ticket, audio: audio === true } : null;
    case 'listen':
      return { type, id, audio: audio === true };
    case 'follow':
      return { type, id, tracks: tracks === true };
    default:
      return isBareType(type) ? { type, id } : null;
  }
}

function isBareType(type: unknown): type is 'unsubscribe' | 'pause' | 'resume' {
  return type === 'unsubscribe' || type === 'pause' || type === 'resume';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isLiveId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LIVE_ID_MAX;
}

function isTicketText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TICKET;
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
