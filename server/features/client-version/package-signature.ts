// Verifies the signature of a package: Ed25519 (RFC 8032) over its digest as text.
import { createPublicKey, verify } from 'node:crypto';

/** SubjectPublicKeyInfo of an Ed25519 key up to the key itself (RFC 8410, section 4). */
const SPKI_START = Buffer.from('302a300506032b6570032100', 'hex');

export interface SignedDigest {
  /** Hex. */
  readonly sha256: string;
  /** Base64. */
  readonly signature: string;
  readonly publicKey: string;
}

/** Any 32 bytes may be sent as a key: those that are none verify nothing. */
export function isSigned({ sha256, signature, publicKey }: SignedDigest): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.concat([SPKI_START, Buffer.from(publicKey, 'base64')]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, Buffer.from(`sha256:${sha256}`), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
