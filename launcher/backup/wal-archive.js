// Takes the write-ahead log of the embedded PostgreSQL into the folder of the backups, sealed, so that any second between two backups can be restored.

import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { seal } from './sealed-stream.js';

/** Segments, histories of timelines and marks of base backups, as PostgreSQL names them. */
const archived = /^[0-9A-F]{8}(?:[0-9A-F]{16}(?:\.partial|\.[0-9A-F]{8}\.backup)?|\.history)$/;
const walFolder = 'wal';
const lookMs = 2_000;
/** A folder of backups that is away must not fill the disk of the recordings: 64 segments are 1 GiB. */
const mostSpooled = 64;

/** @param {string} to folder of the backups */
export function walFolderOf(to) {
  return path.join(to, walFolder);
}

/**
 * @param {string} wal
 * @param {string} name as PostgreSQL gives it
 */
export function sealedSegment(wal, name) {
  return path.join(wal, `${name}.gz.sealed`);
}

export class WalArchive {
  #deps;
  #isEnding = false;
  /** @type {NodeJS.Timeout | undefined} */ #timer;
  /** @type {Promise<void>} */ #taking = Promise.resolve();
  #lastFault = '';

  /**
   * @param {object} deps
   * @param {string} deps.spool
   * @param {string} deps.to folder of the backups
   * @param {Buffer} deps.key
   * @param {(line: string) => void} deps.log
   * @param {() => void} deps.onLost segments were dropped: only a new backup closes that hole
   */
  constructor(deps) {
    this.#deps = deps;
  }

  start() {
    this.#taking = this.#take().finally(() => {
      if (!this.#isEnding) this.#timer = setTimeout(() => this.start(), lookMs);
    });
  }

  /** What is not taken by now stays in the spool for the next start. */
  async end() {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    await this.#taking;
  }

  async #take() {
    const { spool, to, key, log, onLost } = this.#deps;
    try {
      for (const name of spooled(spool)) {
        if (this.#isEnding) return;
        await takeOne(name, { spool, to, key });
      }
      this.#lastFault = '';
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#lastFault) log(`the write-ahead log could not be taken: ${fault}`);
      this.#lastFault = fault;
      if (dropOldest(spool) > 0) onLost();
    }
  }
}

/**
 * @param {string} name
 * @param {{ spool: string, to: string, key: Buffer }} places
 */
async function takeOne(name, { spool, to, key }) {
  const source = path.join(spool, name);
  const target = sealedSegment(walFolderOf(to), name);
  const part = `${target}.part`;
  // Not made with its parents: where the disk of the backups is not mounted, its folder lacks.
  if (!fs.existsSync(path.dirname(target))) fs.mkdirSync(path.dirname(target), { mode: 0o700 });
  const sink = fs.createWriteStream(part, { mode: 0o600, flush: true });
  // The fastest level: a segment that was switched early is mostly zeros.
  await pipeline(fs.createReadStream(source), createGzip({ level: 1 }), seal(key), sink);
  fs.renameSync(part, target);
  fs.rmSync(source);
}

/**
 * @param {string} spool
 * @returns {number} how many
 */
function dropOldest(spool) {
  const names = spooled(spool);
  const lost = names.slice(0, Math.max(0, names.length - mostSpooled));
  for (const name of lost) fs.rmSync(path.join(spool, name));
  return lost.length;
}

/** @param {string} spool */
function spooled(spool) {
  const names = fs.existsSync(spool) ? fs.readdirSync(spool) : [];
  return names.filter((name) => archived.test(name)).toSorted();
}

/**
 * Names order by timeline, then by position. A history tells where a timeline began, and is small: it stays.
 * @param {string} to
 * @param {string} first segment that is needed still
 */
export function removeSegmentsBefore(to, first) {
  const wal = walFolderOf(to);
  const names = fs.existsSync(wal) ? fs.readdirSync(wal) : [];
  for (const name of names.filter((one) => /^[0-9A-F]{24}/.test(one) && one.slice(0, 24) < first))
    fs.rmSync(path.join(wal, name));
}
