// Identifies a process by PID and start time, since PIDs are reused.

import { readFileSync, readlinkSync, readdirSync } from 'node:fs';

/** @typedef {{ pid: number, startTime: string }} ProcessIdentity start time in clock ticks after boot */

/**
 * @param {number} pid
 * @returns {ProcessIdentity | null} null when no such process runs (a zombie counts as gone)
 */
export function identify(pid) {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return isAlive(pid) && !hasProcFolder() ? { pid, startTime: '' } : null;
  // The command name stands in parentheses and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return { pid, startTime: fields[19] ?? '' };
}

/** @param {ProcessIdentity} identity */
export function isStillRunning(identity) {
  const now = identify(identity.pid);
  return now !== null && now.startTime === identity.startTime;
}

/**
 * @param {number} pid
 * @returns {string | null} path of the program the process runs
 */
export function programOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null; // gone, not ours to see, or no /proc: the caller must not signal it
  }
}

/** @returns {string} differs between machines, boots and containers, so that a pid is only compared where it means something */
export function pidNamespace() {
  const boot = readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  try {
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return boot;
  }
}

/** @returns {number[]} */
export function allProcesses() {
  if (!hasProcFolder()) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {{ code?: string }} */ (error).code === 'EPERM';
  }
}

function hasProcFolder() {
  return readOrNull('/proc/self/stat') !== null;
}

/** @param {string} file */
function readOrNull(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // the process ended, or this system has no /proc
  }
}
