// Key and certificate by which this server is known to the others of its database, made once in <data>/tls.

import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '../core/write-atomically.js';
import { writeCertificate } from './certificate.js';

const name = 'Vedette server';
/** Nobody looks at it: the others accept exactly this certificate, by its fingerprint. */
const notAfter = new Date(Date.UTC(9999, 11, 31));

/**
 * @param {string} folder
 * @param {Date} now
 * @returns {{ cert: string, key: string }} files, PEM
 */
export function ensureNodeCertificate(folder, now) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = { cert: path.join(folder, 'node.pem'), key: path.join(folder, 'node.key') };
  if (isPair(files)) return files;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = writeCertificate({
    subject: name,
    issuer: name,
    subjectKey: pair.publicKey,
    issuerPublicKey: pair.publicKey,
    issuerKey: pair.privateKey,
    notBefore: now,
    notAfter,
    names: ['node'],
  });
  writeAtomically(files.key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  writeAtomically(files.cert, pem, 0o600);
  return files;
}

/** @param {{ cert: string, key: string }} files */
function isPair({ cert, key }) {
  if (!fs.existsSync(cert) || !fs.existsSync(key)) return false;
  // Not where it was killed between the two writes.
  return new X509Certificate(fs.readFileSync(cert)).checkPrivateKey(createPrivateKey(fs.readFileSync(key)));
}
