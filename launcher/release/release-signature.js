// The signature of a release: SHA256SUMS names each of its files with its digest, SHA256SUMS.sig signs that by Ed25519 (RFC 8032).
// Both are what coreutils and OpenSSL write and read: nobody needs Vedette to verify a release of it.

import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';

const sums = 'SHA256SUMS';
const signature = 'SHA256SUMS.sig';
/** sha256sum(1): hexadecimal digest, two spaces, name; ours never need its escapes. */
const line = /^([0-9a-f]{64}) {2}([\w.+~@-]+)$/;

/**
 * Signs every file of a folder; an earlier signature of it is replaced.
 * @param {string} folder
 * @param {string} keyFile private key of the publisher, PEM; nobody but its owner may read it
 * @returns {string[]} the names of what was signed
 */
export function signRelease(folder, keyFile) {
  const key = readPrivateKey(keyFile);
  const names = filesOf(folder);
  if (names.length === 0) throw new LaunchError('nothingToSign', `${folder} holds no file.`);
  const text = names.map((name) => `${digestOf(path.join(folder, name))}  ${name}\n`).join('');
  if (
    !text
      .trimEnd()
      .split('\n')
      .every((one) => line.test(one))
  )
    throw new LaunchError('unusualName', `${folder} holds a file with an unusual name.`);
  fs.writeFileSync(path.join(folder, sums), text);
  fs.writeFileSync(path.join(folder, signature), sign(null, Buffer.from(text), key));
  return names;
}

/**
 * Throws where one byte of the release differs from what its publisher signed, and where a file was added or is missing.
 * @param {string} folder
 * @param {string} keyFile public key of the publisher, PEM, from elsewhere than the release
 * @returns {string[]} the names of what was verified
 */
export function verifyRelease(folder, keyFile) {
  const key = readKey(keyFile, createPublicKey);
  const [text, signed] = [readOf(folder, sums), readOf(folder, signature)];
  if (!verify(null, text, key, signed))
    throw new LaunchError('wrongSignature', `${folder} was not signed by the publisher with this key.`);
  const listed = new Map();
  for (const one of text.toString('utf8').trimEnd().split('\n')) {
    const [, digest, name] = line.exec(one) ?? [];
    listed.set(name, digest);
  }
  for (const name of filesOf(folder))
    if (!listed.has(name)) throw new LaunchError('notSigned', `${name} is no part of the release that was signed.`);
  for (const [name, digest] of listed) {
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) throw new LaunchError('missing', `${name} was signed and is missing.`);
    if (digestOf(file) !== digest) throw new LaunchError('changed', `${name} was changed after it was signed.`);
  }
  return [...listed.keys()];
}

/** @param {string} folder */
function filesOf(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  const odd = entries.find((entry) => !entry.isFile());
  if (odd !== undefined) throw new LaunchError('noFile', `${odd.name} is no file; a release has files alone.`);
  const names = entries.map(({ name }) => name);
  return names.filter((name) => name !== sums && name !== signature).sort();
}

/** @param {string} file */
function digestOf(file) {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  const opened = fs.openSync(file, 'r');
  try {
    for (let read = 1; read > 0; ) {
      read = fs.readSync(opened, chunk);
      hash.update(chunk.subarray(0, read));
    }
  } finally {
    fs.closeSync(opened);
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @param {string} name
 */
function readOf(folder, name) {
  try {
    return fs.readFileSync(path.join(folder, name));
  } catch (cause) {
    throw new LaunchError('notSigned', `${folder} has no ${name}: it was not signed.`, { cause });
  }
}

/** @param {string} file */
function readPrivateKey(file) {
  const key = readKey(file, createPrivateKey);
  if ((fs.statSync(file).mode & 0o077) !== 0)
    throw new LaunchError('keyReadable', `others may read ${file}.`, { hint: `Run chmod 600 ${file} first.` });
  return key;
}

/**
 * @param {string} file
 * @param {(pem: Buffer) => import('node:crypto').KeyObject} create
 */
function readKey(file, create) {
  let key;
  try {
    key = create(fs.readFileSync(file));
  } catch (cause) {
    throw new LaunchError('noKey', `${file} holds no such key.`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new LaunchError('noKey', `${file} holds no Ed25519 key.`);
  return key;
}
