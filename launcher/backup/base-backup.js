// Base backup of the embedded PostgreSQL: the server itself writes it as one archive that starts by itself.

import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { LaunchError } from '../core/launch-error.js';

/**
 * With the write-ahead log that it needs, and a manifest of checksums (PostgreSQL manual, 54.4). Replaces `folder`.
 * @param {{ socketFolder: string, folder: string, owner: number | null }} options folder: of its own; owner: who runs PostgreSQL
 * @returns {Promise<{ archive: string, walFirst: string }>} path of the archive, and the first segment of the log that it needs
 */
export async function takeBaseBackup({ socketFolder, folder, owner }) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { mode: 0o700 });
  if (owner !== null) fs.chownSync(folder, owner, owner);
  const target = path.join(folder, 'database');
  const config = /** @type {import('pg').ClientConfig} */ ({
    host: socketFolder,
    user: 'vedette',
    database: 'vedette',
    replication: 'true',
  });
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const options = [
      "LABEL 'vedette'",
      "CHECKPOINT 'fast'",
      'WAL true',
      "MANIFEST 'yes'",
      "MANIFEST_CHECKSUMS 'SHA256'",
      "TARGET 'server'",
      `TARGET_DETAIL '${target.replaceAll("'", "''")}'`,
    ];
    const answers = await client.query(`BASE_BACKUP (${options.join(', ')})`);
    return { archive: path.join(target, 'base.tar'), walFirst: segmentAt(beginOf(answers)) };
  } catch (error) {
    throw new LaunchError('baseBackupFailed', `PostgreSQL could not be backed up: ${String(error)}`, { cause: error });
  } finally {
    await client.end();
  }
}

/**
 * The first of its answers is one row: where it begins.
 * @param {unknown} answers
 * @returns {{ recptr: string, tli: number | string }}
 */
function beginOf(answers) {
  const [first] = /** @type {{ rows: { recptr: string, tli: number | string }[] }[]} */ ([answers].flat());
  const [row] = first?.rows ?? [];
  if (row === undefined) throw new Error('it does not say where it begins');
  return row;
}

/**
 * Name of the segment of 16 MB that holds a position of the log, as pg_walfile_name gives it.
 * @param {{ recptr: string, tli: number | string }} begin position `hi/lo`, hexadecimal, and timeline
 */
export function segmentAt({ recptr, tli }) {
  const [high = '', low = ''] = recptr.split('/');
  const parts = [Number(tli), Number.parseInt(high, 16), Number.parseInt(low, 16) >>> 24];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
}
