// Composition root of `npm run package:deb`: a Debian package of this working copy with everything that it needs at run time.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../bootstrap/install.js';
import { productVersion } from '../core/product-version.js';
import { buildConsole } from '../installation/console-build.js';
import { runCommand } from '../installation/run-installation.js';
import { findPostgres } from '../postgres/binaries.js';
import { addDebianFiles, architecture, pack } from './debian-package.js';
import { stageProgram } from './stage-program.js';

const usage = `Usage: npm run package:deb -- [--to DIR]

  --to DIR   folder of the package, default ./dist
  --help     this text`;

process.exitCode = await runCommand(process.argv.slice(2), run, { read, usage, verb: 'package' });

/**
 * @param {string[]} args
 * @returns {{ to: string } | 'help'}
 */
function read(args) {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, help: { type: 'boolean' } }, strict: true });
  return values.help ? 'help' : { to: path.resolve(root, values.to ?? 'dist') };
}

/** @param {{ to: string }} options */
async function run({ to }) {
  const say = (/** @type {string} */ text) => process.stderr.write(`vedette: ${text}\n`);
  const stopping = new AbortController().signal;
  const consoleFolder = await buildConsole({ root, node: process.execPath, say, stopping });
  // Makes the links of the package, which an installation must not write.
  findPostgres(root);
  const staging = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-deb-'));
  try {
    fs.chmodSync(staging, 0o755);
    stageProgram({ root, consoleFolder, target: path.join(staging, 'usr', 'lib', 'vedette') });
    const version = productVersion(root);
    addDebianFiles(staging, { root, version });
    fs.mkdirSync(to, { recursive: true });
    const file = path.join(to, `vedette_${version}_${architecture}.deb`);
    pack(staging, { root, file });
    process.stdout.write(`${JSON.stringify({ event: 'packaged', file, bytes: fs.statSync(file).size })}\n`);
    return 0;
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}
