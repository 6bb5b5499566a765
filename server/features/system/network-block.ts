// Validates CIDR blocks for the network policy of camera addresses.
import { isIP } from 'node:net';

/** `10.0.0.0/8`, `fd00::/8`, or a single address. */
export function isNetworkBlock(text: string): boolean {
  const [address, bits, ...more] = text.split('/');
  if (address === undefined || more.length > 0) return false;
  const family = isIP(address);
  if (family === 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}
