// The runtime of edge intelligence for tests: installed once beside the packages, by the same code as `npm run analyst:install`.

import path from 'node:path';
import { installAnalystRuntime } from '../analyst/install-runtime.js';
import { root } from '../bootstrap/install.js';
import { describeLaunchError } from '../core/launch-error.js';

/** tests/harness/analyst-runtime.ts finds it there. */
const folder = path.join(root, '.vedette', 'analyst');

/**
 * What needs it is skipped where it cannot be had, as tests/skips.json allows.
 * @param {(text: string) => void} say
 */
export function ensureAnalystRuntime(say) {
  try {
    installAnalystRuntime({ root, folder, say });
  } catch (error) {
    say(describeLaunchError(error, 'install'));
  }
}
