// Recovery key: the master key as people write it down, and the key that seals backups, which follows from it.

import { createHash, hkdfSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';

/** Crockford's base 32: no I, L, O and U, which are read as others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const keyBytes = 32;
/** Of the SHA-256 of the key: a slip of the pen is found before anything is opened with it. */
const checkBytes = 3;
const digitCount = ((keyBytes + checkBytes) * 8) / 5;

/**
 * The master key of a data folder, in hexadecimal digits.
 * @param {string} dataFolder
 * @param {string | undefined} given the operator's own key (VEDETTE_KEY)
 */
export function readMasterKey(dataFolder, given) {
  if (given !== undefined && given !== '') return given;
  const file = path.join(dataFolder, 'keys', 'master');
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim();
  throw new LaunchError('masterKeyMissing', `there is no master key at ${file}.`, {
    hint: 'Name the data folder of an installation with --data DIR.',
  });
}

/**
 * Eight groups of seven characters.
 * @param {string} masterKey hexadecimal
 */
export function writeRecoveryKey(masterKey) {
  const key = Buffer.from(masterKey, 'hex');
  const digits = toBase32(Buffer.concat([key, check(key)]));
  return (digits.match(/.{7}/g) ?? []).join('-');
}

/**
 * @param {string} text as it was typed: small letters, spaces and letters that look like digits are taken
 * @returns {string} the master key, hexadecimal
 */
export function readRecoveryKey(text) {
  const digits = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const bytes = digits.length === digitCount ? fromBase32(digits) : null;
  const key = bytes?.subarray(0, keyBytes);
  if (!bytes || !key || !check(key).equals(bytes.subarray(keyBytes))) {
    throw new LaunchError('recoveryKeyInvalid', 'this is no recovery key, or a character of it is wrong.', {
      hint: 'It has eight groups of seven characters, as npm run backup -- --show-recovery-key printed them.',
    });
  }
  return key.toString('hex');
}

/**
 * RFC 5869. The master key itself seals nothing but secrets of the database.
 * @param {string} masterKey hexadecimal
 */
export function backupKey(masterKey) {
  return Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'hex'), '', 'vedette backup 1', 32));
}

/** @param {Buffer} key */
function check(key) {
  return createHash('sha256').update(key).digest().subarray(0, checkBytes);
}

/** @param {Buffer} bytes a multiple of five bits */
function toBase32(bytes) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
}

/**
 * @param {string} digits
 * @returns {Buffer | null}
 */
function fromBase32(digits) {
  const values = [...digits].map((digit) => alphabet.indexOf(digit));
  if (values.includes(-1)) return null;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
