// Local certificate authority and server certificate in <data>/tls, renewed when addresses change or expiry nears.

import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { writeAtomically } from '../core/write-atomically.js';
import { writeCertificate } from './certificate.js';

const dayMs = 86_400_000;
const authorityDays = 3_650;
/** Browsers refuse longer ones. */
const serverDays = 397;
const renewDays = 30;

/**
 * @typedef {object} TlsFiles
 * @property {string | null} ca authority to install on other devices; null with the operator's own certificate
 * @property {string} cert
 * @property {string} key
 */

/**
 * @param {string} folder
 * @param {string[]} names DNS names and addresses under which this machine is reached
 * @param {Date} now
 * @returns {{ files: TlsFiles, changed: boolean }}
 */
export function ensureServerCertificate(folder, names, now) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (/** @type {string} */ name) => path.join(folder, name);
  const files = { ca: file('ca.pem'), cert: file('server.pem'), key: file('server.key') };
  const authority = ensureAuthority(files.ca, file('ca.key'), now);
  if (isCurrent(files, authority.certificate, names, now)) return { files, changed: false };
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuerKey = createPrivateKey(authority.key);
  const pem = writeCertificate({
    subject: names[0] ?? 'localhost',
    issuer: commonNameOf(authority.certificate),
    subjectKey: pair.publicKey,
    issuerPublicKey: createPublicKey(issuerKey),
    issuerKey,
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(Math.min(now.getTime() + (serverDays - 1) * dayMs, authority.certificate.validToDate.getTime())),
    names,
  });
  writeAtomically(files.key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  writeAtomically(files.cert, pem, 0o644);
  return { files, changed: true };
}

/**
 * @param {string} certFile
 * @param {string} keyFile
 * @returns {TlsFiles} the operator's own, after a look at whether they fit together
 */
export function checkOwnCertificate(certFile, keyFile) {
  try {
    const certificate = new X509Certificate(fs.readFileSync(certFile));
    const key = createPrivateKey(fs.readFileSync(keyFile));
    if (certificate.checkPrivateKey(key)) return { ca: null, cert: certFile, key: keyFile };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LaunchError('certificateInvalid', `the certificate or key cannot be read (${reason}).`, { cause: error });
  }
  throw new LaunchError('certificateInvalid', `${keyFile} is not the key of ${certFile}.`);
}

/**
 * @param {string} certFile
 * @param {string} keyFile
 * @param {Date} now
 */
function ensureAuthority(certFile, keyFile, now) {
  if (fs.existsSync(certFile) && fs.existsSync(keyFile)) {
    const certificate = new X509Certificate(fs.readFileSync(certFile));
    const key = fs.readFileSync(keyFile, 'utf8');
    if (expires(certificate, now) > serverDays * dayMs && certificate.checkPrivateKey(createPrivateKey(key)))
      return { certificate, key };
  }
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // Several installations in one house must be told apart in a list of authorities.
  const name = `Vedette local authority ${randomBytes(3).toString('hex')}`;
  const pem = writeCertificate({
    subject: name,
    issuer: name,
    subjectKey: pair.publicKey,
    issuerPublicKey: pair.publicKey,
    issuerKey: pair.privateKey,
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + authorityDays * dayMs),
    names: null,
  });
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  writeAtomically(keyFile, key, 0o600);
  writeAtomically(certFile, pem, 0o644);
  return { certificate: new X509Certificate(pem), key };
}

/**
 * @param {{ cert: string, key: string }} files
 * @param {X509Certificate} authority
 * @param {string[]} names
 * @param {Date} now
 */
function isCurrent(files, authority, names, now) {
  if (!fs.existsSync(files.cert) || !fs.existsSync(files.key)) return false;
  const certificate = new X509Certificate(fs.readFileSync(files.cert));
  if (!certificate.checkPrivateKey(createPrivateKey(fs.readFileSync(files.key)))) return false; // killed between the two writes
  if (expires(certificate, now) < renewDays * dayMs || !certificate.checkIssued(authority)) return false;
  return names.every(
    (name) => (net.isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

/**
 * @param {X509Certificate} certificate
 * @param {Date} now
 * @returns {number} milliseconds left
 */
function expires(certificate, now) {
  return certificate.validToDate.getTime() - now.getTime();
}

/** @param {X509Certificate} certificate */
function commonNameOf(certificate) {
  return /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? 'Vedette local authority';
}

/**
 * @param {string} file PEM
 * @returns {string} SHA-256 in upper-case hex with colons, as browsers show it
 */
export function certificateFingerprint(file) {
  return new X509Certificate(fs.readFileSync(file)).fingerprint256;
}
