// Names a master key without telling anything about it: eight hexadecimal digits that follow from it (HKDF, RFC 5869).
import { derivedKey } from '../core/derived-key.ts';

export function keyIdOf(masterKey: Buffer): string {
  return derivedKey(masterKey, 'key id').toString('hex', 0, 4);
}
