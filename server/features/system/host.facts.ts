// Facts of the host: its addresses and the certificate of the gateway.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly validTo: number;
  readonly fingerprint: string;
}

/** Where other machines reach the console, IPv4 first; plain HTTP is served to this machine alone. */
export function outerUrls(port: number): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outer = all.filter((one) => !one.internal && !one.address.toLowerCase().startsWith('fe80'));
  const sorted = outer.sort((one, other) => one.family.localeCompare(other.family));
  const hosts = sorted.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  return [...new Set(hosts)].map((host) => `https://${host}:${port}`);
}

/** null where none was made (--http, or a certificate of the operator's own elsewhere). */
export async function certificateFacts(dataFolder: string): Promise<CertificateFacts | null> {
  const text = await readIfThere(join(dataFolder, 'tls', 'server.pem'));
  if (text === null) return null;
  const certificate = new X509Certificate(text);
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    validTo: certificate.validToDate.getTime(),
    fingerprint: certificate.fingerprint256,
  };
}

function oneLine(name: string): string {
  return name.split('\n').join(', ');
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** SHA-256 of our own authority's certificate, lower-case hex; empty without one. */
export async function authorityFingerprint(dataFolder: string): Promise<string> {
  const text = await readIfThere(join(dataFolder, 'tls', 'ca.pem'));
  return text === null ? '' : new X509Certificate(text).fingerprint256.replaceAll(':', '').toLowerCase();
}
