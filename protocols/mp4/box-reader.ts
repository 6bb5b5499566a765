// Reads ISO base media boxes, movie fragments and init segments (ISO/IEC 14496-12 4.2, 8.8); usable in browsers.

/** The only error of the readers. */
export class Mp4Error extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Mp4Error';
  }
}

/** A box whose header lies in the given bytes; its content may reach beyond them. */
export interface Mp4Box {
  readonly type: string;
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
}

/** The box that starts at `at`, or null when its header is not whole. Throws Mp4Error on a size that cannot be. */
export function readBox(bytes: Uint8Array, at: number): Mp4Box | null {
  if (at + 8 > bytes.length) return null;
  const type = readType(bytes, at + 4);
  let size = get32(bytes, at);
  let contentStart = at + 8;
  if (size === 1) {
    if (at + 16 > bytes.length) return null;
    size = get64(bytes, at + 8);
    contentStart = at + 16;
  }
  if (size < contentStart - at) throw new Mp4Error(`box ${type} too small`);
  return { type, start: at, contentStart, end: at + size };
}

function readType(bytes: Uint8Array, at: number): string {
  for (let place = at; place < at + 4; place++) {
    const byte = bytes[place] as number;
    if (byte < 0x20 || byte > 0x7e) throw new Mp4Error('box type is not text');
  }
  return String.fromCharCode(
    bytes[at] as number,
    bytes[at + 1] as number,
    bytes[at + 2] as number,
    bytes[at + 3] as number,
  );
}

/** All whole boxes in `[from, to)`; stops before the first one that is cut. */
export function readBoxes(bytes: Uint8Array, from = 0, to: number = bytes.length): Mp4Box[] {
  const found: Mp4Box[] = [];
  let at = from;
  while (at < to) {
    const next = readBox(bytes, at);
    if (!next || next.end > to) return found;
    found.push(next);
    at = next.end;
  }
  return found;
}

/** The first box along a path of types, for example `['moov', 'trak', 'mdia']`. */
export function findBox(
  bytes: Uint8Array,
  path: readonly string[],
  from = 0,
  to: number = bytes.length,
): Mp4Box | null {
  let range = { contentStart: from, end: to } as Pick<Mp4Box, 'contentStart' | 'end'>;
  let found: Mp4Box | null = null;
  for (const type of path) {
    found = readBoxes(bytes, range.contentStart, range.end).find((child) => child.type === type) ?? null;
    if (!found) return null;
    range = found;
  }
  return found;
}

export interface ReadSample {
  /** From the first byte of the moof. */
  readonly offset: number;
  readonly size: number;
  readonly duration: number;
  readonly isKey: boolean;
  readonly ctsOffset: number;
}

export interface ReadRun {
  readonly trackId: number;
  readonly baseDts: number;
  readonly samples: readonly ReadSample[];
}

/** The runs of the moof at `at`. Reads what this project writes and what other muxers write alike. */
export function readFragment(bytes: Uint8Array, at: number): ReadRun[] {
  const moof = readBox(bytes, at);
  if (moof?.type !== 'moof' || moof.end > bytes.length) throw new Mp4Error('no whole moof here');
  const runs: ReadRun[] = [];
  for (const traf of readBoxes(bytes, moof.contentStart, moof.end)) {
    if (traf.type === 'traf') runs.push(readTrack(bytes, traf));
  }
  return runs;
}

interface Defaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

function readTrack(bytes: Uint8Array, traf: Mp4Box): ReadRun {
  const children = readBoxes(bytes, traf.contentStart, traf.end);
  const header = children.find((child) => child.type === 'tfhd');
  if (!header) throw new Mp4Error('traf without tfhd');
  const reader = new FieldReader(bytes, header);
  const flags = reader.fullBox().flags;
  const trackId = reader.u32();
  if (flags & 1) reader.skip(8);
  if (flags & 2) reader.skip(4);
  const defaults: Defaults = {
    duration: reader.u32Or(flags & 8, 0),
    size: reader.u32Or(flags & 16, 0),
    flags: reader.u32Or(flags & 32, 0),
  };
  const time = children.find((child) => child.type === 'tfdt');
  const baseDts = time ? readDecodeTime(bytes, time) : 0;
  const samples = children.filter((child) => child.type === 'trun').flatMap((run) => readRun(bytes, run, defaults));
  return { trackId, baseDts, samples };
}

function readDecodeTime(bytes: Uint8Array, time: Mp4Box): number {
  const reader = new FieldReader(bytes, time);
  return reader.fullBox().version === 1 ? reader.u64() : reader.u32();
}

function readRun(bytes: Uint8Array, run: Mp4Box, defaults: Defaults): ReadSample[] {
  const reader = new FieldReader(bytes, run);
  const { version, flags } = reader.fullBox();
  const count = reader.u32();
  // Without per-sample fields a count is not backed by bytes; one second of anything is far below this.
  if (count > 100_000) throw new Mp4Error('trun with too many samples');
  let offset = reader.u32Or(flags & 1, 0) | 0;
  const first = flags & 4 ? reader.u32() : null;
  const samples: ReadSample[] = [];
  for (let i = 0; i < count; i++) {
    const duration = reader.u32Or(flags & 0x100, defaults.duration);
    const size = reader.u32Or(flags & 0x200, defaults.size);
    const own = reader.u32Or(flags & 0x400, defaults.flags);
    const cts = reader.u32Or(flags & 0x800, 0);
    const sampleFlags = i === 0 && first !== null ? first : own;
    // sample_is_non_sync_sample (8.8.3.1)
    const isKey = (sampleFlags & 0x10000) === 0;
    samples.push({ offset, size, duration, isKey, ctsOffset: version === 0 ? cts : cts | 0 });
    offset += size;
  }
  return samples;
}

/** Reads fields in order and refuses to leave its box. */
export class FieldReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, within: Mp4Box) {
    this.#bytes = bytes;
    this.#at = within.contentStart;
    this.#end = Math.min(within.end, bytes.length);
  }

  get position(): number {
    return this.#at;
  }

  skip(count: number): void {
    if (this.#at + count > this.#end) throw new Mp4Error('box ends early');
    this.#at += count;
  }

  u16(): number {
    this.skip(2);
    return ((this.#bytes[this.#at - 2] as number) << 8) | (this.#bytes[this.#at - 1] as number);
  }

  u32(): number {
    this.skip(4);
    return get32(this.#bytes, this.#at - 4);
  }

  /** A field that stands in the box where its flag is set. */
  u32Or(flag: number, otherwise: number): number {
    return flag === 0 ? otherwise : this.u32();
  }

  u64(): number {
    this.skip(8);
    return get64(this.#bytes, this.#at - 8);
  }

  fullBox(): { version: number; flags: number } {
    const word = this.u32();
    return { version: word >>> 24, flags: word & 0xffffff };
  }
}

/** Big-endian. */
export function get32(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}

/** Big-endian. Throws Mp4Error where a number of JavaScript does not hold it exactly. */
export function get64(bytes: Uint8Array, at: number): number {
  const value = get32(bytes, at) * 0x100000000 + get32(bytes, at + 4);
  if (!Number.isSafeInteger(value)) throw new Mp4Error('64-bit field out of range');
  return value;
}
