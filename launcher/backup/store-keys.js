// Keys of the bucket of the backups, sealed in the data folder for the backups that are taken by themselves.

import { hkdfSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { LaunchError } from '../core/launch-error.js';
import { writeAtomically } from '../core/write-atomically.js';
import { seal, unseal } from './sealed-stream.js';

/** In `keys/`, which is in no backup. */
const fileName = 'backup-store.sealed';

/**
 * @typedef {import('../backup-store/s3-address.js').S3Address} S3Address
 * @typedef {import('../backup-store/s3-client.js').S3Keys} S3Keys
 */

/**
 * @param {{ data: string, masterKey: string }} place masterKey: hexadecimal
 * @param {S3Address} address
 * @param {S3Keys} keys
 */
export async function saveStoreKeys({ data, masterKey }, address, keys) {
  const text = Buffer.from(JSON.stringify({ ...destination(address), ...keys }));
  const sealed = await buffer(seal(sealingKey(masterKey))(once(text)));
  // Not there where the operator keeps the master key elsewhere (VEDETTE_KEY).
  fs.mkdirSync(path.dirname(fileIn(data)), { recursive: true, mode: 0o700 });
  writeAtomically(fileIn(data), sealed.toString('base64'));
}

/**
 * Null where none were saved for this bucket: keys are never sent to another one than they were given for.
 * @param {{ data: string, masterKey: string }} place
 * @param {S3Address} address
 * @returns {Promise<S3Keys | null>}
 */
export async function savedStoreKeys({ data, masterKey }, address) {
  if (!fs.existsSync(fileIn(data))) return null;
  const opened = await unsealed(data, masterKey);
  const { endpoint, bucket, accessKey, secretKey } = JSON.parse(opened.toString('utf8'));
  const wanted = destination(address);
  return endpoint === wanted.endpoint && bucket === wanted.bucket ? { accessKey, secretKey } : null;
}

/**
 * After a change of the master key; both hexadecimal. Keys that neither opens are given again with `--save-keys`.
 * @param {string} data
 * @param {string} from
 * @param {string} to
 */
export async function resealStoreKeys(data, from, to) {
  if (!fs.existsSync(fileIn(data))) return;
  const opened = await openedWith(data, from);
  if (opened === null) return;
  const sealed = await buffer(seal(sealingKey(to))(once(opened)));
  writeAtomically(fileIn(data), sealed.toString('base64'));
}

/**
 * Null where another key sealed it.
 * @param {string} data
 * @param {string} masterKey
 */
async function openedWith(data, masterKey) {
  try {
    return await unsealed(data, masterKey);
  } catch (error) {
    if (error instanceof LaunchError) return null;
    throw error;
  }
}

/**
 * @param {string} data
 * @param {string} masterKey
 */
function unsealed(data, masterKey) {
  const sealed = Buffer.from(fs.readFileSync(fileIn(data), 'utf8'), 'base64');
  return buffer(unseal(sealingKey(masterKey), fileIn(data))(once(sealed)));
}

/** @param {S3Address} address */
function destination({ endpoint, bucket }) {
  return { endpoint, bucket };
}

/** @param {Buffer} bytes */
async function* once(bytes) {
  yield bytes;
}

/** @param {string} masterKey */
function sealingKey(masterKey) {
  return Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'hex'), '', 'vedette backup store 1', 32));
}

/** @param {string} data */
function fileIn(data) {
  return path.join(data, 'keys', fileName);
}
