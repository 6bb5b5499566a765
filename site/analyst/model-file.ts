// A model on the disk: what its description says, and its bytes, which must have the hash that it names.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const modelDescription = z.object({
  name: z.string().regex(/^[\w.-]{1,64}$/),
  /** How its output is read. */
  kind: z.literal('nanodet'),
  /** Pixels of a side of the square that it takes: a multiple of its greatest stride. */
  size: z.number().int().min(32).max(1280).multipleOf(32),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  licence: z.string().min(1).max(64),
});
export type ModelDescription = z.infer<typeof modelDescription>;

/** Throws Error that says what is wrong. */
export async function readDescription(folder: string): Promise<ModelDescription> {
  return modelDescription.parse(JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')));
}

/** Throws Error where the file is not the one described: models may crash a runtime, or make it read files. */
export async function readModel(folder: string, { name, sha256 }: ModelDescription): Promise<Buffer> {
  const bytes = await readFile(join(folder, 'model.onnx'));
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`the file of the model ${name} has another hash than its description says`);
  return bytes;
}
