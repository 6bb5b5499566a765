// Supervises one child process: start, readiness, restart with backoff, stop with a grace period.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../core/launch-error.js';
import { readLines } from './lines.js';

/**
 * @typedef {object} BackOff
 * @property {number} firstMs
 * @property {number} factor
 * @property {number} longestMs
 *
 * @typedef {object} ProcessOptions
 * @property {string} name
 * @property {() => { command: string, args: string[], env: Record<string, string>, cwd?: string, uid?: number, gid?: number }} describe read before every start
 * @property {(line: string) => void} log every line of its stderr, and of its stdout after the ready line
 * @property {() => Promise<void>} [beforeStart]
 * @property {(signal: AbortSignal) => Promise<Record<string, unknown>>} [probe] asked until it resolves; without it the first stdout line is awaited
 * @property {(ready: Record<string, unknown>) => void} [onReady] after every start
 * @property {(pid: number | null) => void} [onPid] the pid while it runs, null when it ended
 * @property {NodeJS.Signals} [endSignal]
 * @property {number} [graceMs] between the end signal and SIGKILL
 * @property {number} [readyMs] longest wait until it serves
 * @property {number} [firstTries] failed starts before the first success that are forgiven
 * @property {BackOff} [backOff]
 */

/** A child that served this long starts again at once: its back-off is forgotten. */
const steadyMs = 30_000;
/** One that served this long is no start that fails: it waits for `briefMs` at most, however often it died before (FT-18). */
const servedMs = 3_000;
const briefMs = 500;

export class SupervisedProcess {
  /** @type {ProcessOptions} */ #options;
  /** @type {import('node:child_process').ChildProcess | null} */ #child = null;
  /** @type {Promise<void> | null} */ #life = null;
  /** @type {AbortController} */ #ending = new AbortController();
  /** @type {{ code: string, message: string, hint?: string } | null} why it says that it cannot start */ #refusal =
    null;
  /** @type {string[]} */ #lastLines = [];

  /** @param {ProcessOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** @returns {number | null} */
  get pid() {
    return this.#child?.pid ?? null;
  }

  /**
   * Resolves with the first ready line; from then on the child is kept alive until end().
   * @returns {Promise<Record<string, unknown>>}
   */
  start() {
    return new Promise((resolve, reject) => {
      this.#life = this.#live(resolve, reject);
      this.#life.catch(reject);
    });
  }

  /** Ends the child and stops restarting it. Safe to call at any time, more than once. */
  async end() {
    this.#ending.abort();
    this.signalEnd();
    await this.#life?.catch((error) => this.#options.log(`${this.#options.name}: ${String(error)}`));
  }

  /** Sends the end signal, and SIGKILL after the grace. */
  signalEnd() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(this.#options.endSignal ?? 'SIGTERM');
    const timer = setTimeout(() => killGroup(child), this.#options.graceMs ?? 5_000);
    child.once('exit', () => clearTimeout(timer));
  }

  /** For the impatient second Ctrl-C. */
  kill() {
    if (this.#child) killGroup(this.#child);
  }

  /**
   * @param {string} line
   * @returns {void} a message for the child; children read lines from stdin and end when it closes
   */
  send(line) {
    this.#child?.stdin?.write(`${line}\n`);
  }

  /**
   * @param {(ready: Record<string, unknown>) => void} resolve
   * @param {(error: unknown) => void} reject
   */
  async #live(resolve, reject) {
    const backOff = this.#options.backOff ?? { firstMs: 250, factor: 2, longestMs: 10_000 };
    let served = false;
    let failures = 0;
    while (!this.#ending.signal.aborted) {
      const outcome = await this.#runOnce((ready) => {
        served = true;
        resolve(ready);
      });
      if (this.#ending.signal.aborted) break;
      failures = outcome.servedMs > steadyMs ? 0 : failures + 1;
      this.#options.log(`${this.#options.name} ended (${outcome.how}), starting it again`);
      if (!served && (this.#refusal || failures > (this.#options.firstTries ?? 2)))
        return reject(this.#startFailure(outcome.how));
      const longestMs = outcome.servedMs > servedMs ? Math.min(briefMs, backOff.longestMs) : backOff.longestMs;
      const waitMs = Math.min(longestMs, backOff.firstMs * backOff.factor ** (failures - 1));
      await delay(failures === 0 ? 0 : waitMs, undefined, { signal: this.#ending.signal }).catch(ignoreAbort);
    }
    reject(new LaunchError('stopped', 'stopped before everything was up.'));
  }

  /** @param {(ready: Record<string, unknown>) => void} onFirstReady */
  async #runOnce(onFirstReady) {
    await this.#options.beforeStart?.();
    if (this.#ending.signal.aborted) return { how: 'not started', servedMs: 0 };
    const { command, args, env, ...place } = this.#options.describe();
    // A session of its own: Ctrl-C in the terminal reaches the launcher alone, which ends children in order.
    const child = spawn(command, args, { ...place, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    child.stdin.on('error', () => undefined); // EPIPE when it is gone: its exit event tells
    const exited = once(child, 'exit').then(
      ([code, signal]) => (signal ? `signal ${signal}` : `code ${code}`),
      (error) => `cannot be run: ${error.message}`,
    );
    if (child.pid !== undefined) this.#options.onPid?.(child.pid);
    const ready = this.#awaitReady(child);
    let readyAt = Number.POSITIVE_INFINITY;
    ready.then(
      (info) => {
        readyAt = performance.now();
        onFirstReady(info);
        this.#options.onReady?.(info);
      },
      (error) => {
        this.#options.log(`${this.#options.name}: ${error.message}`);
        killGroup(child);
      },
    );
    const how = await exited;
    killGroup(child); // whatever it started and left behind
    this.#child = null;
    this.#options.onPid?.(null);
    return { how, servedMs: Math.max(0, performance.now() - readyAt) };
  }

  /**
   * @param {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable, import('node:stream').Readable, import('node:stream').Readable>} child
   * @returns {Promise<Record<string, unknown>>}
   */
  #awaitReady(child) {
    const stop = new AbortController();
    child.once('exit', () => stop.abort());
    child.once('error', () => stop.abort());
    this.#lastLines = [];
    /** @param {string} line */
    const keep = (line) => {
      this.#lastLines = [...this.#lastLines.slice(-7), line];
      this.#options.log(line);
    };
    readLines(child.stderr, keep);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('did not serve in time')), this.#options.readyMs ?? 120_000);
      stop.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new Error('ended before it served'));
      });
      /** @param {Record<string, unknown>} info */
      const settle = (info) => {
        clearTimeout(timer);
        resolve(info);
      };
      let awaited = this.#options.probe === undefined;
      readLines(child.stdout, (line) => {
        const message = awaited ? parseMessage(line) : null;
        if (message === null) return keep(line);
        awaited = false;
        if (message['event'] === 'ready') settle(message);
        else this.#refusal = /** @type {any} */ (message);
      });
      this.#options.probe?.(stop.signal).then(settle, reject);
    });
  }

  /** @param {string} how */
  #startFailure(how) {
    const { name } = this.#options;
    const refusal = this.#refusal;
    if (refusal) return new LaunchError(refusal.code, refusal.message, refusal.hint ? { hint: refusal.hint } : {});
    return new LaunchError(`${name}Failed`, `${name} does not start (${how}).`, {
      hint: this.#lastLines.length > 0 ? `Its last words:\n  ${this.#lastLines.join('\n  ')}` : '',
    });
  }
}

/** @param {string} line */
function parseMessage(line) {
  if (!line.startsWith('{')) return null;
  try {
    const message = JSON.parse(line);
    return message.event === 'ready' || message.event === 'failed' ? message : null;
  } catch {
    return null; // not for us: it goes to the log like any other line
  }
}

/** @param {import('node:child_process').ChildProcess} child its group is its pid, since it was started in a session of its own */
function killGroup(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== 'ESRCH') throw error;
  }
}

/** @param {Error} error */
function ignoreAbort(error) {
  if (error.name !== 'AbortError') throw error;
}
