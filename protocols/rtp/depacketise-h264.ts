// Turns RTP payloads into H.264 access units (RFC 6184 5.6 to 5.8): single unit, STAP-A, FU-A.
import { H264_NAL, h264NalType, isH264Picture, splitAnnexB } from '../h264/nal.ts';
import { startsAtRecoveryPoint } from '../h264/recovery-point.ts';
import type { RtpPayload } from './packet.ts';
import { type Depacketiser, type DepacketiserSink, type NalGrammar, PictureAssembler } from './picture-assembler.ts';
import type { UnitArena } from './unit-arena.ts';

const STAP_A = 24;
const FU_A = 28;

const GRAMMAR: NalGrammar = {
  typeOf: h264NalType,
  isPicture: isH264Picture,
  isParameterSet: (type) => type === H264_NAL.sps || type === H264_NAL.pps,
  isLeftOut: (type) => type === 0 || (type >= H264_NAL.delimiter && type !== 13 && type !== 14 && type !== 20),
  isKey: (type) => type === H264_NAL.idr,
  // first_mb_in_slice is ue(v): zero is a single 1 bit.
  isFirstSlice: (buffer, at, end) => at + 1 < end && (buffer[at + 1] as number) >= 0x80,
  mayMarkRecovery: (type) => type === H264_NAL.sei,
  isRecovery: startsAtRecoveryPoint,
};

export class H264Depacketiser implements Depacketiser {
  readonly #assembler: PictureAssembler;
  readonly #sink: DepacketiserSink;
  readonly #header = new Uint8Array(1);

  constructor(arena: UnitArena, sink: DepacketiserSink) {
    this.#assembler = new PictureAssembler(GRAMMAR, arena, sink);
    this.#sink = sink;
  }

  gap(): void {
    this.#assembler.gap();
  }

  packet(buffer: Buffer, { payloadStart: start, payloadEnd: end, timestamp, marker }: RtpPayload): void {
    if (end <= start) return;
    this.#assembler.begin(timestamp);
    const type = (buffer[start] as number) & 31;
    if (isH265(type, buffer[start] as number)) this.#assembler.damage('foreign-codec');
    else if (type === FU_A) this.#fragment(buffer, start, end);
    else if (type === STAP_A) this.#aggregate(buffer, start + 1, end);
    else if (type === 0) this.#startCodes(buffer, start, end);
    else if (type < STAP_A) this.#assembler.unit(buffer, start, end);
    else this.#assembler.damage('bad-payload');
    this.#assembler.end(marker);
  }

  #fragment(buffer: Buffer, start: number, end: number): void {
    if (end - start < 3) return;
    const flags = buffer[start + 1] as number;
    if ((flags & 0x80) === 0) {
      this.#assembler.nextPiece(buffer, start + 2, end, (flags & 0x40) !== 0);
      return;
    }
    this.#header[0] = ((buffer[start] as number) & 0xe0) | (flags & 0x1f);
    this.#assembler.firstPiece(this.#header, buffer, start + 2, end);
    // Start and end in one packet are forbidden but sent (5.8).
    if ((flags & 0x40) !== 0) this.#assembler.nextPiece(buffer, end, end, true);
  }

  #aggregate(buffer: Buffer, start: number, end: number): void {
    let at = start;
    while (at + 2 <= end) {
      const size = ((buffer[at] as number) << 8) | (buffer[at + 1] as number);
      at += 2;
      // Zeros that fill a packet up are no units.
      if (size === 0) continue;
      if (at + size > end) {
        this.#sink.damaged('bad-payload');
        return;
      }
      this.#assembler.unit(buffer, at, at + size);
      at += size;
    }
  }

  /** Against the RFC, some devices put the byte stream format into the payload. */
  #startCodes(buffer: Buffer, start: number, end: number): void {
    for (const nal of splitAnnexB(buffer.subarray(start, end))) this.#assembler.unit(nal, 0, nal.length);
  }
}

/**
 * H.265 read as H.264: its parameter sets, slices and fragments look like data partitions (2 to 4), which no camera sends, or
 * like type 0 with a reference count.
 */
function isH265(type: number, first: number): boolean {
  return (type >= 2 && type <= 4) || (type === 0 && first !== 0);
}
