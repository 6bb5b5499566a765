// Turns RTP payloads into H.265 access units (RFC 7798 4.4): single unit, AP, FU, with or without decoding order numbers.
import { H265_NAL, h265NalType, isH265Key, isH265Picture } from '../h265/nal.ts';
import type { RtpPayload } from './packet.ts';
import { type Depacketiser, type DepacketiserSink, type NalGrammar, PictureAssembler } from './picture-assembler.ts';
import type { UnitArena } from './unit-arena.ts';

const AGGREGATION = 48;
const FRAGMENTATION = 49;
/** DONL ahead of the first unit of a packet, DOND ahead of the others of an aggregation. */
const DONL_BYTES = 2;
const DOND_BYTES = 1;

const GRAMMAR: NalGrammar = {
  typeOf: h265NalType,
  isPicture: isH265Picture,
  isParameterSet: (type) => type >= H265_NAL.vps && type <= H265_NAL.pps,
  isLeftOut: (type) => type >= H265_NAL.delimiter && type <= H265_NAL.filler,
  isKey: isH265Key,
  // first_slice_segment_in_pic_flag is the first bit after the two header bytes.
  isFirstSlice: (buffer, at, end) => at + 2 < end && (buffer[at + 2] as number) >= 0x80,
  mayMarkRecovery: () => false,
  isRecovery: () => false,
};

export class H265Depacketiser implements Depacketiser {
  readonly #assembler: PictureAssembler;
  readonly #sink: DepacketiserSink;
  readonly #header = new Uint8Array(2);
  readonly #hasOrder: boolean;

  /** `hasOrder`: packets carry decoding order numbers. Devices send in decoding order all the same, so they are skipped. */
  constructor(arena: UnitArena, sink: DepacketiserSink, hasOrder = false) {
    this.#hasOrder = hasOrder;
    this.#assembler = new PictureAssembler(GRAMMAR, arena, sink);
    this.#sink = sink;
  }

  gap(): void {
    this.#assembler.gap();
  }

  packet(buffer: Buffer, { payloadStart: start, payloadEnd: end, timestamp, marker }: RtpPayload): void {
    if (end - start < 3) return;
    this.#assembler.begin(timestamp);
    const type = h265NalType(buffer[start] as number);
    // Layers above 31 do not exist; H.264 slices and parameter sets read so.
    if (((buffer[start] as number) & 1) !== 0) this.#assembler.damage('foreign-codec');
    else if (type === FRAGMENTATION) this.#fragment(buffer, start, end);
    else if (type === AGGREGATION) this.#aggregate(buffer, start + 2, end);
    else if (type < AGGREGATION) this.#single(buffer, start, end);
    else this.#assembler.damage('bad-payload');
    this.#assembler.end(marker);
  }

  #single(buffer: Buffer, start: number, end: number): void {
    if (!this.#hasOrder) return this.#assembler.unit(buffer, start, end);
    // The number stands between the two bytes of the header and the rest.
    if (end - start < 3 + DONL_BYTES) return this.#assembler.damage('bad-payload');
    const unit = Buffer.concat([buffer.subarray(start, start + 2), buffer.subarray(start + 2 + DONL_BYTES, end)]);
    this.#assembler.unit(unit, 0, unit.length);
  }

  #fragment(buffer: Buffer, start: number, end: number): void {
    const flags = buffer[start + 2] as number;
    if ((flags & 0x80) === 0) {
      this.#assembler.nextPiece(buffer, start + 3, end, (flags & 0x40) !== 0);
      return;
    }
    this.#header[0] = ((buffer[start] as number) & 0x81) | ((flags & 0x3f) << 1);
    this.#header[1] = buffer[start + 1] as number;
    const from = start + 3 + (this.#hasOrder ? DONL_BYTES : 0);
    if (from > end) return this.#assembler.damage('bad-payload');
    this.#assembler.firstPiece(this.#header, buffer, from, end);
    if ((flags & 0x40) !== 0) this.#assembler.nextPiece(buffer, end, end, true);
  }

  #aggregate(buffer: Buffer, start: number, end: number): void {
    let at = start + (this.#hasOrder ? DONL_BYTES : 0);
    while (at + 2 <= end) {
      const size = ((buffer[at] as number) << 8) | (buffer[at + 1] as number);
      at += 2;
      if (size < 2 || at + size > end) {
        this.#sink.damaged('bad-payload');
        return;
      }
      this.#assembler.unit(buffer, at, at + size);
      at += size + (this.#hasOrder ? DOND_BYTES : 0);
    }
  }
}
