// How a request of the bridge is answered: five codes of the contract's table, and never the text of an exception.
import { ERROR_CODES, errorName, SUCCESS } from '@vedette/contract/errors.ts';

export type BridgeCode =
  | typeof SUCCESS
  | typeof ERROR_CODES.paramInvalid
  | typeof ERROR_CODES.permissionDenied
  | typeof ERROR_CODES.functionNotSupported
  | typeof ERROR_CODES.serviceBusy;

/** `data` of 1003: field → reason. */
export interface BridgeOutcome<T = unknown> {
  readonly code: BridgeCode;
  readonly data: T;
}

/** 1006: unknown topic, or one that this side does not offer. */
export const NOT_SUPPORTED: BridgeOutcome = { code: ERROR_CODES.functionNotSupported, data: {} };
/** 1004: nobody is signed in, the account may not, or the installation does not allow it. */
export const DENIED: BridgeOutcome = { code: ERROR_CODES.permissionDenied, data: {} };
/** 1012: too many requests wait, the time is over, a later request took the place, or something failed. */
export const BUSY: BridgeOutcome = { code: ERROR_CODES.serviceBusy, data: {} };

export function badPayload(reasons: Readonly<Record<string, string>>): BridgeOutcome {
  return { code: ERROR_CODES.paramInvalid, data: reasons };
}

export function succeeded<T>(data: T): BridgeOutcome<T> {
  return { code: SUCCESS, data };
}

/** The specification's word for a success, else the name of the code. */
export function messageOf(code: BridgeCode): string {
  return code === SUCCESS ? 'succeed' : (errorName(code) ?? '');
}

/** Thrown by a handler that refuses; anything else that it throws is answered 1012. */
export class BridgeRefusal extends Error {
  readonly outcome: BridgeOutcome;

  constructor(outcome: BridgeOutcome) {
    super(`refused with ${outcome.code}`);
    this.outcome = outcome;
  }
}
