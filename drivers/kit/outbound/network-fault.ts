// Maps socket errors to DeviceFaults.
import { DeviceFault } from '../device-fault.ts';

/** DeviceFaults pass through, and so do other errors, which are bugs of ours. */
export function networkFault(error: unknown): unknown {
  if (error instanceof DeviceFault || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const details = { fault: code, cause: error };
  if (code === 'ETIMEDOUT') return new DeviceFault('timeout', 'the connection timed out', details);
  if (unreachable.has(code)) return new DeviceFault('unreachable', `the device cannot be reached: ${code}`, details);
  if (/^(?:HPE_|ERR_SSL_|ERR_TLS_|EPROTO)/u.test(code)) {
    return new DeviceFault('other-protocol', `the device speaks another protocol: ${code}`, details);
  }
  return error;
}

const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EINVAL',
  'EACCES',
  'EPERM',
  'EPIPE',
]);
