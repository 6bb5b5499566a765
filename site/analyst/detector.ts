// A model in the runtime: one thread for each inference, which gives more frames per second of processor time than several.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bestDetections, type Detection } from '@vedette/rules/scene/detection/detection.ts';
import { nanodetDetections } from '@vedette/rules/scene/detection/nanodet-output.ts';
import { letterbox } from './letterbox.ts';
import { type ModelDescription, readDescription, readModel } from './model-file.ts';
import type { AnalystFrame, PixelRegion } from './frame-wire.ts';

/** What we use of onnxruntime-node, which is installed apart from this program. */
interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array, options: unknown): Promise<Session> };
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => Tensor;
}
interface Session {
  readonly inputNames: readonly string[];
  run(input: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}
interface Tensor {
  readonly dims: readonly number[];
  readonly data: unknown;
}

/** Installed apart from this program: nothing that imports it may be needed to build or check it. */
const RUNTIME = 'onnxruntime-node';
/** Spinning while it waits cost three times the processor time on a busy machine. */
const OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  logSeverityLevel: 3,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};
/** The tracker takes none below 0.35. */
const LEAST_SCORE = 0.3;

/** Rejects with Error where the runtime or the model is missing, damaged, or of other shapes. */
export async function openDetector(runtimeFolder: string, modelFolder: string): Promise<Detector> {
  const description = await readDescription(modelFolder);
  const model = await readModel(modelFolder, description);
  const require = createRequire(join(runtimeFolder, 'package.json'));
  const runtime = require(RUNTIME) as Runtime;
  const session = await runtime.InferenceSession.create(model, OPTIONS);
  const detector = new Detector(runtime, session, description);
  // Wrong shapes show here, not at the first frame of a camera.
  await detector.detect({ width: 1, height: 1, rgb: new Uint8Array(3), region: null });
  return detector;
}

export class Detector {
  readonly #runtime: Runtime;
  readonly #session: Session;
  readonly #size: number;
  readonly #planes: Float32Array;

  constructor(runtime: Runtime, session: Session, { size }: ModelDescription) {
    this.#runtime = runtime;
    this.#session = session;
    this.#size = size;
    this.#planes = new Float32Array(3 * size * size);
  }

  /** One at a time. The region, where there is one, is looked at enlarged as well. */
  async detect(frame: AnalystFrame): Promise<readonly Detection[]> {
    const { width, height, region } = frame;
    const found = await this.#look(frame, { x: 0, y: 0, width, height });
    if (region === null) return found;
    const enlarged = await this.#look(frame, region);
    return bestDetections([...found, ...enlarged.flatMap((one) => withinFrame(one, region, frame))]);
  }

  async #look(frame: AnalystFrame, region: PixelRegion): Promise<readonly Detection[]> {
    const size = this.#size;
    const { planes, ...within } = letterbox(frame, region, { size, planes: this.#planes });
    const [name = ''] = this.#session.inputNames;
    const input = new this.#runtime.Tensor('float32', planes, [1, 3, size, size]);
    const outputs = Object.values(await this.#session.run({ [name]: input })).map(({ dims, data }) => {
      if (!(data instanceof Float32Array)) throw new TypeError('the model answers other than with 32 bit numbers');
      return { dims, data };
    });
    return nanodetDetections(outputs, size, within, LEAST_SCORE);
  }
}

/** Of a region's width or height: what touches its edge within the frame may be half of something. */
const EDGE = 0.015;

function withinFrame(
  { box, ...rest }: Detection,
  region: PixelRegion,
  { width, height }: Pick<AnalystFrame, 'width' | 'height'>,
): readonly Detection[] {
  const isCut =
    (box.x < EDGE && region.x > 0) ||
    (box.y < EDGE && region.y > 0) ||
    (box.x + box.width > 1 - EDGE && region.x + region.width < width) ||
    (box.y + box.height > 1 - EDGE && region.y + region.height < height);
  if (isCut) return [];
  const whole = {
    x: (region.x + box.x * region.width) / width,
    y: (region.y + box.y * region.height) / height,
    width: (box.width * region.width) / width,
    height: (box.height * region.height) / height,
  };
  return [{ ...rest, box: whole }];
}
