// The one error type drivers raise, and the one map from it to the contract's codes.
import type { DeviceReason } from '@vedette/contract/errors.ts';

/** What went wrong, as seen by the driver. Cancellation by the caller is not a fault: the signal's reason is thrown as it is. */
export type DeviceFaultKind =
  | 'auth'
  | 'locked'
  /** What answers is not, or not as safe as, what was added. */
  | 'untrusted'
  | 'unreachable'
  | 'timeout'
  | 'name-not-found'
  | 'address-refused'
  | 'other-protocol'
  | 'no-video'
  | 'unsupported-codec'
  | 'not-found'
  | 'not-supported'
  | 'unknown-channel'
  /** The drivers were started anew before the device had answered: no word of the device, and no fault of it. */
  | 'interrupted'
  /** It cost the site more than any device may: it is left alone for a while. */
  | 'misbehaving'
  | 'device';

export interface DeviceFaultDetails {
  /** SOAP subcode (`ter:NoProfile`), `HTTP 500` or `RTSP 454`: short, free of secrets, shown to the user. */
  readonly fault?: string;
  readonly cause?: unknown;
}

/** `message` carries the device's own words and is for the log only. */
export class DeviceFault extends Error {
  override readonly name = 'DeviceFault';
  readonly kind: DeviceFaultKind;
  readonly fault: string | null;

  constructor(kind: DeviceFaultKind, message: string, details: DeviceFaultDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.fault = details.fault ?? null;
  }
}

export interface DeviceError {
  readonly code: 1006 | 1009 | 2316 | 2317;
  /** `fault` is the device's own code word, for support; absent for 1006 and 1009. */
  readonly data: { readonly reason?: DeviceReason; readonly fault?: string };
}

// Wrong device credentials are 2316, never 2004 (the user's own password) and never a code that ends the session.
const errors: Readonly<Record<DeviceFaultKind, readonly [DeviceError['code'], DeviceReason?]>> = {
  auth: [2316, 'deviceAuth'],
  locked: [2316, 'deviceAuth'],
  untrusted: [2316, 'untrusted'],
  unreachable: [2317, 'unreachable'],
  timeout: [2317, 'timeout'],
  'name-not-found': [2317, 'unreachable'],
  'address-refused': [2316, 'refusedAddress'],
  'other-protocol': [2316, 'wrongProtocol'],
  'no-video': [2316, 'noVideo'],
  'unsupported-codec': [2316, 'unsupportedCodec'],
  'not-found': [2316, 'fault'],
  device: [2316, 'fault'],
  interrupted: [2317],
  misbehaving: [2316, 'misbehaving'],
  'not-supported': [1006],
  'unknown-channel': [1009],
};

export function deviceError(fault: DeviceFault): DeviceError {
  const [code, reason] = errors[fault.kind];
  if (reason === undefined) return { code, data: {} };
  return { code, data: fault.fault === null ? { reason } : { reason, fault: fault.fault } };
}
