// Parses messages of the server; anything unknown is refused.
import type { ServerToSite } from '@vedette/contract/site/site.ts';

/** Null when the text is no message of this wire. */
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
  if (type === 'ack') return 'seq' in value && typeof value.seq === 'number' ? (value as ServerToSite) : null;
  const isCall = type === 'call' && 'id' in value && 'name' in value && typeof value.name === 'string';
  return isCall ? (value as ServerToSite) : null;
}
