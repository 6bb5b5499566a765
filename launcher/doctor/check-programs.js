// Doctor: versions in use, and programs of the system that Vedette makes use of.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ok, warning } from './finding.js';

/** Absent ones cost something, and nothing fails without them. */
const programs = [
  { name: 'ffmpeg', loss: 'cameras whose video this browser cannot show are not converted' },
  { name: 'setpriv', loss: 'PostgreSQL may outlive a launcher that is killed', of: 'util-linux' },
];

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {import('./finding.js').Finding[]}
 */
export function checkPrograms({ root, env }) {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const system = `${os.type()} ${os.release()} ${os.arch()}`;
  return [
    ok('versions', `Vedette ${version} on Node.js ${process.versions.node}, ${system}.`),
    ...programs.map((program) => programFinding(program, env['PATH'] ?? '')),
  ];
}

/**
 * @param {{ name: string, loss: string, of?: string }} program
 * @param {string} searchPath
 */
function programFinding({ name, loss, of = name }, searchPath) {
  const found = searchPath.split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, name)));
  if (found) return ok('programs', `${name} is installed.`);
  return warning('programs', `${name} is not installed: ${loss}.`, `Run: sudo apt-get install ${of}`);
}
