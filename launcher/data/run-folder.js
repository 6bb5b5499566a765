// Folder of unix sockets: private, and short enough for the limit on socket paths.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';

/** sun_path holds 108 bytes with its closing zero; macOS holds 104. */
const longestSocketPath = 103;
const longestSocketName = '/.s.PGSQL.5432.lock';

/**
 * @param {string} dataFolder absolute
 * @param {string} [temporary] where a short path can be had
 * @returns {string}
 */
export function makeRunFolder(dataFolder, temporary = os.tmpdir()) {
  const wanted = path.join(dataFolder, 'run');
  if (Buffer.byteLength(wanted + longestSocketName) <= longestSocketPath) return makePrivate(wanted);
  // Named after the data folder, so that a crashed run's folder is found again instead of piling up.
  const digest = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
  const short = path.join(temporary, `vedette-${process.getuid?.() ?? 0}-${digest}`);
  if (Buffer.byteLength(short + longestSocketName) > longestSocketPath) {
    throw new LaunchError('pathTooLong', `neither ${wanted} nor ${short} is short enough for a unix socket.`, {
      hint: 'Choose a shorter folder with --data DIR or TMPDIR.',
    });
  }
  return makePrivate(short);
}

/** @param {string} folder */
function makePrivate(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = fs.lstatSync(folder);
  // In a shared temporary folder somebody else could have made it first.
  if (!fs.lstatSync(folder).isDirectory() || (process.getuid && uid !== process.getuid())) {
    throw new LaunchError('runFolderForeign', `${folder} belongs to someone else.`, {
      hint: 'Remove it or set TMPDIR.',
    });
  }
  if ((mode & 0o777) !== 0o700) fs.chmodSync(folder, 0o700);
  return folder;
}
