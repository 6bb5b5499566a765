// Reads what a YOLO model of the kind without objectness puts out (YOLOv8 and later, exported without suppression) as detections.
import { foldedScore } from './class-folding.ts';
import { bestDetections, type Detection } from './detection.ts';
import { centredBox, type ModelOutput, type OutputReading, outputOf } from './model-output.ts';

/** Centre and size, in pixels of the input. */
const HEAD = 4;

/** One output [1, 4 + labels, n]. Numbers that are none are left out. */
export function yoloDetections(outputs: readonly ModelOutput[], reading: OutputReading): Detection[] {
  const { labels, leastScore, folded, frame } = reading;
  const { data, dims } = outputOf(outputs, [1, HEAD + labels, null]);
  const count = dims[2] ?? 0;
  const found: Detection[] = [];
  for (let at = 0; at < count; at += 1) {
    const value = (row: number): number => data[row * count + at] ?? Number.NaN;
    for (const one of folded) {
      const score = foldedScore(one, (label) => value(HEAD + label));
      if (score < leastScore) continue;
      const box = { x: value(0), y: value(1), width: value(2), height: value(3) };
      found.push({ objectClass: one.objectClass, score, box: centredBox(box, frame) });
    }
  }
  return bestDetections(found);
}
