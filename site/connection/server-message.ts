// Parses messages of the server; anything unknown is refused.
import type { ServerToSite } from '@vedette/contract/site/site.ts';

/** Null for text that is no valid message. */
export function readServerMessage(text: string): ServerToSite | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  const { type } = value;
  const isKnown = (type === 'ack' && isAcknowledgement(value)) || (type === 'call' && isCall(value));
  return isKnown ? (value as ServerToSite) : null;
}

function isAcknowledgement(value: object): boolean {
  return 'seq' in value && typeof value.seq === 'number';
}

function isCall(value: object): boolean {
  return 'id' in value && 'name' in value && typeof value.name === 'string';
}
