// Doctor: is the clock of this machine plausible and synchronised? Recordings are filed under it.

import fs from 'node:fs';
import path from 'node:path';
import { run } from '../process/run.js';
import { failure, ok, warning } from './finding.js';

/** No release is older. */
const earliest = Date.UTC(2026, 0, 1);
/** The log may have been written at this very moment. */
const toleranceMs = 60_000;

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {Promise<import('./finding.js').Finding[]>}
 */
export async function checkClock({ options, now, env }) {
  const at = now.toISOString();
  const advice = 'Set the clock, and switch on time synchronisation (timedatectl set-ntp true).';
  if (now.getTime() < earliest) return [failure('clock', `The clock says ${at}, which cannot be right.`, advice)];
  const last = lastWritten(path.join(options.data, 'logs'));
  if (last !== null && last > now.getTime() + toleranceMs)
    return [failure('clock', `The clock says ${at}, but the log was written at ${iso(last)}, later.`, advice)];
  const { code, stdout } = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    cwd: '/',
    env: { PATH: env['PATH'] },
  });
  if (code !== 0) return [ok('clock', `The clock says ${at}. Nothing here tells whether it is synchronised.`)];
  if (stdout.trim() === 'yes') return [ok('clock', `The clock says ${at} and is synchronised.`)];
  return [warning('clock', `The clock says ${at} and is not synchronised.`, advice)];
}

/**
 * @param {string} folder
 * @returns {number | null} when a log was last written, in ms since 1970
 */
function lastWritten(folder) {
  if (!fs.existsSync(folder)) return null;
  const times = fs.readdirSync(folder).map((name) => fs.statSync(path.join(folder, name)).mtimeMs);
  return times.length === 0 ? null : Math.max(...times);
}

/** @param {number} ms */
function iso(ms) {
  return new Date(ms).toISOString();
}
