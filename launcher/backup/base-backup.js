// Base backup of the embedded PostgreSQL: the server itself writes it as one archive that starts by itself.

import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { LaunchError } from '../core/launch-error.js';

/**
 * With the write-ahead log that it needs, and a manifest of checksums (PostgreSQL manual, 54.4). Replaces `folder`.
 * @param {{ socketFolder: string, folder: string, owner: number | null }} options folder: of its own; owner: who runs PostgreSQL
 * @returns {Promise<string>} path of the archive
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
    await client.query(`BASE_BACKUP (${options.join(', ')})`);
  } catch (error) {
    throw new LaunchError('baseBackupFailed', `PostgreSQL could not be backed up: ${String(error)}`, { cause: error });
  } finally {
    await client.end();
  }
  return path.join(target, 'base.tar');
}
