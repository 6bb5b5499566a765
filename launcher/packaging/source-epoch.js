// The time that everything in a package has: that of the last commit, so that equal sources make equal packages.

import { spawnSync } from 'node:child_process';

/**
 * Seconds since 1970 UTC.
 * @param {string} root of the clone
 */
export function sourceEpoch(root) {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) return Number(given);
  return Number(spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).stdout.trim());
}
