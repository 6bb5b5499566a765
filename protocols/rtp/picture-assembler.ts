// Joins the NAL units of one access unit, whichever RTP packets brought them, into length-prefixed form.
import type { RtpPayload } from './packet.ts';
import type { Slab } from './slab-pool.ts';
import type { UnitArena } from './unit-arena.ts';

/** Why an access unit was not delivered. `foreign-codec`: the payload is of another codec than the description says. */
export type DamageReason = 'lost-packets' | 'too-large' | 'bad-payload' | 'marker' | 'foreign-codec';

export interface DepacketiserSink {
  /** `data` belongs to the receiver, or where it lies in a `slab` to whoever holds that; `timestamp` is the 32-bit RTP time. */
  accessUnit(data: Buffer, timestamp: number, isKey: boolean, slab?: Slab): void;
  /** A parameter set in the stream; the bytes are valid only until the call returns. */
  parameterSet(nal: Uint8Array): void;
  /** An access unit was left out. */
  damaged(reason: DamageReason): void;
}

export interface Depacketiser {
  packet(buffer: Buffer, payload: RtpPayload): void;
  /** Packets before the next one are missing. */
  gap(): void;
  /** The header extension of the next packet. */
  extension?(profile: number, bytes: Uint8Array): void;
}

/** What the assembler must know of a codec. */
export interface NalGrammar {
  /** By the first byte of a NAL unit. */
  typeOf(first: number): number;
  isPicture(type: number): boolean;
  isParameterSet(type: number): boolean;
  /** Delimiters, filler and end marks, which no sample may carry or need not. */
  isLeftOut(type: number): boolean;
  isKey(type: number): boolean;
  /** Whether the slice at `at` is the first of its picture. */
  isFirstSlice(buffer: Uint8Array, at: number, end: number): boolean;
  /** Messages that may say that decoding can begin here without a key slice. */
  mayMarkRecovery(type: number): boolean;
  /** Whether a finished unit with such a message, but no key slice, can be decoded from here on. */
  isRecovery(data: Uint8Array): boolean;
}

export class PictureAssembler {
  readonly #grammar: NalGrammar;
  readonly #arena: UnitArena;
  readonly #sink: DepacketiserSink;
  #open = false;
  #timestamp = 0;
  #lastTimestamp = -1;
  #hasPicture = false;
  #isKey = false;
  #mayRecover = false;
  #damage: DamageReason | null = null;
  #afterGap = false;
  #trustsMarker = true;
  /** Where the length field of the fragmented unit stands; -1 when none is open. */
  #fragmentAt = -1;

  constructor(grammar: NalGrammar, arena: UnitArena, sink: DepacketiserSink) {
    this.#grammar = grammar;
    this.#arena = arena;
    this.#sink = sink;
  }

  /** Must come before the units of every packet. */
  begin(timestamp: number): void {
    if (this.#open && timestamp !== this.#timestamp) this.#finish();
    if (this.#open) return;
    this.#open = true;
    this.#timestamp = timestamp;
  }

  /** Must come after the units of every packet. */
  end(marker: boolean): void {
    if (marker && this.#trustsMarker && (this.#hasPicture || this.#damage !== null)) this.#finish();
  }

  gap(): void {
    if (this.#open && (this.#hasPicture || this.#arena.length > 0 || this.#fragmentAt >= 0))
      this.damage('lost-packets');
    this.#afterGap = true;
  }

  /** The open unit will not be delivered. */
  damage(reason: DamageReason): void {
    this.#damage ??= reason;
    this.#fragmentAt = -1;
    this.#arena.truncate(0);
  }

  /** One whole NAL unit. */
  unit(buffer: Uint8Array, start: number, end: number): void {
    if (end <= start) return;
    const type = this.#grammar.typeOf(buffer[start] as number);
    if (!this.#accept(type, buffer, start, end)) return;
    if (this.#grammar.isParameterSet(type)) this.#sink.parameterSet(buffer.subarray(start, end));
    else if (!this.#grammar.isLeftOut(type)) {
      this.#arena.append32(end - start);
      this.#arena.append(buffer, start, end);
      this.#checkSize();
    }
  }

  /** The first piece of a fragmented unit: its rebuilt NAL header (one or two bytes), then the piece. */
  firstPiece(header: Uint8Array, buffer: Uint8Array, start: number, end: number): void {
    if (this.#fragmentAt >= 0) this.damage('bad-payload');
    const type = this.#grammar.typeOf(header[0] as number);
    if (!this.#accept(type, buffer, start - header.length, end)) return;
    this.#fragmentAt = this.#arena.length;
    this.#arena.append32(0);
    for (const byte of header) this.#arena.appendByte(byte);
    this.#arena.append(buffer, start, end);
    this.#checkSize();
  }

  nextPiece(buffer: Uint8Array, start: number, end: number, isLast: boolean): void {
    if (this.#fragmentAt < 0) {
      // The beginning was lost or refused.
      if (this.#damage === null) this.damage(this.#afterGap ? 'lost-packets' : 'bad-payload');
      this.#afterGap = false;
      return;
    }
    this.#arena.append(buffer, start, end);
    this.#checkSize();
    if (isLast && this.#fragmentAt >= 0) this.#closeFragment();
  }

  #closeFragment(): void {
    const at = this.#fragmentAt;
    this.#fragmentAt = -1;
    const type = this.#grammar.typeOf(this.#arena.byteAt(at + 4));
    this.#arena.patch32(at, this.#arena.length - at - 4);
    if (this.#grammar.isParameterSet(type)) this.#sink.parameterSet(this.#arena.view(at + 4));
    if (this.#grammar.isParameterSet(type) || this.#grammar.isLeftOut(type)) this.#arena.truncate(at);
  }

  /** Decides whether a unit may join, and notes what it tells about the picture. */
  #accept(type: number, buffer: Uint8Array, start: number, end: number): boolean {
    const picture = this.#grammar.isPicture(type);
    if (picture && this.#lacksFirstSlice(buffer, start, end)) this.#refuseRest();
    this.#afterGap = false;
    if (this.#damage !== null) return false;
    if (this.#fragmentAt >= 0) {
      this.damage('bad-payload');
      return false;
    }
    if (picture) {
      this.#hasPicture = true;
      if (this.#grammar.isKey(type)) this.#isKey = true;
    } else if (this.#grammar.mayMarkRecovery(type)) this.#mayRecover = true;
    return true;
  }

  /** Whether the slice belongs to a picture of which nothing else is there. */
  #lacksFirstSlice(buffer: Uint8Array, start: number, end: number): boolean {
    if (this.#hasPicture || this.#damage !== null) return false;
    return !this.#grammar.isFirstSlice(buffer, start, end);
  }

  #refuseRest(): void {
    // A picture that goes on after its marker: this device sets the bit on every slice.
    const torn = this.#timestamp === this.#lastTimestamp && !this.#afterGap;
    if (torn) this.#trustsMarker = false;
    this.damage(torn ? 'marker' : 'lost-packets');
  }

  #checkSize(): void {
    if (this.#arena.isFull) this.damage('too-large');
  }

  #finish(): void {
    if (this.#fragmentAt >= 0) this.damage('lost-packets');
    if (this.#damage !== null) this.#sink.damaged(this.#damage);
    else if (this.#hasPicture) {
      const data = this.#arena.finish();
      const isKey = this.#isKey || (this.#mayRecover && this.#grammar.isRecovery(data));
      this.#sink.accessUnit(data, this.#timestamp, isKey, this.#arena.slab);
    }
    this.#arena.truncate(0);
    this.#lastTimestamp = this.#timestamp;
    this.#open = false;
    this.#hasPicture = false;
    this.#isKey = false;
    this.#mayRecover = false;
    this.#damage = null;
    this.#fragmentAt = -1;
  }
}
