// Doctor: until when is the certificate of this installation valid?

import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { checkOwnCertificate } from '../tls/local-authority.js';
import { failure, ok, warning } from './finding.js';

const dayMs = 86_400_000;
const soonDays = 21;

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {import('./finding.js').Finding[]}
 */
export function checkCertificate({ options, now, isRunning }) {
  const { tlsCert, tlsKey, data } = options;
  if (tlsCert !== null && tlsKey !== null) return [checkOwn({ cert: tlsCert, key: tlsKey }, now)];
  const file = path.join(data, 'tls', 'server.pem');
  if (!fs.existsSync(file)) return [ok('certificate', 'The first start makes a certificate.')];
  const until = validUntil(file);
  if (until === null)
    return [failure('certificate', `${file} cannot be read.`, 'Remove it; the next start makes a new one.')];
  const text = describe(until, now);
  if (until > now.getTime()) return [ok('certificate', text)];
  // It is renewed every minute while Vedette runs, and at each start.
  const advice = isRunning
    ? 'Restart Vedette, and read its log if that does not help.'
    : 'Start Vedette: it renews it.';
  return [failure('certificate', text, advice)];
}

/**
 * @param {{ cert: string, key: string }} files
 * @param {Date} now
 */
function checkOwn({ cert, key }, now) {
  try {
    checkOwnCertificate(cert, key);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    return failure('certificate', error.message, 'Correct --tls-cert and --tls-key.');
  }
  const until = validUntil(cert) ?? 0;
  const text = describe(until, now);
  const advice = `Renew it; Vedette reads ${cert} again within a minute.`;
  if (until <= now.getTime()) return failure('certificate', text, advice);
  return until < now.getTime() + soonDays * dayMs ? warning('certificate', text, advice) : ok('certificate', text);
}

/**
 * @param {string} file
 * @returns {number | null} ms since 1970
 */
function validUntil(file) {
  try {
    return new X509Certificate(fs.readFileSync(file)).validToDate.getTime();
  } catch {
    return null; // no certificate: the finding says so
  }
}

/**
 * @param {number} until
 * @param {Date} now
 */
function describe(until, now) {
  const day = new Date(until).toISOString().slice(0, 10);
  return until <= now.getTime() ? `The certificate expired on ${day}.` : `The certificate is valid until ${day}.`;
}
