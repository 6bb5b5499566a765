// Installs the runtime of edge intelligence into a folder: from npm, by a lock of its own, for this machine's platform alone.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { npmCommand } from '../bootstrap/install.js';
import { LaunchError } from '../core/launch-error.js';

/** Below `node_modules` of what npm installs: what runs. The rest are other platforms, sources, and what its own installer needs. */
const kept = [
  'onnxruntime-node/package.json',
  'onnxruntime-node/README.md',
  'onnxruntime-node/dist',
  `onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`,
  'onnxruntime-common/package.json',
  'onnxruntime-common/dist/cjs',
];

/**
 * Does nothing where the same release is there already.
 * @param {{ root: string, folder: string, say: (text: string) => void }} order
 */
export function installAnalystRuntime({ root, folder, say }) {
  const lock = path.join(root, 'site', 'analyst', 'runtime');
  if (isSameRelease(lock, folder)) return;
  if (!isPossible())
    throw new LaunchError('analystUnsupported', `the runtime does not exist for ${process.platform} ${process.arch}.`, {
      hint: 'It needs Linux with glibc 2.28 or newer on x64 or arm64.',
    });
  const staging = `${folder}.installing`;
  fs.rmSync(staging, { recursive: true, force: true });
  fs.mkdirSync(path.join(staging, 'all'), { recursive: true });
  try {
    const all = path.join(staging, 'all');
    for (const name of ['package.json', 'package-lock.json'])
      fs.copyFileSync(path.join(lock, name), path.join(all, name));
    say('fetching the runtime of edge intelligence, about 110 MB …');
    install(all);
    const target = path.join(staging, 'kept');
    for (const name of kept)
      fs.cpSync(path.join(all, 'node_modules', name), path.join(target, 'node_modules', name), { recursive: true });
    fs.copyFileSync(path.join(lock, 'package-lock.json'), path.join(target, 'package-lock.json'));
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(target, folder);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * @param {string} lock
 * @param {string} folder
 */
function isSameRelease(lock, folder) {
  const [wanted, present] = [lock, folder].map((one) => path.join(one, 'package-lock.json'));
  return fs.existsSync(present ?? '') && fs.readFileSync(wanted ?? '').equals(fs.readFileSync(present ?? ''));
}

function isPossible() {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  return isKnown && header.glibcVersionRuntime !== undefined;
}

/** @param {string} folder */
function install(folder) {
  const { command, args } = npmCommand();
  // Its install script would fetch a runtime for graphics cards from elsewhere.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(command, [...args, 'ci', ...options], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (error) throw new LaunchError('npmMissing', 'npm could not be started.', { hint: 'Install npm.' });
  if (status !== 0)
    throw new LaunchError('installFailed', `npm ci ended with code ${status}.`, {
      hint: 'Its message stands above; the usual causes are no network and no room on the disk.',
    });
}
