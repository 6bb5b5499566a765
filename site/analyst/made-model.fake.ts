// Small ONNX models made in memory (onnx.proto): they answer the same numbers whatever they are shown, or are wrong in one way.
import { createHash } from 'node:crypto';

export interface MadeOutput {
  readonly dims: readonly number[];
  /** By place; all others are 0. */
  readonly values: Readonly<Record<number, number>>;
}

export interface MadeModel {
  readonly outputs: readonly MadeOutput[];
  /** Of the input: 1 × 3 × size × size. */
  readonly size?: number;
  readonly inputs?: number;
  /** The numbers of its outputs lie in this file. */
  readonly externalFile?: string;
}

const FLOAT = 1;
const TENSOR_ATTRIBUTE = 4;

export function madeModel({ outputs, size = 32, inputs = 1, externalFile }: MadeModel): Buffer {
  const graph = Buffer.concat([
    ...outputs.map((output, at) => bytesField(1, constantNode(output, `out${at}`, externalFile))),
    bytesField(2, Buffer.from('made')),
    ...Array.from({ length: inputs }, (_, at) => bytesField(11, valueInfo(`in${at}`, [1, 3, size, size]))),
    ...outputs.map(({ dims }, at) => bytesField(12, valueInfo(`out${at}`, dims))),
  ]);
  return Buffer.concat([numberField(1, 8), bytesField(7, graph), bytesField(8, numberField(2, 13))]);
}

/** A YOLO model of one label that sees one object: `box` by its centre, in pixels of the square. */
export function seeingModel(score: number, box: readonly [number, number, number, number], size = 32): Buffer {
  const values = Object.fromEntries([...box, score].map((value, row) => [row * 4, value]));
  return madeModel({ outputs: [{ dims: [1, 5, 4], values }], size });
}

export function describedModel(name: string, bytes: Buffer, more: Readonly<Record<string, unknown>> = {}): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return JSON.stringify({ name, kind: 'yolo', size: 32, sha256, licence: 'MIT', labels: ['car'], ...more });
}

function constantNode({ dims, values }: MadeOutput, name: string, externalFile: string | undefined): Buffer {
  const numbers = new Float32Array(dims.reduce((product, one) => product * one, 1));
  for (const [at, value] of Object.entries(values)) numbers[Number(at)] = value;
  const content =
    externalFile === undefined
      ? bytesField(9, Buffer.from(numbers.buffer))
      : Buffer.concat([bytesField(13, entry('location', externalFile)), numberField(14, 1)]);
  const tensor = Buffer.concat([...dims.map((dim) => numberField(1, dim)), numberField(2, FLOAT), content]);
  const attribute = Buffer.concat([
    bytesField(1, Buffer.from('value')),
    bytesField(5, tensor),
    numberField(20, TENSOR_ATTRIBUTE),
  ]);
  return Buffer.concat([
    bytesField(2, Buffer.from(name)),
    bytesField(4, Buffer.from('Constant')),
    bytesField(5, attribute),
  ]);
}

function valueInfo(name: string, dims: readonly number[]): Buffer {
  const shape = Buffer.concat(dims.map((dim) => bytesField(1, numberField(1, dim))));
  const type = Buffer.concat([numberField(1, FLOAT), bytesField(2, shape)]);
  return Buffer.concat([bytesField(1, Buffer.from(name)), bytesField(2, bytesField(1, type))]);
}

function entry(key: string, value: string): Buffer {
  return Buffer.concat([bytesField(1, Buffer.from(key)), bytesField(2, Buffer.from(value))]);
}

function numberField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

function bytesField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
