// How a call fails: the server's answer code, or no answer at all.
import type { ErrorCode } from '@vedette/contract/errors.ts';

/** The server answered with a code other than 200. */
export class CallFailure extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = 'CallFailure';
    this.code = code;
    this.data = data;
  }
}

/** No envelope came back: connection lost, timeout, or not our server. */
export class NetworkFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NetworkFailure';
  }
}

export function failureCode(failure: unknown): number | null {
  return failure instanceof CallFailure ? failure.code : null;
}

export function isFailure(failure: unknown, code: ErrorCode): failure is CallFailure {
  return failureCode(failure) === code;
}

/** `data.reason` of 2316 and 2317. */
export function failureReason(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('reason' in data)) return null;
  return typeof data.reason === 'string' ? data.reason : null;
}
