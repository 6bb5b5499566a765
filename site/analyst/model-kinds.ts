// The families of models that the analyst can read: the colours they are trained with, and the reader of their outputs.
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import { detrDetections } from '@vedette/rules/scene/detection/detr-output.ts';
import type { ModelOutput, OutputReading } from '@vedette/rules/scene/detection/model-output.ts';
import { nanodetDetections } from '@vedette/rules/scene/detection/nanodet-output.ts';
import { yoloDetections } from '@vedette/rules/scene/detection/yolo-output.ts';
import { yoloxDetections } from '@vedette/rules/scene/detection/yolox-output.ts';

export const MODEL_KINDS = ['nanodet', 'yolox', 'yolo', 'd-fine', 'rf-detr'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

type Channels = [number, number, number];

/** Mean and deviation of each plane in its order, of 0 to 255. */
export interface PlaneColours {
  readonly order: 'rgb' | 'bgr';
  readonly mean: Readonly<Channels>;
  readonly deviation: Readonly<Channels>;
}

const SHARES: PlaneColours = { order: 'rgb', mean: [0, 0, 0], deviation: [255, 255, 255] };

/** As their authors publish them; NanoDet and RF-DETR with the means of ImageNet. */
export const COLOURS_OF: Readonly<Record<ModelKind, PlaneColours>> = {
  nanodet: { order: 'bgr', mean: [103.53, 116.28, 123.675], deviation: [57.375, 57.12, 58.395] },
  yolox: { order: 'bgr', mean: [0, 0, 0], deviation: [1, 1, 1] },
  yolo: SHARES,
  'd-fine': SHARES,
  'rf-detr': { order: 'rgb', mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375] },
};

type ReadOutputs = (outputs: readonly ModelOutput[], reading: OutputReading) => Detection[];

export const READER_OF: Readonly<Record<ModelKind, ReadOutputs>> = {
  nanodet: (outputs, { size, frame, leastScore }) => nanodetDetections(outputs, size, frame, leastScore),
  yolox: yoloxDetections,
  yolo: yoloDetections,
  'd-fine': detrDetections,
  'rf-detr': detrDetections,
};
