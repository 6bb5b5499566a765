// Options of `npm run doctor`: those of `npm start`, the form of the answer and the support bundle.

import path from 'node:path';
import { launchOptions, parseArguments } from './options.js';

export const doctorUsage = `Usage: npm run doctor -- [options]

Looks at ports, clock, disk, database, key, certificate, cameras and programs, and says what to do. It may be used while
Vedette runs and while it does not, and changes nothing. Give it the options that Vedette is started with.

  --json                 one JSON object instead of lines
  --bundle FILE          writes a support bundle (.tar.gz): the answer, versions, settings and the ends of the logs,
                         without secrets
  --help                 this text

It ends with 0 when nothing fails, 1 when something does, 2 when the options are wrong.
All options of npm start (npm start -- --help) are taken as well.`;

/** @typedef {import('./options.js').LaunchOptions & { json: boolean, bundle: string | null }} DoctorOptions */

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {string} root
 * @returns {DoctorOptions | 'help'}
 */
export function readDoctorOptions(args, env, root) {
  const own = /** @type {const} */ ({ json: { type: 'boolean' }, bundle: { type: 'string' } });
  const values = parseArguments(args, own, 'npm run doctor');
  if (values.help) return 'help';
  const bundle = values.bundle === undefined ? null : path.resolve(root, values.bundle);
  return { ...launchOptions(values, env, root), json: values.json ?? false, bundle };
}
