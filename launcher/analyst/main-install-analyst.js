// Composition root of `npm run analyst:install`: puts the runtime of edge intelligence into the data folder.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../bootstrap/install.js';
import { runCommand } from '../installation/run-installation.js';
import { setting } from '../options/setting.js';
import { installAnalystRuntime } from './install-runtime.js';

const usage = `Usage: npm run analyst:install -- [--data DIR]

Fetches the runtime of edge intelligence for this machine. A site that runs finds it within some seconds.

  --data DIR   data folder of the installation or remote site    VEDETTE_DATA, default ./data
  --help       this text`;

process.exitCode = await runCommand(process.argv.slice(2), run, { read, usage, verb: 'install' });

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @returns {{ folder: string } | 'help'}
 */
function read(args, env) {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, help: { type: 'boolean' } },
    strict: true,
  });
  if (values.help) return 'help';
  const data = path.resolve(root, setting(values.data, env['VEDETTE_DATA'], 'data'));
  return { folder: setting(undefined, env['VEDETTE_ANALYST'], path.join(data, 'analyst')) };
}

/** @param {{ folder: string }} options */
async function run({ folder }) {
  const say = (/** @type {string} */ text) => process.stderr.write(`vedette: ${text}\n`);
  installAnalystRuntime({ root, folder, say });
  process.stdout.write(`${JSON.stringify({ event: 'installed', folder })}\n`);
  return 0;
}
