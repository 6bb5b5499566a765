// A model in the runtime: one thread for each inference, which gives more frames per second of processor time than several.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import { bestDetections, type Detection } from '@vedette/rules/scene/detection/detection.ts';
import { foldedClasses } from '@vedette/rules/scene/detection/class-folding.ts';
import type { ModelOutput, OutputReading } from '@vedette/rules/scene/detection/model-output.ts';
import { letterbox } from './letterbox.ts';
import { type ModelDescription, ModelFault, readDescription, readModel } from './model-file.ts';
import { READER_OF } from './model-kinds.ts';
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
/** Rejects with ModelFault, and with Error where the runtime is missing or damaged. */
export async function openDetector(runtimeFolder: string, modelFolder: string): Promise<Detector> {
  const description = await readDescription(modelFolder);
  const model = await readModel(modelFolder, description);
  const require = createRequire(join(runtimeFolder, 'package.json'));
  const runtime = require(RUNTIME) as Runtime;
  try {
    const session = await runtime.InferenceSession.create(model, OPTIONS);
    const detector = new Detector(runtime, session, description);
    // Wrong shapes show here, not at the first frame of a camera.
    await detector.tryOut();
    return detector;
  } catch (error) {
    throw error instanceof ModelFault ? error : new ModelFault('trial', errorMessage(error));
  }
}

export class Detector {
  readonly description: ModelDescription;
  readonly classes: readonly ObjectClass[];
  readonly #runtime: Runtime;
  readonly #session: Session;
  readonly #planes: Float32Array;
  readonly #reading: Omit<OutputReading, 'frame'>;

  constructor(runtime: Runtime, session: Session, description: ModelDescription) {
    const { size, labels, leastScore } = description;
    const folded = foldedClasses(labels);
    this.description = description;
    this.classes = folded.map(({ objectClass }) => objectClass);
    this.#runtime = runtime;
    this.#session = session;
    this.#planes = new Float32Array(3 * size * size);
    this.#reading = { size, labels: labels.length, folded, leastScore };
  }

  /** Throws ModelFault where the model has other inputs or outputs than its kind, and where it answers with numbers that are none. */
  async tryOut(): Promise<void> {
    if (this.classes.length === 0) throw new ModelFault('description', 'none of its labels is looked for');
    if (this.#session.inputNames.length !== 1) throw new ModelFault('trial', 'the model takes more than a frame');
    const frame = { width: 1, height: 1, rgb: new Uint8Array(3) };
    const { outputs, within } = await this.#infer(frame, { x: 0, y: 0, width: 1, height: 1 });
    if (outputs.some(({ data }) => !data.every(Number.isFinite)))
      throw new ModelFault('trial', 'the model answers with numbers that are none');
    this.#read(outputs, within);
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
    const { outputs, within } = await this.#infer(frame, region);
    return this.#read(outputs, within);
  }

  async #infer(frame: Pick<AnalystFrame, 'width' | 'rgb'>, region: PixelRegion) {
    const { size, planes: colours } = this.description;
    const { planes, ...within } = letterbox(frame, region, { size, planes: this.#planes, colours });
    const [name = ''] = this.#session.inputNames;
    const input = new this.#runtime.Tensor('float32', planes, [1, 3, size, size]);
    const answers = Object.values(await this.#session.run({ [name]: input }));
    // What is of other numbers, such as indices of labels, is not needed.
    const outputs = answers.flatMap(({ dims, data }) => (data instanceof Float32Array ? [{ dims, data }] : []));
    return { outputs, within };
  }

  #read(outputs: readonly ModelOutput[], frame: OutputReading['frame']): readonly Detection[] {
    return READER_OF[this.description.kind](outputs, { ...this.#reading, frame });
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
