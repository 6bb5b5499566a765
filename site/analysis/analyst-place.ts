// Where the parts of edge intelligence lie: the runtime, which is installed apart, and the model that comes with the program.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MODEL_FOLDER = fileURLToPath(new URL('../analyst/models/nanodet-g-320/', import.meta.url));

/** `npm run analyst:install` puts it there. */
export async function isRuntimeInstalled(runtimeFolder: string): Promise<boolean> {
  try {
    await access(join(runtimeFolder, 'node_modules', 'onnxruntime-node', 'package.json'));
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return false;
  }
}
