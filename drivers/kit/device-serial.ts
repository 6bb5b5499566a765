// Derives deviceSerial, the 1 to 20 letters or digits that identify a device in the whole product.
import { createHash } from 'node:crypto';

export interface DeviceIdentity {
  readonly manufacturer: string;
  readonly model: string;
  /** As reported; may be empty. */
  readonly serial: string;
  /** Distinguishes devices with equal serials: endpoint address, MAC, or URL. */
  readonly unique: string;
}

/** Truncation could make two serials equal, so one that does not fit becomes `V` and a hash. */
export function deriveDeviceSerial({ manufacturer, model, serial, unique }: DeviceIdentity): string {
  const plain = serial.trim();
  if (/^[A-Za-z0-9]{1,20}$/u.test(plain) && !/^0+$/u.test(plain)) return plain;
  const digest = createHash('sha256')
    .update(JSON.stringify([manufacturer, model, plain, unique]))
    .digest();
  const letters = Array.from(digest.subarray(0, 19), (byte) => alphabet[byte & 31]);
  return `V${letters.join('')}`;
}

// 32 characters without I, L, O and U, so that a serial read aloud is not mistaken.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
