// Parses what the engine sends on /media/live: the 12-byte header of media and the JSON of notices (contract/media-wire.ts).
import { LIVE_FLAG_KEY, LIVE_HEADER_BYTES, LIVE_KIND, type LiveNotice } from '@vedette/contract/media-wire.ts';

export type LiveMediaKind = keyof typeof LIVE_KIND;

export interface LiveMedia {
  readonly kind: LiveMediaKind;
  readonly isKey: boolean;
  readonly id: number;
  /** Wall clock of capture, ms since 1970 UTC. */
  readonly wallMs: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

const KIND_BY_NUMBER = new Map<number, LiveMediaKind>(
  (Object.entries(LIVE_KIND) as [LiveMediaKind, number][]).map(([name, number]) => [number, name]),
);

/** Null for a message that is cut or of a kind this build does not know: newer engines may send more. */
export function readLiveMedia(message: ArrayBuffer): LiveMedia | null {
  if (message.byteLength < LIVE_HEADER_BYTES) return null;
  const view = new DataView(message);
  const kind = KIND_BY_NUMBER.get(view.getUint8(0));
  if (!kind) return null;
  return {
    kind,
    isKey: (view.getUint8(1) & LIVE_FLAG_KEY) !== 0,
    id: view.getUint16(2),
    wallMs: view.getFloat64(4),
    payload: new Uint8Array(message, LIVE_HEADER_BYTES),
  };
}

const NOTICE_TYPES: ReadonlySet<string> = new Set(['format', 'state', 'skipped', 'tracks', 'end', 'pong']);

/** Null for text that is not a notice of this wire. */
export function readLiveNotice(text: string): LiveNotice | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  if (typeof value.type !== 'string' || !NOTICE_TYPES.has(value.type)) return null;
  // The engine is ours and of the same build; the fields behind a known type are trusted.
  return value as LiveNotice;
}
