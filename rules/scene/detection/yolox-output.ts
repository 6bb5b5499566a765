// Reads what a YOLOX model puts out (Megvii/YOLOX, exported without its decoder) as detections.
import { foldedScore } from './class-folding.ts';
import { bestDetections, type Detection } from './detection.ts';
import { centredBox, type ModelOutput, type OutputReading, outputOf } from './model-output.ts';

const STRIDES = [8, 16, 32] as const;
/** Centre and logarithm of the size in strides, and whether there is an object. */
const HEAD = 5;

/** One output [1, n, 5 + labels]: for each anchor of the strides in turn. Numbers that are none are left out. */
export function yoloxDetections(outputs: readonly ModelOutput[], reading: OutputReading): Detection[] {
  const { size, labels } = reading;
  const anchors = STRIDES.reduce((sum, stride) => sum + (size / stride) ** 2, 0);
  const { data } = outputOf(outputs, [1, anchors, HEAD + labels]);
  const found: Detection[] = [];
  let from = 0;
  for (const stride of STRIDES) {
    const columns = size / stride;
    for (let cell = 0; cell < columns * columns; cell += 1) {
      readAnchor(data, { from, stride, column: cell % columns, row: Math.floor(cell / columns) }, reading, found);
      from += HEAD + labels;
    }
  }
  return bestDetections(found);
}

interface Anchor {
  readonly from: number;
  readonly stride: number;
  readonly column: number;
  readonly row: number;
}

function readAnchor(
  data: Float32Array,
  { from, stride, column, row }: Anchor,
  { frame, leastScore, folded }: OutputReading,
  found: Detection[],
): void {
  const at = (index: number): number => data[from + index] ?? Number.NaN;
  const objectness = at(4);
  // Also where it is NaN.
  if (!(objectness >= leastScore)) return;
  for (const one of folded) {
    const score = foldedScore(one, (label) => objectness * at(HEAD + label));
    if (score < leastScore) continue;
    const centre = { x: (at(0) + column) * stride, y: (at(1) + row) * stride };
    const size = { width: Math.exp(at(2)) * stride, height: Math.exp(at(3)) * stride };
    found.push({ objectClass: one.objectClass, score, box: centredBox({ ...centre, ...size }, frame) });
  }
}
