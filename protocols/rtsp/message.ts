// Owns the bytes of RTSP 1.0 on one connection: requests, responses and `$` frames, parsed and written (RFC 2326 4-7, 10.12).

/** Bounds of one connection; a peer that exceeds them is cut off. */
export interface RtspLimits {
  /** Bytes of the first line and all header lines together. */
  readonly headBytes: number;
  readonly headerLines: number;
  readonly bodyBytes: number;
  /** Bytes between two messages that are neither a message nor a frame. */
  readonly strayBytes: number;
}

export const RTSP_LIMITS: RtspLimits = { headBytes: 16_384, headerLines: 96, bodyBytes: 131_072, strayBytes: 65_536 };

export type RtspParseErrorCode =
  | 'head-too-long'
  | 'too-many-headers'
  | 'bad-first-line'
  | 'bad-header'
  | 'bad-content-length'
  | 'body-too-long'
  | 'stray-bytes';

/** The only error the parser throws; the connection cannot be read any further. */
export class RtspParseError extends Error {
  readonly code: RtspParseErrorCode;

  constructor(code: RtspParseErrorCode) {
    super(`RTSP bytes refused: ${code}`);
    this.name = 'RtspParseError';
    this.code = code;
  }
}

/** Header lines in the order of the wire; names compare without case, a name may stand several times. */
export class RtspHeaders {
  readonly #entries: [name: string, value: string][] = [];

  static of(entries: Readonly<Record<string, string | undefined>>): RtspHeaders {
    const headers = new RtspHeaders();
    for (const [name, value] of Object.entries(entries)) if (value !== undefined) headers.append(name, value);
    return headers;
  }

  append(name: string, value: string): void {
    this.#entries.push([name, value]);
  }

  set(name: string, value: string): void {
    const wanted = name.toLowerCase();
    const found = this.#entries.find(([other]) => other.toLowerCase() === wanted);
    if (found) found[1] = value;
    else this.append(name, value);
  }

  /** The first value of that name. */
  get(name: string): string | undefined {
    const wanted = name.toLowerCase();
    return this.#entries.find(([other]) => other.toLowerCase() === wanted)?.[1];
  }

  getAll(name: string): string[] {
    const wanted = name.toLowerCase();
    return this.#entries.filter(([other]) => other.toLowerCase() === wanted).map(([, value]) => value);
  }

  entries(): readonly (readonly [name: string, value: string])[] {
    return this.#entries;
  }
}

export interface RtspRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: RtspHeaders;
  readonly body: Buffer;
}

export interface RtspResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: RtspHeaders;
  readonly body: Buffer;
}

export interface RtspSink {
  request(request: RtspRequest): void;
  response(response: RtspResponse): void;
  /** One `$` frame: payload is `buffer[start, end)`, valid only until this call returns. */
  interleaved(channel: number, buffer: Buffer, start: number, end: number): void;
}

const DOLLAR = 0x24;
const LF = 0x0a;
const CR = 0x0d;
const FIRST_RESPONSE = /^RTSP\/\d\.\d +(\d{3})(?: +(.*))?$/is;
const FIRST_REQUEST = /^([A-Z_]{3,32}) +(\S+) +RTSP\/\d\.\d$/;
const EMPTY = Buffer.alloc(0);
/** Text cut by a read goes on in pieces of this size, so that a long head is not searched once per byte. */
const TEXT_PIECE = 4096;

/**
 * Takes the bytes of one connection in any pieces. Whole frames are handed out in place; only what is cut by the
 * end of a piece is copied, so the caller may reuse its read buffer at once.
 */
export class RtspParser {
  readonly #sink: RtspSink;
  readonly #limits: RtspLimits;
  #held: Buffer = EMPTY;
  #heldLength = 0;
  #stray = 0;
  /** Held bytes of a text that are known not to end its head, so that bytes that drip are each looked at once. */
  #searched = 0;
  /** Bytes of the whole held text message; 0 while its head is not whole. */
  #textLength = 0;

  constructor(sink: RtspSink, limits: RtspLimits = RTSP_LIMITS) {
    this.#sink = sink;
    this.#limits = limits;
  }

  push(chunk: Buffer, start = 0, end: number = chunk.length): void {
    let from = start;
    while (this.#heldLength > 0 && from < end) {
      from = this.#completeHeld(chunk, from, end);
    }
    if (from < end) {
      const next = this.#consume(chunk, from, end);
      if (next < end) this.#hold(chunk, next, end);
    }
  }

  /** Adds just what the held piece lacks; answers where the caller's chunk goes on. */
  #completeHeld(chunk: Buffer, from: number, end: number): number {
    const missing = this.#missing();
    const wanted = this.#held[0] === DOLLAR ? missing : Math.max(missing, TEXT_PIECE);
    const take = Math.min(wanted, end - from);
    this.#hold(chunk, from, from + take);
    if (take < missing || !this.#isWorthParsing()) return from + take;
    const held = this.#held;
    const length = this.#heldLength;
    this.#heldLength = 0;
    this.#searched = 0;
    this.#textLength = 0;
    const next = this.#consume(held, 0, length);
    // `hold` may write over `held`, but only downwards, so the rest survives the move.
    if (next < length) this.#hold(held, next, length);
    return from + take;
  }

  /** How many bytes make the held piece worth parsing again. */
  #missing(): number {
    if (this.#held[0] !== DOLLAR) return this.#missingText();
    if (this.#heldLength < 4) return 4 - this.#heldLength;
    return 4 + this.#held.readUInt16BE(2) - this.#heldLength;
  }

  #missingText(): number {
    // Unknown until the empty line is there.
    if (this.#textLength === 0 && !this.#findHeadEnd()) return 1;
    return Math.max(1, this.#textLength - this.#heldLength);
  }

  #findHeadEnd(): boolean {
    const bodyStart = headEnd(this.#held, Math.max(0, this.#searched - 3), this.#heldLength);
    this.#searched = this.#heldLength;
    if (bodyStart < 0) return false;
    this.#textLength = bodyStart + this.#bodyLength(this.#held.toString('latin1', 0, bodyStart));
    return true;
  }

  #isWorthParsing(): boolean {
    if (this.#held[0] === DOLLAR || this.#textLength > 0 || this.#heldLength >= this.#limits.headBytes) return true;
    return this.#findHeadEnd();
  }

  /** Hands out everything complete in `[from, end)`; answers where the incomplete rest begins. */
  #consume(buffer: Buffer, from: number, end: number): number {
    let at = from;
    while (at < end) {
      const first = buffer[at] as number;
      if (first === DOLLAR) {
        if (end - at < 4) return at;
        const frameEnd = at + 4 + (((buffer[at + 2] as number) << 8) | (buffer[at + 3] as number));
        if (frameEnd > end) return at;
        this.#stray = 0;
        this.#sink.interleaved(buffer[at + 1] as number, buffer, at + 4, frameEnd);
        at = frameEnd;
      } else if (isLetter(first)) {
        const next = this.#message(buffer, at, end);
        if (next < 0) return at;
        at = next;
      } else {
        at += 1;
        if (first !== CR && first !== LF) this.#stray += 1;
        if (this.#stray > this.#limits.strayBytes) throw new RtspParseError('stray-bytes');
      }
    }
    return at;
  }

  /** Parses one text message at `at`; -1 while it is incomplete. */
  #message(buffer: Buffer, at: number, end: number): number {
    const bodyStart = headEnd(buffer, at, Math.min(end, at + this.#limits.headBytes));
    if (bodyStart < 0) {
      if (end - at >= this.#limits.headBytes) throw new RtspParseError('head-too-long');
      return -1;
    }
    const head = buffer.toString('latin1', at, bodyStart);
    const bodyEnd = bodyStart + this.#bodyLength(head);
    if (bodyEnd > end) return -1;
    this.#stray = 0;
    const { first, headers } = this.#parseHead(head);
    const body = bodyEnd > bodyStart ? Buffer.from(buffer.subarray(bodyStart, bodyEnd)) : EMPTY;
    this.#dispatch(first, headers, body);
    return bodyEnd;
  }

  #dispatch(first: string, headers: RtspHeaders, body: Buffer): void {
    const response = FIRST_RESPONSE.exec(first);
    if (response) {
      this.#sink.response({ status: Number(response[1]), reason: (response[2] ?? '').trim(), headers, body });
      return;
    }
    const request = FIRST_REQUEST.exec(first);
    if (!request) throw new RtspParseError('bad-first-line');
    this.#sink.request({ method: request[1] as string, uri: request[2] as string, headers, body });
  }

  #parseHead(head: string): { first: string; headers: RtspHeaders } {
    const lines = head.split('\n');
    if (lines.length > this.#limits.headerLines + 3) throw new RtspParseError('too-many-headers');
    const headers = new RtspHeaders();
    for (const line of lines.slice(1)) {
      const text = line.trim();
      if (text === '') continue;
      const colon = text.indexOf(':');
      // Cameras print debugging lines among their headers; a line without a name tells us nothing.
      if (colon > 0) headers.append(text.slice(0, colon).trim(), text.slice(colon + 1).trim());
    }
    return { first: (lines[0] as string).trim(), headers };
  }

  #bodyLength(head: string): number {
    const found = /^content-length[ \t]*:[ \t]*([^\r\n]*)/im.exec(head);
    if (!found) return 0;
    const text = (found[1] as string).trim();
    if (!/^\d{1,9}$/.test(text)) throw new RtspParseError('bad-content-length');
    const length = Number(text);
    if (length > this.#limits.bodyBytes) throw new RtspParseError('body-too-long');
    return length;
  }

  #hold(source: Buffer, from: number, to: number): void {
    const length = this.#heldLength + (to - from);
    if (this.#held.length < length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(2048, 1 << (32 - Math.clz32(length - 1))));
      this.#held.copy(grown, 0, 0, this.#heldLength);
      this.#held = grown;
    }
    source.copy(this.#held, this.#heldLength, from, to);
    this.#heldLength = length;
  }
}

/** Index after the empty line that ends a head, or -1. Bare LF line ends are accepted. */
function headEnd(buffer: Buffer, from: number, end: number): number {
  let at = from;
  for (;;) {
    const lf = buffer.indexOf(LF, at);
    if (lf < 0 || lf >= end) return -1;
    if (lf + 1 < end && buffer[lf + 1] === LF) return lf + 2;
    if (lf + 2 < end && buffer[lf + 1] === CR && buffer[lf + 2] === LF) return lf + 3;
    at = lf + 1;
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

/** Keeps a value from starting a new header line. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function encode(first: string, headers: RtspHeaders, body: Buffer): Buffer {
  let text = `${oneLine(first)}\r\n`;
  for (const [name, value] of headers.entries()) text += `${oneLine(name)}: ${oneLine(value)}\r\n`;
  if (body.length > 0) text += `Content-Length: ${body.length}\r\n`;
  const head = Buffer.from(`${text}\r\n`, 'latin1');
  return body.length > 0 ? Buffer.concat([head, body]) : head;
}

/** The bytes of a request; Content-Length is added from the body. */
export function encodeRtspRequest(method: string, uri: string, headers: RtspHeaders, body: Buffer = EMPTY): Buffer {
  return encode(`${method} ${uri} RTSP/1.0`, headers, body);
}

/** The bytes of a response; Content-Length is added from the body. */
export function encodeRtspResponse(status: number, reason: string, headers: RtspHeaders, body: Buffer = EMPTY): Buffer {
  return encode(`RTSP/1.0 ${status} ${reason}`, headers, body);
}

/** Writes the four bytes ahead of an interleaved frame (RFC 2326 10.12). */
export function writeInterleavedHeader(target: Buffer, at: number, channel: number, length: number): void {
  target[at] = DOLLAR;
  target[at + 1] = channel;
  target.writeUInt16BE(length, at + 2);
}
