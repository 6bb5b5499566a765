// Reads and writes AMF0 values, the arguments of RTMP commands (Adobe Action Message Format 0); usable in browsers.

/** `null` stands for null, undefined and every type that commands of RTMP do not use. */
export type AmfValue = number | boolean | string | null | readonly AmfValue[] | { readonly [key: string]: AmfValue };

/** The only error of the reader. */
export class AmfError extends Error {
  override readonly name = 'AmfError';
}

const NUMBER = 0;
const BOOLEAN = 1;
const STRING = 2;
const OBJECT = 3;
const NULL = 5;
const UNDEFINED = 6;
const ECMA_ARRAY = 8;
const OBJECT_END = 9;
const STRICT_ARRAY = 10;
const LONG_STRING = 12;

/** Deeper than any command is. */
const MOST_DEPTH = 8;
const LONGEST_SHORT_STRING = 0xffff;

const toText = new TextDecoder();
const toBytes = new TextEncoder();

/** Values one behind the other. A string may take up to 4 GB, a key 65,535 bytes. */
export function writeAmf(values: readonly AmfValue[]): Uint8Array {
  const bytes: number[] = [];
  for (const value of values) writeValue(bytes, value);
  return Uint8Array.from(bytes);
}

/** All values in `bytes`; throws AmfError where they end early or hold an unknown type. */
export function readAmf(bytes: Uint8Array): AmfValue[] {
  const reader = new AmfReader(bytes);
  const values: AmfValue[] = [];
  while (!reader.isAtEnd) values.push(reader.value(0));
  return values;
}

function writeValue(into: number[], value: AmfValue): void {
  if (value === null) into.push(NULL);
  else if (typeof value === 'number') into.push(NUMBER, ...float64(value));
  else if (typeof value === 'boolean') into.push(BOOLEAN, value ? 1 : 0);
  else if (typeof value === 'string') writeString(into, value);
  else if (isList(value)) {
    into.push(STRICT_ARRAY, ...uint(value.length, 4));
    for (const one of value) writeValue(into, one);
  } else writeObject(into, value);
}

function writeString(into: number[], text: string): void {
  const bytes = toBytes.encode(text);
  if (bytes.length <= LONGEST_SHORT_STRING) into.push(STRING, ...uint(bytes.length, 2));
  else into.push(LONG_STRING, ...uint(bytes.length, 4));
  for (const byte of bytes) into.push(byte);
}

function writeObject(into: number[], object: { readonly [key: string]: AmfValue }): void {
  into.push(OBJECT);
  for (const [key, value] of Object.entries(object)) {
    const name = toBytes.encode(key);
    into.push(...uint(name.length, 2), ...name);
    writeValue(into, value);
  }
  into.push(0, 0, OBJECT_END);
}

function isList(value: AmfValue): value is readonly AmfValue[] {
  return Array.isArray(value);
}

function float64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

function uint(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, at) => (value >>> (8 * (size - 1 - at))) & 0xff);
}

class AmfReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  value(depth: number): AmfValue {
    if (depth > MOST_DEPTH) throw new AmfError('nested too deep');
    const type = this.#uint(1);
    if (type === NUMBER) return this.#view.getFloat64(this.#take(8));
    if (type === BOOLEAN) return this.#uint(1) !== 0;
    if (type === STRING) return this.#text(this.#uint(2));
    if (type === LONG_STRING) return this.#text(this.#uint(4));
    if (type === NULL || type === UNDEFINED) return null;
    return this.#compound(type, depth);
  }

  #compound(type: number, depth: number): AmfValue {
    if (type === STRICT_ARRAY) return this.#list(depth);
    // The count of an ECMA array is a hint (2.10).
    if (type === ECMA_ARRAY) this.#take(4);
    if (type === OBJECT || type === ECMA_ARRAY) return this.#object(depth);
    throw new AmfError(`type ${type} is not known`);
  }

  #list(depth: number): AmfValue[] {
    const count = this.#uint(4);
    // Each value takes a byte at least.
    if (count > this.#bytes.length - this.#at) throw new AmfError('ends early');
    return Array.from({ length: count }, () => this.value(depth + 1));
  }

  #object(depth: number): AmfValue {
    const entries: [string, AmfValue][] = [];
    for (;;) {
      const key = this.#text(this.#uint(2));
      if (key === '' && this.#bytes[this.#at] === OBJECT_END) break;
      entries.push([key, this.value(depth + 1)]);
    }
    this.#take(1);
    // Own properties whatever their names.
    return Object.fromEntries(entries);
  }

  #text(length: number): string {
    const start = this.#take(length);
    return toText.decode(this.#bytes.subarray(start, start + length));
  }

  #uint(size: 1 | 2 | 4): number {
    const at = this.#take(size);
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  /** Where `count` bytes begin that are then read. */
  #take(count: number): number {
    const start = this.#at;
    if (count > this.#bytes.length - start) throw new AmfError('ends early');
    this.#at += count;
    return start;
  }
}
