// Takes a backup whenever the last good one is old enough or somebody asks for one, and proves each month that the newest can be restored; each in a process of its own that gives way to all others.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readLines } from '../process/lines.js';
import { noteBackup, readBackupState } from './backup-state.js';
import { removeCheckFolder } from './check-backup.js';
import { requestFile } from './make-backup.js';

const lookMs = 5000;
const retryMs = 3_600_000;
const checkEveryMs = 30 * 86_400_000;

export class BackupSchedule {
  #deps;
  /** @type {NodeJS.Timeout | undefined} */ #timer;
  /** @type {import('node:child_process').ChildProcess | null} */ #running = null;
  #isWanted = false;

  /**
   * @param {object} deps
   * @param {string} deps.root
   * @param {string} deps.node
   * @param {Record<string, string | undefined>} deps.env
   * @param {string} deps.data
   * @param {{ to: string, everyMs: number, keep: number }} deps.plan
   * @param {(line: string) => void} deps.log
   */
  constructor(deps) {
    this.#deps = deps;
  }

  start() {
    removeCheckFolder(this.#deps.data);
    noteBackup(this.#deps.data, { everyMs: this.#deps.plan.everyMs });
    this.#look();
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  /** Resolves when no backup and no check runs any more; one that does is cut off. */
  async end() {
    clearInterval(this.#timer);
    const running = this.#running;
    if (running === null) return;
    const ended = new Promise((resolve) => running.once('close', resolve));
    // With the database that a check runs.
    if (running.pid !== undefined) process.kill(-running.pid);
    await ended;
    removeCheckFolder(this.#deps.data);
  }

  /** Takes one soon whatever the age of the last: the log since then has a hole. */
  takeSoon() {
    this.#isWanted = true;
  }

  #look() {
    const { data, plan } = this.#deps;
    if (this.#running !== null) return;
    const request = path.join(data, requestFile);
    const isAsked = fs.existsSync(request);
    if (isAsked) fs.rmSync(request, { force: true });
    const state = readBackupState(data);
    const wanted = this.#isWanted ? { ...state, good: null } : state;
    if (isAsked || isDue(wanted, plan.everyMs, Date.now())) this.#run(['--keep', String(plan.keep)]);
    else if (isCheckDue(state, Date.now())) this.#run(['--check']);
  }

  /** @param {string[]} how */
  #run(how) {
    const { root, node, env, data, plan, log } = this.#deps;
    const script = path.join(root, 'launcher', 'main-backup.js');
    const args = [script, '--data', data, '--to', plan.to, ...how];
    const child = spawn(node, args, { env, cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#running = child;
    child.on('error', (error) => log(`the backup could not be started: ${error.message}`));
    if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
    for (const stream of [child.stdout, child.stderr]) readLines(stream, log);
    child.on('close', (code) => {
      this.#running = null;
      if (code === 0 && !how.includes('--check')) this.#isWanted = false;
    });
  }
}

/**
 * @param {import('./backup-state.js').BackupState} state
 * @param {number} everyMs
 * @param {number} now
 */
export function isDue({ good, failed }, everyMs, now) {
  if (failed !== null && now - failed.at < Math.min(retryMs, everyMs)) return false;
  return good === null || now - good.at >= everyMs || good.at > now;
}

/**
 * At once after the first backup, as a fault of the set-up shows while somebody is there, and after the next one where a check failed.
 * @param {import('./backup-state.js').BackupState} state
 * @param {number} now
 */
export function isCheckDue({ good, check }, now) {
  if (good === null) return false;
  if (check === null || check.at > now || now - check.at >= checkEveryMs) return true;
  return check.failure !== null && good.at > check.at;
}
