// Doctor: do the cameras accept connections from this machine?

import fs from 'node:fs';
import path from 'node:path';
import { run } from '../process/run.js';
import { failure, ok, warning } from './finding.js';

/** More names than these are counted. */
const named = 5;

/**
 * The site's own program asks them, under the same network policy as the site; it prints no address.
 * @param {import('./finding.js').Patient} patient
 * @returns {Promise<import('./finding.js').Finding[]>}
 */
export async function checkCameras({ root, node, env, options }) {
  if (!fs.existsSync(path.join(options.data, 'site', 'assignments.sealed')))
    return [ok('cameras', 'No camera is known here yet.')];
  const { code, stdout } = await run(node, ['site/main-reach.ts', '--data', options.data], {
    cwd: root,
    env: { PATH: env['PATH'], VEDETTE_KEY: env['VEDETTE_KEY'] },
  });
  if (code !== 0)
    return [failure('cameras', 'The list of cameras cannot be read.', 'Check the master key; start Vedette once.')];
  /** @type {{ deviceSerial: string, fault: string }[]} */
  const devices = JSON.parse(stdout).devices;
  const away = devices.filter(({ fault }) => fault !== '');
  const answer = `${devices.length - away.length} of ${devices.length} cameras accept connections.`;
  if (away.length === 0) return [ok('cameras', answer)];
  const list = away.slice(0, named).map(({ deviceSerial, fault }) => `${deviceSerial} (${fault})`);
  const more = away.length > named ? ` and ${away.length - named} more` : '';
  const advice = 'Check their power and cables, and that this machine has an address in their network.';
  return [warning('cameras', `${answer} Not: ${list.join(', ')}${more}.`, advice)];
}
