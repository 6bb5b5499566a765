// The backups of an installation that runs: by the plan that its start names, else by that of the console, which may change meanwhile.

import { spoolIsTaken } from '../postgres/cluster.js';
import { BackupSchedule } from './backup-schedule.js';
import { noteNoSchedule, notePlace } from './backup-state.js';
import { planText, readConsolePlan } from './console-plan.js';
import { openStore } from './open-store.js';
import { backupKey } from './recovery-key.js';
import { WalArchive } from './wal-archive.js';

const lookMs = 2000;

/** @typedef {import('./console-plan.js').BackupPlan} BackupPlan */

export class Backups {
  #deps;
  /** @type {NodeJS.Timeout | undefined} */ #timer;
  /** @type {BackupSchedule | null} */ #schedule = null;
  /** @type {WalArchive | null} */ #walArchive = null;
  /** @type {string | null} of the plan that is followed; null: none was read yet */ #text = null;
  /** @type {Promise<void>} */ #changing = Promise.resolve();
  #isEnding = false;

  /**
   * @param {object} deps
   * @param {string} deps.root
   * @param {string} deps.node
   * @param {Record<string, string | undefined>} deps.env
   * @param {string} deps.data
   * @param {string} deps.masterKey
   * @param {BackupPlan | null} deps.plan that the start names
   * @param {string | null} deps.spool of the embedded database; null without one
   * @param {(line: string) => void} deps.log
   */
  constructor(deps) {
    this.#deps = deps;
  }

  start() {
    const { plan, env } = this.#deps;
    if (plan !== null) return this.#follow(plan, env);
    this.#look();
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  /** Ends the schedule. The log is taken on until `endArchive`, as long as the database is written to. */
  async end() {
    this.#isEnding = true;
    clearInterval(this.#timer);
    await this.#changing;
    await this.#schedule?.end();
  }

  async endArchive() {
    await this.#walArchive?.end();
  }

  #look() {
    const text = planText(this.#deps.data);
    if (text === this.#text || this.#isEnding) return;
    this.#text = text;
    this.#changing = this.#changing.then(() => this.#change(text)).catch((error) => this.#deps.log(String(error)));
  }

  /** @param {string} text */
  async #change(text) {
    const { env, masterKey } = this.#deps;
    await this.#schedule?.end();
    await this.#walArchive?.end();
    [this.#schedule, this.#walArchive] = [null, null];
    if (this.#isEnding) return;
    const plan = planOf(text, masterKey, this.#deps.log);
    if (plan === null) return this.#rest();
    // Keys of the environment are those of a place that the start would have named.
    const { accessKey, secretKey } = plan.keys ?? {};
    const keys = { VEDETTE_BACKUP_ACCESS_KEY: accessKey, VEDETTE_BACKUP_SECRET_KEY: secretKey };
    this.#follow(plan, { ...env, ...keys });
  }

  #rest() {
    const { data, spool } = this.#deps;
    if (spool !== null) spoolIsTaken(spool, false);
    noteNoSchedule(data);
  }

  /**
   * @param {BackupPlan} plan
   * @param {Record<string, string | undefined>} env
   */
  #follow({ to, everyMs, keep }, env) {
    const { root, node, data, masterKey, spool, log } = this.#deps;
    notePlace(data, to);
    const schedule = new BackupSchedule({ root, node, env, data, plan: { to, everyMs, keep }, log });
    this.#schedule = schedule;
    // Before the first backup: it begins in a segment that is taken.
    if (spool !== null) spoolIsTaken(spool, true);
    schedule.start();
    if (spool === null) return;
    this.#walArchive = new WalArchive({
      spool,
      openStore: () => openStore(to, { env, data, masterKey }),
      key: backupKey(masterKey),
      log,
      onLost: () => schedule.takeSoon(),
    });
    this.#walArchive.start();
  }
}

/**
 * @param {string} text
 * @param {string} masterKey
 * @param {(line: string) => void} log
 */
function planOf(text, masterKey, log) {
  try {
    return readConsolePlan(text, masterKey);
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return null;
  }
}
