// What this browser learned about its transports, kept over reloads for a while.
import type { TransportKind } from './transport.ts';

export interface TransportMemory {
  /** So many tiles may use WebCodecs here, and when that was learned; null where nothing was learned. */
  readonly quickTiles: { readonly count: number; readonly at: number } | null;
  readonly socketBlockedAt: number | null;
  readonly failures: readonly TransportFailure[];
}

export interface TransportFailure {
  readonly kind: TransportKind;
  /** RFC 6381 string of the stream; for `webrtc` the site. */
  readonly codec: string;
  readonly at: number;
}

/** The part of localStorage that is used. */
export interface MemoryStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export const NOTHING_LEARNED: TransportMemory = { quickTiles: null, socketBlockedAt: null, failures: [] };

const KEY = 'vedette.player';
/** Raised when the meaning of what is kept changes. */
const VERSION = 1;
/** After so long everything is tried again, ms: drivers, networks and loads change. */
const KEPT_MS = 10 * 60_000;

/** What was kept by an earlier page; nothing where another version or a stranger wrote it. */
export function recall(store: MemoryStore | null): TransportMemory {
  return parse(store?.getItem(KEY) ?? null) ?? NOTHING_LEARNED;
}

/** What is still worth knowing at `now`. */
export function freshOf(memory: TransportMemory, now: number): TransportMemory {
  const isFresh = (at: number): boolean => at <= now && now - at < KEPT_MS;
  const { quickTiles, socketBlockedAt, failures } = memory;
  return {
    quickTiles: quickTiles && isFresh(quickTiles.at) ? quickTiles : null,
    socketBlockedAt: socketBlockedAt !== null && isFresh(socketBlockedAt) ? socketBlockedAt : null,
    failures: failures.filter(({ at }) => isFresh(at)),
  };
}

export function remember(store: MemoryStore | null, memory: TransportMemory): void {
  try {
    store?.setItem(KEY, JSON.stringify({ version: VERSION, ...memory }));
  } catch (error) {
    // A full or forbidden store costs a new measurement after the next reload, nothing else.
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Null where the browser keeps none for this page. */
export function browserStore(): MemoryStore | null {
  try {
    return globalThis.localStorage ?? null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function parse(text: string | null): TransportMemory | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<TransportMemory> & { readonly version?: unknown };
    if (value.version !== VERSION || !Array.isArray(value.failures)) return null;
    return {
      quickTiles: value.quickTiles ?? null,
      socketBlockedAt: value.socketBlockedAt ?? null,
      failures: value.failures,
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
