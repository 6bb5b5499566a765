// Turns RTP payloads into audio frames: AAC-hbr (RFC 3640 3.3.6), G.711 (RFC 3551 4.5.14) and Opus (RFC 7587 4.2).
import type { AuHeaderSizes } from '../sdp/parameter-sets.ts';
import type { RtpPayload } from './packet.ts';
import type { Depacketiser, DepacketiserSink } from './picture-assembler.ts';
import type { UnitArena } from './unit-arena.ts';

const FRAME_LIMIT = 65_536;

/** G.711 and Opus: a payload is a frame. */
export class PlainAudioDepacketiser implements Depacketiser {
  readonly #arena: UnitArena;
  readonly #sink: DepacketiserSink;

  constructor(arena: UnitArena, sink: DepacketiserSink) {
    this.#arena = arena;
    this.#sink = sink;
  }

  gap(): void {
    // Frames stand alone.
  }

  packet(buffer: Buffer, { payloadStart, payloadEnd, timestamp }: RtpPayload): void {
    if (payloadEnd <= payloadStart) return;
    this.#arena.append(buffer, payloadStart, payloadEnd);
    this.#sink.accessUnit(this.#arena.finish(), timestamp, true, this.#arena.slab);
  }
}

/** MPEG4-GENERIC: several frames in a packet, or one frame over several packets. */
export class AacDepacketiser implements Depacketiser {
  readonly #arena: UnitArena;
  readonly #sink: DepacketiserSink;
  readonly #sizes: AuHeaderSizes;
  readonly #samplesPerFrame: number;
  /** Bytes the open frame still lacks. */
  #missing = 0;
  #timestamp = 0;

  constructor(arena: UnitArena, sink: DepacketiserSink, sizes: AuHeaderSizes, samplesPerFrame: number) {
    this.#arena = arena;
    this.#sink = sink;
    this.#sizes = sizes;
    this.#samplesPerFrame = samplesPerFrame;
  }

  gap(): void {
    if (this.#missing > 0) this.#drop('lost-packets');
  }

  packet(buffer: Buffer, payload: RtpPayload): void {
    const { payloadStart: start, payloadEnd: end } = payload;
    if (end - start < 2) return;
    const headerBits = ((buffer[start] as number) << 8) | (buffer[start + 1] as number);
    const dataStart = dataStartOf(start, headerBits);
    if (headerBits < this.#sizes.sizeLength || dataStart > end) {
      this.#drop('bad-payload');
      return;
    }
    const firstSize = readBits(buffer, start + 2, 0, this.#sizes.sizeLength);
    if (this.#missing > 0 || firstSize > end - dataStart) this.#piece(buffer, payload, dataStart, firstSize);
    else this.#frames(buffer, payload, headerBits);
    if (payload.marker && this.#missing > 0) this.#drop('bad-payload');
  }

  #frames(buffer: Buffer, { payloadStart, payloadEnd: end, timestamp }: RtpPayload, headerBits: number): void {
    const { sizeLength, indexLength, indexDeltaLength } = this.#sizes;
    const headers = payloadStart + 2;
    let at = dataStartOf(payloadStart, headerBits);
    let bit = 0;
    let count = 0;
    while (bit + sizeLength <= headerBits) {
      const size = readBits(buffer, headers, bit, sizeLength);
      bit += sizeLength + (count === 0 ? indexLength : indexDeltaLength);
      if (size === 0 || at + size > end) {
        this.#drop('bad-payload');
        return;
      }
      this.#arena.append(buffer, at, at + size);
      const time = (timestamp + count * this.#samplesPerFrame) >>> 0;
      this.#sink.accessUnit(this.#arena.finish(), time, true, this.#arena.slab);
      at += size;
      count += 1;
    }
  }

  #piece(buffer: Buffer, { payloadEnd: end, timestamp }: RtpPayload, from: number, size: number): void {
    if (this.#missing > 0 && timestamp !== this.#timestamp) this.#drop('lost-packets');
    if (this.#missing === 0) {
      if (size > FRAME_LIMIT) {
        this.#drop('too-large');
        return;
      }
      this.#missing = size;
      this.#timestamp = timestamp;
    }
    const take = Math.min(this.#missing, end - from);
    this.#arena.append(buffer, from, from + take);
    this.#missing -= take;
    if (this.#missing === 0) this.#sink.accessUnit(this.#arena.finish(), timestamp, true, this.#arena.slab);
  }

  #drop(reason: 'lost-packets' | 'bad-payload' | 'too-large'): void {
    this.#missing = 0;
    this.#arena.truncate(0);
    this.#sink.damaged(reason);
  }
}

/** Behind the AU headers, which fill whole bytes. */
function dataStartOf(payloadStart: number, headerBits: number): number {
  return payloadStart + 2 + ((headerBits + 7) >> 3);
}

function readBits(buffer: Buffer, from: number, bit: number, count: number): number {
  let value = 0;
  for (let i = bit; i < bit + count; i++) {
    value = value * 2 + ((((buffer[from + (i >> 3)] ?? 0) as number) >> (7 - (i & 7))) & 1);
  }
  return value;
}
