// Keys for single uses, derived from the master key by HKDF (RFC 5869).
import { hkdfSync } from 'node:crypto';

/** 32 bytes. @param use label of the key; changing it would make stored data unreadable */
export function derivedKey(masterKey: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `vedette ${use}`, 32));
}
