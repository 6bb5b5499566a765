// Addresses of SRT servers that take streams: `srt://host:port?streamid=…&latency=…`, as ffmpeg and OBS write them.

export interface SrtAddress {
  readonly host: string;
  readonly port: number;
  /** Empty: none is told. */
  readonly streamId: string;
  /** Milliseconds; null: the server's. */
  readonly latencyMs: number | null;
  /** Bytes of the key, where a passphrase is used. */
  readonly keyBytes: 16 | 24 | 32;
}

/** What the protocol allows. */
export const SRT_PASSPHRASE = { least: 10, most: 79 } as const;

const ADDRESS = /^srt:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})\/?(?:\?(.*))?$/u;
/** SRT tells it in a field of so many bytes. */
const STREAM_ID_BYTES = 512;
const LATENCY_MAX_MS = 10_000;
const KEY_BYTES = [16, 24, 32] as const;

/** Null for anything else, and for options that we do not know. A `#` may stand as it is, since stream ids begin with one. */
export function parseSrtAddress(address: string): SrtAddress | null {
  const [, host = '', digits = '', query = ''] = ADDRESS.exec(address) ?? [];
  const options = optionsOf(query);
  const port = Number(digits);
  return options !== null && isPort(port) ? addressOf(host, port, options) : null;
}

function addressOf(host: string, port: number, options: Options): SrtAddress | null {
  const { mode = 'caller', streamid: streamId = '', latency = '', pbkeylen = '16' } = options;
  const keyBytes = KEY_BYTES.find((bytes) => String(bytes) === pbkeylen);
  const isUsual = mode === 'caller' && isStreamId(streamId) && isLatency(latency);
  if (!isUsual || keyBytes === undefined) return null;
  return { host, port, streamId, keyBytes, latencyMs: latency === '' ? null : Number(latency) };
}

type Options = Partial<Record<'mode' | 'streamid' | 'latency' | 'pbkeylen', string>>;
const NAMES: ReadonlySet<string> = new Set(['mode', 'streamid', 'latency', 'pbkeylen']);

function optionsOf(query: string): Options | null {
  const found: Record<string, string> = {};
  for (const part of query === '' ? [] : query.split('&')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at));
    const value = decoded(part.slice(at + 1));
    if (!NAMES.has(name) || name in found || value === null) return null;
    found[name] = value;
  }
  return found;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** A line of its own where it is handed over. */
function isStreamId(text: string): boolean {
  return /^[!-~]*$/u.test(text) && text.length <= STREAM_ID_BYTES;
}

function isLatency(text: string): boolean {
  return /^\d{0,5}$/u.test(text) && Number(text) <= LATENCY_MAX_MS;
}
