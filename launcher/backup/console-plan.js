// The plan of the backups that somebody made in the console (server/features/backup/plan-file.ts writes it).

import { createDecipheriv } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readS3Address } from '../backup-store/s3-address.js';
import { LaunchError } from '../core/launch-error.js';

/**
 * @typedef {object} BackupPlan
 * @property {string} to absolute path of a folder, or address of a bucket
 * @property {number} everyMs
 * @property {number} keep
 *
 * @typedef {BackupPlan & { keys: import('../backup-store/s3-client.js').S3Keys | null }} ConsolePlan keys: null for a folder
 */

/**
 * The text of the file, to see whether it changed; empty without one.
 * @param {string} data
 */
export function planText(data) {
  try {
    return fs.readFileSync(path.join(data, 'keys', 'backup-plan.json'), 'utf8');
  } catch {
    return ''; // nobody made one
  }
}

/**
 * @param {string} text
 * @param {string} masterKey hexadecimal
 * @returns {ConsolePlan | null} null: no backups
 */
export function readConsolePlan(text, masterKey) {
  if (text === '') return null;
  try {
    const { target, hours, keep, secret } = JSON.parse(text);
    const rhythm = { everyMs: Number(hours) * 3_600_000, keep: Number(keep) };
    if (target.kind === 'folder') return { to: String(target.folder), ...rhythm, keys: null };
    if (target.kind !== 'bucket') return null;
    const to = addressOf(target);
    const { endpoint, bucket } = target;
    const secretKey = openBox(Buffer.from(secret, 'base64'), `backup plan ${endpoint} ${bucket}`, masterKey);
    return { to, ...rhythm, keys: { accessKey: target.accessKey, secretKey } };
  } catch (error) {
    throw new LaunchError('backupPlanUnreadable', `the backup plan of the console cannot be read: ${String(error)}.`, {
      hint: 'Save it again under System, Health, Backup.',
    });
  }
}

/**
 * As `--backup-to` takes it.
 * @param {{ endpoint: string, region: string, bucket: string, prefix: string, isPathStyle: boolean }} target
 */
function addressOf({ endpoint, region, bucket, prefix, isPathStyle }) {
  const query = new URLSearchParams({ endpoint, region, style: isPathStyle ? 'path' : 'host' });
  const address = `s3://${bucket}/${prefix}?${query}`;
  readS3Address(address);
  return address;
}

/**
 * A box of the server (server/core/secret-box.ts): version 1, nonce of 12 bytes, tag of 16, AES-256-GCM.
 * @param {Buffer} box
 * @param {string} boundTo
 * @param {string} masterKey
 */
function openBox(box, boundTo, masterKey) {
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(masterKey, 'hex'), box.subarray(1, 13));
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(box.subarray(13, 29));
  return Buffer.concat([decipher.update(box.subarray(29)), decipher.final()]).toString('utf8');
}
