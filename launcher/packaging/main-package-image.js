// Composition root of `npm run package:image`: an image of this working copy for container engines, made without one.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../bootstrap/install.js';
import { productVersion } from '../core/product-version.js';
import { buildConsole } from '../installation/console-build.js';
import { runCommand } from '../installation/run-installation.js';
import { findPostgres } from '../postgres/binaries.js';
import { makeBaseSystem } from './base-system.js';
import { architecture } from './debian-package.js';
import { addImageFiles, imageConfig, imageUser } from './image-files.js';
import { OciImage } from './oci-image.js';
import { sourceEpoch } from './source-epoch.js';
import { stageProgram } from './stage-program.js';

const usage = `Usage: npm run package:image -- [options]

  --to DIR          folder of the image, default ./dist
  --base FILE       tar of a Debian 12 to build on; without it, mmdebstrap makes one
  --packages LIST   more packages of Debian in it, comma separated, such as ffmpeg
  --help            this text`;

process.exitCode = await runCommand(process.argv.slice(2), run, { read, usage, verb: 'package' });

/**
 * @typedef {{ to: string, base: string | null, packages: string[] }} ImageOptions
 * @param {string[]} args
 * @returns {ImageOptions | 'help'}
 */
function read(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  const options = { to: text, base: text, packages: text, help: /** @type {const} */ ({ type: 'boolean' }) };
  const { values } = parseArgs({ args, options, strict: true });
  if (values.help) return 'help';
  const base = values.base === undefined ? null : path.resolve(root, values.base);
  return { to: path.resolve(root, values.to ?? 'dist'), base, packages: values.packages?.split(',') ?? [] };
}

/** @param {ImageOptions} options */
async function run({ to, base, packages }) {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-image-'));
  try {
    const epoch = sourceEpoch(root);
    const system = base ?? path.join(work, 'base.tar');
    if (base === null) makeBaseSystem(system, { epoch, packages });
    const image = new OciImage(path.join(work, 'layout'), epoch);
    await image.addTar(fs.createReadStream(system), 'Debian');
    await addProgram(image, path.join(work, 'program'), system);
    await addHome(image, path.join(work, 'home'));
    const version = productVersion(root);
    fs.mkdirSync(to, { recursive: true });
    const file = path.join(to, `vedette_${version}_${architecture}.oci.tar`);
    const about = { name: `vedette:${version}`, architecture, config: imageConfig(version) };
    process.stdout.write(`${JSON.stringify({ event: 'packaged', file, ...image.write(file, about) })}\n`);
    return 0;
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {OciImage} image
 * @param {string} folder
 * @param {string} base tar of the Debian below
 */
async function addProgram(image, folder, base) {
  const say = (/** @type {string} */ text) => process.stderr.write(`vedette: ${text}\n`);
  const stopping = new AbortController().signal;
  const consoleFolder = await buildConsole({ root, node: process.execPath, say, stopping });
  // Makes the links of the package, which an installation must not write.
  findPostgres(root);
  stageProgram({ root, consoleFolder, target: path.join(folder, 'usr', 'lib', 'vedette') });
  addImageFiles(folder, base);
  await image.addFolder(folder, { owner: 0, note: 'the program' });
}

/**
 * @param {OciImage} image
 * @param {string} folder
 */
async function addHome(image, folder) {
  fs.mkdirSync(path.join(folder, 'var', 'lib', 'vedette'), { recursive: true });
  await image.addFolder(folder, { owner: imageUser, note: 'the data folder' });
}
