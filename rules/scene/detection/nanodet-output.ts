// Reads what a NanoDet-g model puts out (RangiLyu/nanodet, generalized focal loss) as detections.
import { bestDetections, type Detection } from './detection.ts';
import { foldedScore } from './class-folding.ts';
import { COCO_CLASSES, FOLDED_CLASSES } from './coco-classes.ts';
import { type LetterboxedFrame, type ModelOutput, ModelOutputError } from './model-output.ts';

/** Pixels of the input between two anchors, of each pair of outputs. */
const STRIDES = [8, 16, 32] as const;
/** The distance of a side is the mean of a distribution over 0 to 10 strides. */
const BINS = 11;
const DISTANCES = 4 * BINS;
/** One grid of anchors, `columns` in each direction. */
interface AnchorGrid {
  readonly stride: number;
  readonly columns: number;
  /** `COCO_CLASSES` probabilities of each anchor. */
  readonly scores: Float32Array;
  /** `DISTANCES` logits of each anchor: left, top, right, bottom. */
  readonly distances: Float32Array;
}

/**
 * Detections of one frame, best first, each object once. `outputs`: for strides 8, 16 and 32 scores [1, n, 80] (after the sigmoid) and distances
 * [1, n, 44], in any order; `size`: pixels of the square input; `frame`: its part that shows the frame.
 * Anchors with numbers that are none are left out. Throws `ModelOutputError` where shapes are wrong.
 */
export function nanodetDetections(
  outputs: readonly ModelOutput[],
  size: number,
  frame: LetterboxedFrame,
  leastScore: number,
): Detection[] {
  if (!(frame.width > 0 && frame.height > 0)) throw new ModelOutputError('The frame has no pixels in the input.');
  const found: Detection[] = [];
  for (const grid of anchorGrids(outputs, size)) readGrid(grid, { frame, leastScore }, found);
  return bestDetections(found);
}

function anchorGrids(outputs: readonly ModelOutput[], size: number): AnchorGrid[] {
  if (!Number.isInteger(size) || size <= 0 || size % 32 !== 0) {
    throw new ModelOutputError(`The input has ${size} pixels, which is no multiple of 32.`);
  }
  return STRIDES.map((stride) => {
    const columns = size / stride;
    const anchors = columns * columns;
    return {
      stride,
      columns,
      scores: outputOf(outputs, anchors, COCO_CLASSES),
      distances: outputOf(outputs, anchors, DISTANCES),
    };
  });
}

function outputOf(outputs: readonly ModelOutput[], anchors: number, values: number): Float32Array {
  const output = outputs.find(({ dims: [one, n, each, ...more] }) => {
    return one === 1 && n === anchors && each === values && more.length === 0;
  });
  if (output === undefined) throw new ModelOutputError(`No output has the shape 1 × ${anchors} × ${values}.`);
  if (output.data.length !== anchors * values) {
    throw new ModelOutputError(`The output 1 × ${anchors} × ${values} holds ${output.data.length} numbers.`);
  }
  return output.data;
}

interface Reading {
  readonly frame: LetterboxedFrame;
  readonly leastScore: number;
}

function readGrid(grid: AnchorGrid, { frame, leastScore }: Reading, found: Detection[]): void {
  const anchors = grid.columns * grid.columns;
  for (const folded of FOLDED_CLASSES) {
    const { objectClass } = folded;
    for (let anchor = 0; anchor < anchors; anchor += 1) {
      const from = anchor * COCO_CLASSES;
      const score = foldedScore(folded, (index) => grid.scores[from + index] ?? 0);
      if (score >= leastScore && score > 0) found.push({ objectClass, score, box: boxOf(grid, anchor, frame) });
    }
  }
}

function boxOf({ stride, columns, distances }: AnchorGrid, anchor: number, frame: LetterboxedFrame) {
  const x = ((anchor % columns) + 0.5) * stride;
  const y = (Math.floor(anchor / columns) + 0.5) * stride;
  const from = anchor * DISTANCES;
  const left = x - meanBin(distances, from) * stride;
  const top = y - meanBin(distances, from + BINS) * stride;
  const right = x + meanBin(distances, from + 2 * BINS) * stride;
  const bottom = y + meanBin(distances, from + 3 * BINS) * stride;
  return {
    x: left / frame.width,
    y: top / frame.height,
    width: (right - left) / frame.width,
    height: (bottom - top) / frame.height,
  };
}

/** Mean of the distribution that the softmax of `BINS` logits gives; NaN where one of them is no finite number. */
function meanBin(logits: Float32Array, from: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let bin = 0; bin < BINS; bin += 1) most = Math.max(most, logits[from + bin] ?? 0);
  let [sum, mean] = [0, 0];
  for (let bin = 0; bin < BINS; bin += 1) {
    const weight = Math.exp((logits[from + bin] ?? 0) - most);
    sum += weight;
    mean += weight * bin;
  }
  return mean / sum;
}
