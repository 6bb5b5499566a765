// Handles postmaster.pid: stops an orphaned PostgreSQL in order, never signals a reused PID.

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isStillRunning, programOf } from '../process/identity.js';

/** After SIGINT (fast), SIGQUIT (immediate) and SIGKILL it is given this long each. */
const patienceMs = 5_000;

/**
 * @param {string} clusterFolder
 * @param {(line: string) => void} log
 */
export async function clearPostmaster(clusterFolder, log) {
  const file = path.join(clusterFolder, 'postmaster.pid');
  const pid = readPid(file);
  if (pid === null) return;
  const identity = identify(pid);
  const program = programOf(pid);
  if (identity && program === null) return; // not ours to judge: PostgreSQL itself decides
  if (!identity || path.basename(program ?? '') !== 'postgres' || !worksIn(pid, clusterFolder)) {
    log(`postmaster.pid names process ${pid}, which is not this database: removed`);
    fs.rmSync(file, { force: true });
    return;
  }
  log(`an orphaned PostgreSQL (process ${pid}) still runs here: ending it`);
  await end(pid, identity);
}

/**
 * @param {number} pid
 * @param {import('../process/identity.js').ProcessIdentity} identity
 */
async function end(pid, identity) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGQUIT', 'SIGKILL'])) {
    if (!isStillRunning(identity)) return;
    process.kill(pid, signal);
    const until = performance.now() + patienceMs;
    while (isStillRunning(identity) && performance.now() < until) await delay(25);
  }
}

/**
 * True once PostgreSQL itself wrote that it takes connections.
 * @param {string} clusterFolder
 */
export function saysReady(clusterFolder) {
  try {
    return fs.readFileSync(path.join(clusterFolder, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false; // not written yet
  }
}

/** @param {string} file */
function readPid(file) {
  try {
    const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null; // no such file: nothing runs
  }
}

/**
 * A postmaster's working folder is its cluster.
 * @param {number} pid
 * @param {string} clusterFolder
 */
function worksIn(pid, clusterFolder) {
  try {
    return fs.realpathSync(`/proc/${pid}/cwd`) === fs.realpathSync(clusterFolder);
  } catch {
    return false; // it ended meanwhile
  }
}
