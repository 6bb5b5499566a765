// A baseline JPEG of a 4:2:0 picture, for snapshots (ITU-T T.81, standard tables of annex K).

import type { Planes } from './planes.ts';
import { naturalOrder } from '@vedette/protocols/jpeg/tables.ts';
import { acCodes, dcCodes, type HuffmanCodes, jpegHeaders, quantisation } from './jpeg-tables.ts';

class EntropyWriter {
  private readonly chunks: number[] = [];
  private pending = 0;
  private count = 0;

  bits(value: number, length: number): void {
    for (let i = length - 1; i >= 0; i--) {
      this.pending = (this.pending << 1) | ((value >> i) & 1);
      if (++this.count === 8) this.flushByte();
    }
  }

  finish(): Buffer {
    while (this.count !== 0) this.bits(1, 1);
    return Buffer.from(this.chunks);
  }

  private flushByte(): void {
    this.chunks.push(this.pending);
    // A data byte 0xff is told from a marker by a zero behind it.
    if (this.pending === 0xff) this.chunks.push(0);
    this.pending = 0;
    this.count = 0;
  }
}

const cosines = Float64Array.from({ length: 64 }, (_, i) => {
  const frequency = i >> 3;
  return Math.cos((((i & 7) * 2 + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

const rows = new Float64Array(64);
const coefficients = new Float64Array(64);

function transform(block: Float64Array): void {
  for (let y = 0; y < 8; y++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += (block[y * 8 + x] as number) * (cosines[u * 8 + x] as number);
      rows[y * 8 + u] = sum;
    }
  }
  for (let u = 0; u < 8; u++) {
    for (let v = 0; v < 8; v++) {
      let sum = 0;
      for (let y = 0; y < 8; y++) sum += (rows[y * 8 + u] as number) * (cosines[v * 8 + y] as number);
      coefficients[v * 8 + u] = sum;
    }
  }
}

interface Component {
  readonly samples: Float64Array;
  readonly stride: number;
  readonly quantisation: readonly number[];
  readonly dc: HuffmanCodes;
  readonly ac: HuffmanCodes;
  previousDc: number;
}

/** The planes are BT.709 limited range; JPEG wants BT.601 full range. */
export function encodeJpeg(planes: Planes, width: number, height: number): Buffer {
  const [luma, blue, red] = convert(planes);
  const components: [Component, Component, Component] = [
    {
      samples: luma,
      stride: planes.stride,
      quantisation: quantisation.luma,
      dc: dcCodes.luma,
      ac: acCodes.luma,
      previousDc: 0,
    },
    {
      samples: blue,
      stride: planes.stride >> 1,
      quantisation: quantisation.chroma,
      dc: dcCodes.chroma,
      ac: acCodes.chroma,
      previousDc: 0,
    },
    {
      samples: red,
      stride: planes.stride >> 1,
      quantisation: quantisation.chroma,
      dc: dcCodes.chroma,
      ac: acCodes.chroma,
      previousDc: 0,
    },
  ];
  const writer = new EntropyWriter();
  for (let y = 0; y < Math.ceil(height / 16); y++) {
    for (let x = 0; x < Math.ceil(width / 16); x++) {
      for (const [dx, dy] of [
        [0, 0],
        [8, 0],
        [0, 8],
        [8, 8],
      ] as const)
        encodeBlock(writer, components[0], x * 16 + dx, y * 16 + dy);
      encodeBlock(writer, components[1], x * 8, y * 8);
      encodeBlock(writer, components[2], x * 8, y * 8);
    }
  }
  return Buffer.concat([jpegHeaders(width, height), writer.finish(), Buffer.of(0xff, 0xd9)]);
}

/** Samples around zero. */
function convert(planes: Planes): [Float64Array, Float64Array, Float64Array] {
  const half = planes.stride >> 1;
  const luma = new Float64Array(planes.y.length);
  const blue = new Float64Array(planes.u.length);
  const red = new Float64Array(planes.v.length);
  for (let i = 0; i < blue.length; i++) {
    const b = (((planes.u[i] as number) - 128) * 255) / 224;
    const r = (((planes.v[i] as number) - 128) * 255) / 224;
    blue[i] = 0.9899 * b - 0.1107 * r;
    red[i] = 0.9834 * r - 0.0725 * b;
    const shift = 0.1016 * b + 0.1961 * r - 128;
    const at = Math.floor(i / half) * 2 * planes.stride + (i % half) * 2;
    for (const j of [at, at + 1, at + planes.stride, at + planes.stride + 1]) {
      const full = (((planes.y[j] as number) - 16) * 255) / 219 + shift;
      luma[j] = Math.max(-128, Math.min(127, full));
    }
  }
  return [luma, blue, red];
}

const block = new Float64Array(64);
const levels = new Int32Array(64);

function encodeBlock(writer: EntropyWriter, component: Component, x: number, y: number): void {
  for (let row = 0; row < 8; row++) {
    const at = (y + row) * component.stride + x;
    block.set(component.samples.subarray(at, at + 8), row * 8);
  }
  transform(block);
  for (let i = 0; i < 64; i++) {
    const position = naturalOrder[i] as number;
    levels[i] = Math.round((coefficients[position] as number) / (component.quantisation[position] as number));
  }
  const difference = (levels[0] as number) - component.previousDc;
  component.previousDc = levels[0] as number;
  const size = sizeOf(difference);
  put(writer, component.dc, size);
  putValue(writer, difference, size);
  encodeAc(writer, component.ac);
}

function encodeAc(writer: EntropyWriter, codes: HuffmanCodes): void {
  let run = 0;
  for (let i = 1; i < 64; i++) {
    const level = levels[i] as number;
    if (level === 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) put(writer, codes, 0xf0);
    const size = sizeOf(level);
    put(writer, codes, (run << 4) | size);
    putValue(writer, level, size);
    run = 0;
  }
  if (run > 0) put(writer, codes, 0);
}

function sizeOf(value: number): number {
  return 32 - Math.clz32(Math.abs(value));
}

function put(writer: EntropyWriter, codes: HuffmanCodes, symbol: number): void {
  const code = codes.get(symbol);
  if (code === undefined) throw new RangeError(`no JPEG code for symbol ${symbol}`);
  writer.bits(code.bits, code.length);
}

function putValue(writer: EntropyWriter, value: number, size: number): void {
  if (size > 0) writer.bits(value < 0 ? value + (1 << size) - 1 : value, size);
}
