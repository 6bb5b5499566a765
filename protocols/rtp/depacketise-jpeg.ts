// Turns RTP payloads into whole JPEG pictures: the headers that RTP leaves out are written again (RFC 2435 3 and 4).
import { writeJpegHeaders } from '../jpeg/headers.ts';
import { type JpegSegments, readJpegSegments } from '../jpeg/read-jpeg.ts';
import { naturalOrder, quantisationOf, type QuantisationTables } from '../jpeg/tables.ts';
import type { RtpPayload } from './packet.ts';
import type { DamageReason, Depacketiser, DepacketiserSink } from './picture-assembler.ts';
import type { UnitArena } from './unit-arena.ts';

const MAIN_HEADER_BYTES = 8;
const RESTART_HEADER_BYTES = 4;
const TABLE_HEADER_BYTES = 4;
/** Segments that RFC 2435 has no place for, such as a size above 2040 pixels (ONVIF Streaming, RTP header extension for JPEG). */
const SEGMENTS_PROFILE = 0xffd8;
const END_OF_IMAGE = Uint8Array.of(0xff, 0xd9);

export interface JpegPictureSize {
  readonly width: number;
  readonly height: number;
}

interface MainHeader {
  readonly offset: number;
  readonly sampling: '4:2:2' | '4:2:0';
  readonly quality: number;
  readonly restartInterval: number;
  readonly width: number;
  readonly height: number;
}

interface FoundTables {
  readonly quantisation: QuantisationTables;
  /** Where the packet goes on behind them. */
  readonly next: number;
}

export class JpegDepacketiser implements Depacketiser {
  readonly #arena: UnitArena;
  readonly #sink: DepacketiserSink;
  /** For pictures too large for the fields of the packets. */
  readonly #size: JpegPictureSize | null;
  /** Tables that a device sends once, by their quality number (128 to 254). */
  readonly #tables = new Map<number, QuantisationTables>();
  #open = false;
  #damage: DamageReason | null = null;
  #timestamp = 0;
  #headerBytes = 0;
  /** By the extension of this picture's first packet. */
  #stated: JpegSegments | null = null;
  /** Of the packet that follows. */
  #next: JpegSegments | null = null;

  constructor(arena: UnitArena, sink: DepacketiserSink, size: JpegPictureSize | null = null) {
    this.#arena = arena;
    this.#sink = sink;
    this.#size = size;
  }

  gap(): void {
    if (this.#open) this.#damage ??= 'lost-packets';
  }

  extension(profile: number, bytes: Uint8Array): void {
    if (profile === SEGMENTS_PROFILE) this.#next = readJpegSegments(bytes);
  }

  packet(buffer: Buffer, { payloadStart, payloadEnd, timestamp, marker }: RtpPayload): void {
    if (this.#open && timestamp !== this.#timestamp) this.#finish('lost-packets');
    this.#timestamp = timestamp;
    this.#open = true;
    this.#stated = this.#next ?? this.#stated;
    this.#next = null;
    if (this.#damage === null) this.#piece(buffer, payloadStart, payloadEnd);
    if (marker) this.#finish(null);
  }

  #piece(buffer: Buffer, start: number, end: number): void {
    const header = this.#readHeader(buffer, start, end);
    if (header === null) return this.#fail('bad-payload');
    let at = start + MAIN_HEADER_BYTES + (header.restartInterval > 0 ? RESTART_HEADER_BYTES : 0);
    if (header.offset === 0) {
      const tables = this.#readTables(buffer, at, end, header.quality);
      if (tables === null) return this.#fail('bad-payload');
      at = tables.next;
      this.#begin(header, tables.quantisation);
    } else if (header.offset !== this.#arena.length - this.#headerBytes) return this.#fail('lost-packets');
    if (at > end) return this.#fail('bad-payload');
    this.#arena.append(buffer, at, end);
    if (this.#arena.isFull) this.#fail('too-large');
  }

  #begin(header: MainHeader, quantisation: QuantisationTables): void {
    this.#arena.truncate(0);
    const headers = writeJpegHeaders({ ...header, quantisation });
    this.#arena.append(headers, 0, headers.length);
    this.#headerBytes = headers.length;
  }

  #readHeader(buffer: Buffer, start: number, end: number): MainHeader | null {
    if (end - start < MAIN_HEADER_BYTES) return null;
    const type = buffer[start + 4] as number;
    const sampling = samplingOf(type);
    if (sampling === null || end - start < headerBytesOf(type)) return null;
    const width = this.#widthOf(buffer[start + 6] as number);
    const height = this.#heightOf(buffer[start + 7] as number);
    if (width === 0 || height === 0) return null;
    return {
      offset: buffer.readUIntBE(start + 1, 3),
      sampling: this.#stated?.sampling ?? sampling,
      quality: buffer[start + 5] as number,
      restartInterval: hasRestarts(type) ? buffer.readUInt16BE(start + MAIN_HEADER_BYTES) : 0,
      width,
      height,
    };
  }

  /** By the header extension, else by the packet, which counts blocks of eight pixels, else by the description; 0 where none says it. */
  #widthOf(blocks: number): number {
    return this.#stated?.width || blocks * 8 || (this.#size?.width ?? 0);
  }

  #heightOf(blocks: number): number {
    return this.#stated?.height || blocks * 8 || (this.#size?.height ?? 0);
  }

  /** Tables by the quality number, from the packet where it is 128 or more; null when there are none. */
  #readTables(buffer: Buffer, at: number, end: number, quality: number): FoundTables | null {
    const stated = this.#statedTables();
    if (quality < 128) {
      const quantisation = stated ?? standardTables(quality);
      return quantisation && { quantisation, next: at };
    }
    if (at + TABLE_HEADER_BYTES > end) return null;
    const length = buffer.readUInt16BE(at + 2);
    const from = at + TABLE_HEADER_BYTES;
    const next = from + length;
    if (next > end) return null;
    const quantisation = stated ?? this.#tablesInBand(buffer.subarray(from, next), buffer[at + 1] as number, quality);
    return quantisation && { quantisation, next };
  }

  /** Tables of a quality number below 255 hold for all packets of that number, which may leave them out. */
  #tablesInBand(bytes: Buffer, precision: number, quality: number): QuantisationTables | null {
    const isKept = quality < 255;
    if (bytes.length === 0) return isKept ? (this.#tables.get(quality) ?? null) : null;
    const quantisation = readTables(bytes, precision);
    if (quantisation !== null && isKept) this.#tables.set(quality, quantisation);
    return quantisation;
  }

  #statedTables(): QuantisationTables | null {
    const [luma, chroma = luma] = this.#stated?.quantisation ?? [];
    return luma && chroma ? { luma: inRaster(luma), chroma: inRaster(chroma) } : null;
  }

  #fail(reason: DamageReason): void {
    this.#damage ??= reason;
    this.#arena.truncate(0);
  }

  #finish(reason: DamageReason | null): void {
    const damage = this.#damage ?? reason ?? (this.#arena.length > this.#headerBytes ? null : 'lost-packets');
    if (damage !== null) this.#sink.damaged(damage);
    else {
      const tail = this.#arena.view(this.#arena.length - 2);
      if (tail[0] !== END_OF_IMAGE[0] || tail[1] !== END_OF_IMAGE[1]) this.#arena.append(END_OF_IMAGE, 0, 2);
      this.#sink.accessUnit(this.#arena.finish(), this.#timestamp, true);
    }
    this.#arena.truncate(0);
    this.#headerBytes = 0;
    this.#damage = null;
    this.#open = false;
    this.#stated = null;
  }
}

/** Of types 0 and 1, and 64 and 65 with restart intervals; all others are unknown (3.1.3). */
function samplingOf(type: number): MainHeader['sampling'] | null {
  if ((type & 0x3f) > 1 || type >= 128) return null;
  return (type & 1) === 0 ? '4:2:2' : '4:2:0';
}

function hasRestarts(type: number): boolean {
  return type >= 64 && type < 128;
}

function headerBytesOf(type: number): number {
  return MAIN_HEADER_BYTES + (hasRestarts(type) ? RESTART_HEADER_BYTES : 0);
}

/** Scaled by the quality number (4.2); the numbers 0 and 100 to 127 are reserved. */
function standardTables(quality: number): QuantisationTables | null {
  return quality === 0 || quality >= 100 ? null : quantisationOf(quality);
}

/** One table for all, or luma then chroma; null where they are cut. `precision`: bit by bit, whether a table has 16 bits a value (3.1.8). */
function readTables(bytes: Buffer, precision: number): QuantisationTables | null {
  const tables: number[][] = [];
  for (let at = 0; at < bytes.length && tables.length < 2; ) {
    const size = ((precision >> tables.length) & 1) + 1;
    if (at + 64 * size > bytes.length) break;
    const values = Array.from({ length: 64 }, (_, index) => bytes.readUIntBE(at + index * size, size));
    // Baseline coding has room for 8 bits.
    if (values.some((value) => value > 255)) return null;
    tables.push(inRaster(values));
    at += 64 * size;
  }
  const [luma, chroma = luma] = tables;
  return luma && chroma ? { luma, chroma } : null;
}

function inRaster(zigzag: ArrayLike<number>): number[] {
  const table = Array.from({ length: 64 }, () => 0);
  for (const [index, position] of naturalOrder.entries()) table[position] = zigzag[index] as number;
  return table;
}
