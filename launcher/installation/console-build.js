// Builds the console when its sources changed, beside the old build, so that a running server never serves half a build.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { readLines } from '../process/lines.js';
import { hashSources, isBuiltFrom, replaceFolder, writeStamp } from './built-folder.js';
import { buildDocumentation } from './documentation-build.js';

const sources = [
  'console',
  'player',
  'foundation',
  'contract',
  'bridge',
  'rules',
  'phrases',
  'protocols',
  'docs/manual',
  'package-lock.json',
];
const assetList = '.of-this-build';

/**
 * @param {{ root: string, node: string, say: (text: string) => void, stopping: AbortSignal }} options
 * @returns {Promise<string>} folder of the built console
 */
export async function buildConsole({ root, node, say, stopping }) {
  const target = path.join(root, 'console', 'dist');
  if (!fs.existsSync(path.join(root, 'console', 'index.html'))) return target;
  const wanted = hashSources(root, sources);
  if (!isBuiltFrom(target, wanted)) await buildAside({ root, node, say, stopping }, target, wanted);
  await buildDocumentation({ root, node, say, stopping, target: path.join(target, 'docs') });
  return target;
}

/**
 * @param {{ root: string, node: string, say: (text: string) => void, stopping: AbortSignal }} options
 * @param {string} target
 * @param {string} wanted hash of the sources
 */
async function buildAside({ root, node, say, stopping }, target, wanted) {
  say('building the console (only when its sources changed) …');
  const aside = path.join(root, '.vedette', `console-${process.pid}`);
  try {
    await runVite({ root, node, target: aside, stopping });
    keepFormerAssets(path.join(target, 'assets'), path.join(aside, 'assets'));
    writeStamp(aside, wanted);
    replaceFolder(target, aside);
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** @param {{ root: string, node: string, target: string, stopping: AbortSignal }} options */
async function runVite({ root, node, target, stopping }) {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', 'console', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], signal: stopping });
  /** @type {string[]} */
  const words = [];
  readLines(child.stdout, (line) => words.push(line));
  readLines(child.stderr, (line) => words.push(line));
  const [code] = await once(child, 'close');
  if (code !== 0)
    throw new LaunchError('consoleNotBuilt', `vite ended with code ${code}.`, {
      hint: `It said:\n${words.slice(-20).join('\n')}`,
    });
}

/**
 * A page that was opened before goes on loading its chunks, whose names carry their hash: those of the build before stay
 * for one build, told from older ones by the list that every build leaves.
 * @param {string} former
 * @param {string} fresh
 */
function keepFormerAssets(former, fresh) {
  const own = fs.readdirSync(fresh);
  const list = path.join(former, assetList);
  const kept = fs.existsSync(list) ? fs.readFileSync(list, 'utf8').split('\n') : [];
  for (const name of kept)
    if (!own.includes(name))
      fs.copyFileSync(path.join(former, name), path.join(fresh, name), fs.constants.COPYFILE_FICLONE);
  fs.writeFileSync(path.join(fresh, assetList), own.join('\n'));
}

/**
 * @param {string} target the built console
 * @returns {string[]} names of its assets, without those that it keeps of the build before
 */
export function ownAssets(target) {
  return fs.readFileSync(path.join(target, 'assets', assetList), 'utf8').split('\n');
}
