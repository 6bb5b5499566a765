// CallError: the error of a handler, with a code of the contract and its data.
import { ERROR_CODES, type ErrorName, errorName } from '@vedette/contract/errors.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';

export class CallError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(name: ErrorName, data: unknown = null) {
    super(name);
    this.name = 'CallError';
    this.code = ERROR_CODES[name];
    this.data = data;
  }
}

/** Code 1003 with field → reason. */
export function fieldError(fields: Readonly<Record<string, FieldProblem>>): CallError {
  return new CallError('paramInvalid', fields);
}

/** Throws 1003 if a check found a problem. */
export function refuseBadFields(checks: Readonly<Record<string, FieldProblem | null>>): void {
  const bad = Object.entries(checks).filter((check): check is [string, FieldProblem] => check[1] !== null);
  if (bad.length > 0) throw fieldError(Object.fromEntries(bad));
}

/** Loads an object that existed earlier in the call; throws if it was deleted meanwhile. */
export function requireFound<T>(found: T | undefined | false, name: ErrorName): T {
  if (found === undefined || found === false) throw new CallError(name);
  return found;
}

/** From a code of another process; an unknown number counts as a device error. */
export function callErrorOf(code: number, data: unknown): CallError {
  return new CallError(errorName(code) ?? 'devInternalErr', data);
}
