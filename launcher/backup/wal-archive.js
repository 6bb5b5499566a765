// Takes the write-ahead log of the embedded PostgreSQL into the folder of the backups, sealed, so that any second between two backups can be restored.

import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { seal } from './sealed-stream.js';

/** Segments, histories of timelines and marks of base backups, as PostgreSQL names them. */
const archived = /^[0-9A-F]{8}(?:[0-9A-F]{16}(?:\.partial|\.[0-9A-F]{8}\.backup)?|\.history)$/;
/** Of a store of backups. */
export const walFolder = 'wal';
const lookMs = 2_000;
/** A folder of backups that is away must not fill the disk of the recordings: 64 segments are 1 GiB. */
const mostSpooled = 64;

/**
 * In a store of backups.
 * @param {string} name as PostgreSQL gives it
 */
export function sealedSegment(name) {
  return `${walFolder}/${name}.gz.sealed`;
}

/** @typedef {import('../backup-store/backup-store.js').BackupStore} BackupStore */

export class WalArchive {
  #deps;
  #ending = new AbortController();
  /** @type {NodeJS.Timeout | undefined} */ #timer;
  /** @type {Promise<void>} */ #taking = Promise.resolve();
  #lastFault = '';

  /**
   * @param {object} deps
   * @param {string} deps.spool
   * @param {() => Promise<BackupStore>} deps.openStore for each look: its keys may be given meanwhile
   * @param {Buffer} deps.key
   * @param {(line: string) => void} deps.log
   * @param {() => void} deps.onLost segments were dropped: only a new backup closes that hole
   */
  constructor(deps) {
    this.#deps = deps;
  }

  start() {
    this.#taking = this.#take().finally(() => {
      if (!this.#ending.signal.aborted) this.#timer = setTimeout(() => this.start(), lookMs);
    });
  }

  /** What is not taken by now stays in the spool for the next start. */
  async end() {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#taking;
  }

  async #take() {
    const { spool, openStore, key, log, onLost } = this.#deps;
    const { signal } = this.#ending;
    try {
      const names = spooled(spool);
      const store = names.length === 0 ? null : await openStore();
      for (const name of names)
        if (store !== null && !signal.aborted) await takeOne(name, { spool, store, key, signal });
      this.#lastFault = '';
    } catch (error) {
      if (signal.aborted) return;
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#lastFault) log(`the write-ahead log could not be taken: ${fault}`);
      this.#lastFault = fault;
      if (dropOldest(spool) > 0) onLost();
    }
  }
}

/**
 * @param {string} name
 * @param {{ spool: string, store: BackupStore, key: Buffer, signal: AbortSignal }} places
 */
async function takeOne(name, { spool, store, key, signal }) {
  const source = path.join(spool, name);
  /** @param {AsyncIterable<Buffer>} sealed */
  const into = (sealed) => store.write(sealedSegment(name), sealed, signal);
  // The fastest level: a segment that was switched early is mostly zeros.
  await pipeline(fs.createReadStream(source), createGzip({ level: 1 }), seal(key), into);
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
 * @param {BackupStore} store
 * @param {string} first segment that is needed still
 */
export async function removeSegmentsBefore(store, first) {
  const names = (await store.files(walFolder)).map(({ name }) => name);
  for (const name of names.filter((one) => /^[0-9A-F]{24}/.test(one) && one.slice(0, 24) < first))
    await store.removeFile(`${walFolder}/${name}`);
}
