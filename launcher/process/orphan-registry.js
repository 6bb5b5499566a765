// Registry of running children, so that the next start can end those that outlived a killed launcher.

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isStillRunning } from './identity.js';

const graceMs = 6_000;

/** @param {string} runFolder */
export function openOrphanRegistry(runFolder) {
  const file = path.join(runFolder, 'children.json');
  /** @type {Map<string, import('./identity.js').ProcessIdentity>} */
  const running = new Map();
  return {
    /**
     * @param {string} name
     * @param {number | null} pid
     */
    note(name, pid) {
      const identity = pid === null ? null : identify(pid);
      if (identity) running.set(name, identity);
      else running.delete(name);
      fs.writeFileSync(file, JSON.stringify([...running.values()]), { mode: 0o600 });
    },
    /** Only processes with the very pid and start time of then are touched. */
    async endOld() {
      const old = read(file).filter(isStillRunning);
      for (const { pid } of old) signal(pid, 'SIGTERM');
      const until = performance.now() + graceMs;
      while (old.some(isStillRunning) && performance.now() < until) await delay(50);
      for (const identity of old) if (isStillRunning(identity)) signal(identity.pid, 'SIGKILL');
      return old.length;
    },
  };
}

/**
 * @param {string} file
 * @returns {import('./identity.js').ProcessIdentity[]}
 */
function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return []; // none written yet, or cut off by a power loss: then no process survived either
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== 'ESRCH') throw error;
  }
}
