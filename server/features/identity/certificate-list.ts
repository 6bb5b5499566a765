// Certificates in PEM, as an operator pastes them.
import { X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** One or more, each of them readable, and nothing that was meant as another one. */
export function isCertificateList(text: string): boolean {
  const found = text.match(CERTIFICATE) ?? [];
  return found.length > 0 && found.length === text.split('-----BEGIN').length - 1 && found.every(isReadable);
}

function isReadable(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0;
  } catch {
    return false;
  }
}
