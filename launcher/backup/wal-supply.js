// Hands the sealed segments of a backup to a PostgreSQL that recovers: it asks by files in a folder, so that the key stays in this process.

import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { makePostgresFolder, shellPath } from '../postgres/cluster.js';
import { unseal } from './sealed-stream.js';
import { sealedSegment } from './wal-archive.js';

const lookMs = 10;
/** PostgreSQL takes a status above 125 for a fault, and a lower one for "there is no such segment". */
const faultStatus = 127;
/** Longer than any segment takes; a process of ours that was killed answers never. */
const longestLooks = 6_000;

/**
 * @param {{ folder: string, store: import('../backup-store/backup-store.js').BackupStore, key: Buffer, programs: import('../postgres/binaries.js').PostgresPrograms }} places store: holds sealed segments; folder: private, made here
 */
export function openWalSupply({ folder, store, key, programs }) {
  fs.rmSync(folder, { recursive: true, force: true });
  makePostgresFolder(folder, programs);
  const stopping = new AbortController();
  const ended = answerAll({ folder, store, key, owner: programs.owner }, stopping.signal);
  return {
    command: restoreCommand(folder),
    /** Rejects when a segment was cut or changed. */
    ended,
    async close() {
      stopping.abort();
      await ended.catch(() => undefined); // whoever waited for it was told
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {string} folder */
function restoreCommand(folder) {
  const at = shellPath(folder);
  const wait = `looks=0; until [ -f ${at}/%f ]; do if [ -f ${at}/%f.none ]; then rm ${at}/%f.none; exit 1; fi; looks=$((looks+1)); [ $looks -lt ${longestLooks} ] || exit ${faultStatus}; sleep 0.02; done`;
  return `: > ${at}/%f.wanted; ${wait}; mv ${at}/%f "%p"`;
}

/**
 * @typedef {{ folder: string, store: import('../backup-store/backup-store.js').BackupStore, key: Buffer, owner: number | null }} Supply
 * @param {Supply} supply
 * @param {AbortSignal} signal
 */
async function answerAll(supply, signal) {
  while (!signal.aborted) {
    const wanted = fs.readdirSync(supply.folder).filter((name) => name.endsWith('.wanted'));
    for (const file of wanted) await answer(supply, file);
    if (wanted.length === 0) await delay(lookMs);
  }
}

/**
 * @param {Supply} supply
 * @param {string} request
 */
async function answer({ folder, store, key, owner }, request) {
  fs.rmSync(path.join(folder, request));
  const name = request.replace(/\.wanted$/, '');
  const sealed = sealedSegment(name);
  const target = path.join(folder, name);
  if (!(await store.has(sealed))) return fs.writeFileSync(`${target}.none`, '');
  const part = `${target}.part`;
  await pipeline(store.read(sealed), unseal(key, sealed), createGunzip(), fs.createWriteStream(part));
  if (owner !== null) fs.chownSync(part, owner, owner);
  fs.renameSync(part, target);
}
