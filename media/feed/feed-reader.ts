// Reads frames of the feed from a byte stream: messages as JSON, units piece by piece into memory of whoever wants them.
import { ACCESS_UNIT_LIMIT } from '@vedette/protocols/rtp/unit-arena.ts';
import {
  decodeUnitHead,
  FRAME_KIND,
  MESSAGE_MAX_BYTES,
  PREFIX_BYTES,
  UNIT_HEAD_BYTES,
  type UnitHead,
} from './feed-wire.ts';

/** Takes the data of one unit. */
export interface UnitTarget {
  /** `bytes` may be overwritten after the call. */
  append(bytes: Buffer, from: number, to: number): void;
  /** All of it was appended. */
  finish(head: UnitHead): void;
}

export interface FeedSink {
  message(message: unknown): void;
  /** Where the unit's data go; null: nowhere. */
  unit(head: UnitHead): UnitTarget | null;
}

/** The other side sent what no frame is; nothing after it can be read. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
}

const LENGTH_BYTES = 4;

export class FeedReader {
  readonly #sink: FeedSink;
  readonly #head = Buffer.alloc(UNIT_HEAD_BYTES);
  #headFilled = 0;
  #headBytes = PREFIX_BYTES;
  /** Bytes of the body that are still to come; 0 while a head is read. */
  #missing = 0;
  #unit: UnitHead | null = null;
  #target: UnitTarget | null = null;
  #message: Buffer[] = [];

  constructor(sink: FeedSink) {
    this.#sink = sink;
  }

  /**
   * In the order in which they came, cut anywhere; `bytes` may be overwritten after the call.
   * @throws FeedError
   */
  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) at = this.#missing === 0 ? this.#readHead(bytes, at) : this.#readBody(bytes, at);
  }

  #readHead(bytes: Buffer, at: number): number {
    const count = Math.min(this.#headBytes - this.#headFilled, bytes.length - at);
    bytes.copy(this.#head, this.#headFilled, at, at + count);
    this.#headFilled += count;
    if (this.#headFilled < this.#headBytes) return at + count;
    if (this.#headBytes === PREFIX_BYTES) this.#beginFrame();
    else this.#beginUnit();
    return at + count;
  }

  #beginFrame(): void {
    const body = this.#head.readUInt32BE(0) + LENGTH_BYTES - PREFIX_BYTES;
    const kind = this.#head[LENGTH_BYTES];
    const unitBytes = body + PREFIX_BYTES - UNIT_HEAD_BYTES;
    if (kind === FRAME_KIND.unit && unitBytes > 0 && unitBytes <= ACCESS_UNIT_LIMIT) this.#headBytes = UNIT_HEAD_BYTES;
    else if (kind === FRAME_KIND.message && body > 0 && body <= MESSAGE_MAX_BYTES) this.#beginBody(body);
    else throw new FeedError(`no frame of kind ${kind} has ${body} bytes`);
  }

  #beginUnit(): void {
    this.#unit = decodeUnitHead(this.#head);
    this.#target = this.#sink.unit(this.#unit);
    this.#beginBody(this.#head.readUInt32BE(0) + LENGTH_BYTES - UNIT_HEAD_BYTES);
  }

  #beginBody(bytes: number): void {
    this.#missing = bytes;
    this.#headFilled = 0;
    this.#headBytes = PREFIX_BYTES;
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#missing);
    if (this.#unit) this.#target?.append(bytes, at, end);
    else this.#message.push(Buffer.from(bytes.subarray(at, end)));
    this.#missing -= end - at;
    if (this.#missing === 0) this.#finish();
    return end;
  }

  #finish(): void {
    const unit = this.#unit;
    const target = this.#target;
    this.#unit = null;
    this.#target = null;
    if (unit) target?.finish(unit);
    else this.#sink.message(this.#takeMessage());
  }

  #takeMessage(): unknown {
    const text = Buffer.concat(this.#message).toString();
    this.#message = [];
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new FeedError('a message is no JSON', { cause: error });
    }
  }
}
