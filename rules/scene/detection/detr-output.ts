// Reads what a detection transformer puts out (D-FINE, RF-DETR: queries with logits and boxes) as detections.
import { foldedScore } from './class-folding.ts';
import { bestDetections, type Detection } from './detection.ts';
import { centredBox, type ModelOutput, type OutputReading, outputOf } from './model-output.ts';

/** Boxes [1, n, 4] (centre and size in shares of the input) and logits [1, n, labels]. Numbers that are none are left out. */
export function detrDetections(outputs: readonly ModelOutput[], reading: OutputReading): Detection[] {
  const { size, labels, leastScore, folded, frame } = reading;
  const boxes = outputOf(outputs, [1, null, 4]);
  const count = boxes.dims[1] ?? 0;
  const logits = outputOf(
    outputs.filter((output) => output !== boxes),
    [1, count, labels],
  );
  const found: Detection[] = [];
  for (let query = 0; query < count; query += 1) {
    const side = (index: number): number => (boxes.data[query * 4 + index] ?? Number.NaN) * size;
    for (const one of folded) {
      const score = foldedScore(one, (label) => sigmoid(logits.data[query * labels + label] ?? Number.NaN));
      if (score < leastScore) continue;
      const box = { x: side(0), y: side(1), width: side(2), height: side(3) };
      found.push({ objectClass: one.objectClass, score, box: centredBox(box, frame) });
    }
  }
  return bestDetections(found);
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
