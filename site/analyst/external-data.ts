// Whether an ONNX model keeps tensors in files beside it (onnx.proto, TensorProto.external_data): such a model would make its runtime read what it names.

/** Fields that hold messages of a kind, by kind and number. */
const MESSAGES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  model: { 7: 'graph', 20: 'training', 25: 'function' },
  training: { 1: 'graph', 2: 'graph' },
  function: { 7: 'node', 11: 'attribute' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparse' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
};
/** Of a tensor: where its numbers are, and the pairs that say so. */
const EXTERNAL_DATA = 13;
const DATA_LOCATION = 14;
/** Graphs within graphs. */
const DEPTH_MAX = 32;

/** Throws RangeError where the bytes are no messages. */
export function hasExternalData(model: Buffer): boolean {
  return isExternal(model, 'model', 0);
}

function isExternal(bytes: Buffer, kind: string, depth: number): boolean {
  if (depth > DEPTH_MAX) throw new RangeError('a model of too many graphs within each other');
  const kinds = MESSAGES[kind] ?? {};
  for (const { number, value, content } of fieldsOf(bytes)) {
    if (kind === 'tensor' && isElsewhere(number, value)) return true;
    const inner = kinds[number];
    if (inner !== undefined && content !== null && isExternal(content, inner, depth + 1)) return true;
  }
  return false;
}

function isElsewhere(number: number, value: number): boolean {
  return number === EXTERNAL_DATA || (number === DATA_LOCATION && value !== 0);
}

interface Field {
  readonly number: number;
  /** Of a number; 0 otherwise. */
  readonly value: number;
  readonly content: Buffer | null;
}

/** Protocol Buffers: fields of numbers, of 64 and 32 bits, and of bytes with their length. */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined) throw new RangeError('a number that does not end');
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number of too many bytes');
  };
  while (at < bytes.length) {
    const key = varint();
    // No other reader may see another field there.
    if (key > 0xffff_ffff) throw new RangeError('a field of too great a number');
    const [number, type] = [Math.floor(key / 8), key % 8];
    if (type === 0) {
      yield { number, value: varint(), content: null };
      continue;
    }
    const length = type === 2 ? varint() : ({ 1: 8, 5: 4 }[type] ?? Number.NaN);
    // Also where it is NaN: a kind of field that is not written any more.
    if (!(at + length <= bytes.length)) throw new RangeError('a field that leaves its message');
    const content = type === 2 ? bytes.subarray(at, at + length) : null;
    at += length;
    yield { number, value: 0, content };
  }
}
