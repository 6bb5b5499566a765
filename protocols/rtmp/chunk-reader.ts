// Puts RTMP messages together from chunks (Adobe RTMP 1.0, 5.3), in whatever pieces they arrive.
import { DEFAULT_CHUNK_BYTES, EXTENDED_TIMESTAMP } from './chunk-writer.ts';
import { RTMP_MESSAGE } from './message-types.ts';
import { RtmpError } from './rtmp-error.ts';

export interface ReadMessage {
  readonly type: number;
  readonly stream: number;
  /** Milliseconds, modulo 2^32. */
  readonly timestampMs: number;
  readonly payload: Buffer;
}

/** What is known of a chunk stream, which later headers leave out. */
interface ChunkStream {
  readonly timestampMs: number;
  readonly deltaMs: number;
  readonly isExtended: boolean;
  readonly length: number;
  readonly type: number;
  readonly stream: number;
  /** Of the message that is not whole yet. */
  readonly parts: readonly Buffer[];
  readonly received: number;
}

interface ChunkHeader extends ChunkStream {
  readonly bytes: number;
}

/** A server that receives a stream answers with commands alone. */
const MOST_MESSAGE_BYTES = 65_536;
const MOST_CHUNK_STREAMS = 64;
const HEADER_BYTES = [11, 7, 3, 0] as const;
const NEW_STREAM: ChunkStream = {
  timestampMs: 0,
  deltaMs: 0,
  isExtended: false,
  length: 0,
  type: 0,
  stream: 0,
  parts: [],
  received: 0,
};

export class ChunkReader {
  readonly #streams = new Map<number, ChunkStream>();
  readonly #mostBytes: number;
  #pending: Buffer = Buffer.alloc(0);
  #chunkBytes = DEFAULT_CHUNK_BYTES;

  /** @param mostBytes a longer message is refused */
  constructor(mostBytes = MOST_MESSAGE_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** The messages that are whole now; follows changes of the chunk size itself. Throws RtmpError `protocol`. */
  push(bytes: Buffer): ReadMessage[] {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    const messages: ReadMessage[] = [];
    for (;;) {
      const size = this.#readChunk(messages);
      if (size === 0) break;
      this.#pending = this.#pending.subarray(size);
    }
    // The rest of a read is small: nothing else of it stays in memory.
    this.#pending = Buffer.from(this.#pending);
    return messages;
  }

  /** How many bytes the next chunk took; 0 while it is not whole. */
  #readChunk(messages: ReadMessage[]): number {
    const basic = basicHeader(this.#pending);
    if (basic === null) return 0;
    const known = this.#streams.get(basic.chunkStream);
    const header = messageHeader(this.#pending, basic, known ?? NEW_STREAM);
    if (header === null) return 0;
    if (header.length > this.#mostBytes) throw new RtmpError('protocol', `a message of ${header.length} bytes`);
    if (known === undefined && this.#streams.size >= MOST_CHUNK_STREAMS)
      throw new RtmpError('protocol', 'too many chunk streams');
    const count = Math.min(this.#chunkBytes, header.length - header.received);
    const end = header.bytes + count;
    if (this.#pending.length < end) return 0;
    const parts = [...header.parts, Buffer.from(this.#pending.subarray(header.bytes, end))];
    const received = header.received + count;
    const isWhole = received === header.length;
    this.#streams.set(
      basic.chunkStream,
      isWhole ? { ...header, parts: [], received: 0 } : { ...header, parts, received },
    );
    if (isWhole) this.#deliver(messages, header, Buffer.concat(parts));
    return end;
  }

  #deliver(messages: ReadMessage[], { type, stream, timestampMs }: ChunkHeader, payload: Buffer): void {
    messages.push({ type, stream, timestampMs, payload });
    if (payload.length < 4) return;
    if (type === RTMP_MESSAGE.abort) {
      const aborted = this.#streams.get(payload.readUInt32BE(0));
      if (aborted) this.#streams.set(payload.readUInt32BE(0), { ...aborted, parts: [], received: 0 });
    }
    if (type !== RTMP_MESSAGE.setChunkSize) return;
    const size = payload.readUInt32BE(0);
    if (size === 0 || size > 0x7fffffff) throw new RtmpError('protocol', `chunks of ${size} bytes`);
    this.#chunkBytes = size;
  }
}

interface BasicHeader {
  readonly format: number;
  readonly chunkStream: number;
  readonly bytes: number;
}

/** 5.3.1.1: one byte, or two or three for the chunk streams above 63. */
function basicHeader(bytes: Buffer): BasicHeader | null {
  const [first, second, third] = bytes;
  if (first === undefined) return null;
  const format = first >> 6;
  const low = first & 63;
  if (low > 1) return { format, chunkStream: low, bytes: 1 };
  if (second === undefined) return null;
  if (low === 0) return { format, chunkStream: 64 + second, bytes: 2 };
  return third === undefined ? null : { format, chunkStream: 64 + second + third * 256, bytes: 3 };
}

/** 5.3.1.2: what a shorter header leaves out stays as it was. */
function messageHeader(bytes: Buffer, basic: BasicHeader, known: ChunkStream): ChunkHeader | null {
  const at = basic.bytes;
  const own = HEADER_BYTES[basic.format as 0 | 1 | 2 | 3];
  if (bytes.length < at + own) return null;
  const field = own > 0 ? bytes.readUIntBE(at, 3) : 0;
  const isExtended = own > 0 ? field === EXTENDED_TIMESTAMP : known.isExtended;
  const size = at + own + (isExtended ? 4 : 0);
  if (bytes.length < size) return null;
  const time = isExtended ? bytes.readUInt32BE(at + own) : field;
  if (known.received > 0) {
    if (basic.format !== 3) throw new RtmpError('protocol', 'a message begins within another');
    return { ...known, bytes: size };
  }
  const sized = own >= 7 ? { length: bytes.readUIntBE(at + 3, 3), type: bytes.readUInt8(at + 6) } : {};
  const placed = own === 11 ? { stream: bytes.readUInt32LE(at + 7) } : {};
  return { ...known, ...timesOf(basic.format, time, known), ...sized, ...placed, isExtended, bytes: size };
}

function timesOf(format: number, time: number, known: ChunkStream): Pick<ChunkStream, 'timestampMs' | 'deltaMs'> {
  if (format === 0) return { timestampMs: time, deltaMs: time };
  const deltaMs = format === 3 ? known.deltaMs : time;
  return { timestampMs: (known.timestampMs + deltaMs) >>> 0, deltaMs };
}
