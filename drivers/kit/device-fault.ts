// The error type of all drivers, and its mapping to error codes of the contract.
import type { DeviceReason } from '@vedette/contract/errors.ts';

/** What went wrong, from the driver's view. Aborts by the caller are not faults: the signal's reason is thrown. */
export type DeviceFaultKind =
  | 'auth'
  | 'locked'
  /** Another device, or one with weaker security, than the one that was added. */
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
  /** The driver host restarted before the device answered: no fault of the device. */
  | 'interrupted'
  /** Quarantined: it exceeded its budget. */
  | 'misbehaving'
  | 'device';

export interface DeviceFaultDetails {
  /** SOAP subcode (`ter:NoProfile`), `HTTP 500` or `RTSP 454`: short, free of secrets, shown to the user. */
  readonly fault?: string;
  readonly cause?: unknown;
}

/** `message` contains the device's own text, for the log only. */
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
  /** `fault` is the device's own error code, for support; absent for 1006 and 1009. */
  readonly data: { readonly reason?: DeviceReason; readonly fault?: string };
}

// Wrong device credentials are 2316, never 2004 (the user's own password) nor a code that ends the session.
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
