// What a model puts out: tensors, and how the readers of its families find the one that they need.
import type { FoldedClass } from './class-folding.ts';

/** One tensor of the model, row by row. */
export interface ModelOutput {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** The part of the square input that shows the frame, in pixels from its upper left corner. */
export interface LetterboxedFrame {
  readonly width: number;
  readonly height: number;
}

export interface OutputReading {
  /** Pixels of a side of the square input. */
  readonly size: number;
  readonly frame: LetterboxedFrame;
  readonly leastScore: number;
  /** How many labels the model gives scores of. */
  readonly labels: number;
  readonly folded: readonly FoldedClass[];
}

/** The model's outputs do not have the shapes of its family at this size. */
export class ModelOutputError extends Error {
  override readonly name = 'ModelOutputError';
}

/** The output of these dimensions; null stands for any number. Throws `ModelOutputError` without one. */
export function outputOf(outputs: readonly ModelOutput[], dims: readonly (number | null)[]): ModelOutput {
  const found = outputs.find(
    (output) => output.dims.length === dims.length && dims.every((one, at) => one === null || one === output.dims[at]),
  );
  const shape = dims.map((one) => one ?? 'n').join(' × ');
  if (found === undefined) throw new ModelOutputError(`No output has the shape ${shape}.`);
  const numbers = found.dims.reduce((product, one) => product * one, 1);
  if (found.data.length !== numbers)
    throw new ModelOutputError(`The output ${shape} holds ${found.data.length} numbers.`);
  return found;
}

/** A box by its centre, in pixels of the input, as shares of the frame. */
export function centredBox(
  { x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  frame: LetterboxedFrame,
) {
  return {
    x: (x - width / 2) / frame.width,
    y: (y - height / 2) / frame.height,
    width: width / frame.width,
    height: height / frame.height,
  };
}
