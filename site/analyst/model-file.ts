// A model on the disk: what its description says, and its bytes, which must have the hash that it names.
import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModelRefusal } from '@vedette/contract/enumerations.ts';
import { COCO_LABELS } from '@vedette/rules/scene/detection/coco-labels.ts';
import { hasExternalData } from './external-data.ts';
import { COLOURS_OF, MODEL_KINDS } from './model-kinds.ts';

/** Why a model is not run. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly reason: ModelRefusal;

  constructor(reason: ModelRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

const DESCRIPTION_MAX_BYTES = 64 * 1024;
const MODEL_MAX_BYTES = 256 * 1024 * 1024;

const channels = z.tuple([z.number(), z.number(), z.number()]);

const modelDescription = z
  .object({
    name: z.string().regex(/^[\w.-]{1,64}$/),
    /** How its output is read. */
    kind: z.enum(MODEL_KINDS),
    /** Pixels of a side of the square that it takes: a multiple of its greatest stride. */
    size: z.number().int().min(32).max(1280).multipleOf(32),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    licence: z.string().min(1).max(64),
    /** Order of its planes; mean and deviation of each, of 0 to 255. Absent: what models of its kind are trained with. */
    colours: z.enum(['rgb', 'bgr']).optional(),
    mean: channels.optional(),
    deviation: channels.refine((given) => given.every((one) => one > 0)).optional(),
    /** In the order of its scores; absent: those of COCO. */
    labels: z.array(z.string().max(64)).min(1).max(1000).optional(),
    /** What it is less sure of is not looked at. */
    leastScore: z.number().min(0.05).max(0.9).optional(),
  })
  .refine(({ kind, labels }) => kind !== 'nanodet' || labels === undefined, { path: ['labels'] })
  .transform(({ colours, mean, deviation, labels = COCO_LABELS, leastScore = LEAST_SCORE, ...rest }) => {
    const usual = COLOURS_OF[rest.kind];
    const isUsual = colours === undefined || colours === usual.order;
    return {
      ...rest,
      labels,
      leastScore,
      planes: {
        order: colours ?? usual.order,
        mean: mean ?? (isUsual ? usual.mean : reversed(usual.mean)),
        deviation: deviation ?? (isUsual ? usual.deviation : reversed(usual.deviation)),
      },
    };
  });
export type ModelDescription = z.infer<typeof modelDescription>;

/** The tracker takes none below 0.35. */
const LEAST_SCORE = 0.3;

function reversed([one, two, three]: readonly [number, number, number]): [number, number, number] {
  return [three, two, one];
}

/** Throws ModelFault that says what is wrong. */
export async function readDescription(folder: string): Promise<ModelDescription> {
  const text = await readWhole(join(folder, 'model.json'), DESCRIPTION_MAX_BYTES);
  try {
    return modelDescription.parse(JSON.parse(text.toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw new ModelFault('description', error.message);
    throw error;
  }
}

/** Throws ModelFault where the file is not the one described, or names others: models may crash a runtime, or make it read files. */
export async function readModel(folder: string, { name, sha256 }: ModelDescription): Promise<Buffer> {
  const bytes = await readWhole(join(folder, 'model.onnx'), MODEL_MAX_BYTES);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256)
    throw new ModelFault('hash', `the file of the model ${name} has another hash than its description says`);
  if (isExternal(bytes)) throw new ModelFault('external', `the model ${name} keeps numbers in other files`);
  return bytes;
}

/** What is no model at all is for the runtime to refuse. */
function isExternal(bytes: Buffer): boolean {
  try {
    return hasExternalData(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ModelFault('trial', `no model: ${error.message}`);
  }
}

/** A link could name any file of the machine. */
async function readWhole(path: string, mostBytes: number): Promise<Buffer> {
  const stat = await statOf(path);
  if (!stat.isFile() || stat.size > mostBytes) throw new ModelFault('file', `${path} is no file, or too large`);
  return await readFile(path);
}

async function statOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new ModelFault('file', error.message);
  }
}
