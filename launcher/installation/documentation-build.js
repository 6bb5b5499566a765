// Builds the documentation that the server offers below /docs/, when its sources changed. Without it everything else works, so a start goes on.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { readLines } from '../process/lines.js';
import { hashSources, isBuiltFrom, replaceFolder, writeStamp } from './built-folder.js';

const sources = [
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'contract',
  'phrases',
  'server/http/api-docs',
  'console/features/manual',
  'package-lock.json',
];

/**
 * @param {{ root: string, node: string, say: (text: string) => void, stopping: AbortSignal, target: string }} options
 */
export async function buildDocumentation({ root, node, say, stopping, target }) {
  const builder = path.join(root, 'docs', 'site', 'main-build-docs.ts');
  if (!fs.existsSync(builder)) return;
  const wanted = hashSources(root, sources);
  if (isBuiltFrom(target, wanted)) return;
  const aside = path.join(root, '.vedette', `docs-${process.pid}`);
  try {
    const words = await run(node, [builder, aside], { root, stopping });
    if (words !== null) return say(`the documentation could not be built and is left out:\n${words}`);
    writeStamp(aside, wanted);
    replaceFolder(target, aside);
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @param {{ root: string, stopping: AbortSignal }} options
 * @returns {Promise<string | null>} what it said where it failed
 */
async function run(node, args, { root, stopping }) {
  const child = spawn(node, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], signal: stopping });
  /** @type {string[]} */
  const words = [];
  readLines(child.stderr, (line) => words.push(line));
  const [code] = await once(child, 'close');
  return code === 0 ? null : words.slice(-20).join('\n');
}
