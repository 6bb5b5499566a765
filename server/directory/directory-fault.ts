// Why a directory did not answer as it should: the step that failed, in the contract's words, never in those of the other side.
import type { IdentityReason } from '@vedette/contract/errors.ts';
import { OutboundError, outboundFault } from '../outbound/outbound-fault.ts';

/** `detail`: a constant word, or the result code of RFC 4511 by its number. */
export class DirectoryError extends Error {
  readonly reason: IdentityReason;
  readonly detail: string;

  constructor(reason: IdentityReason, detail = '', options?: ErrorOptions) {
    super(detail === '' ? reason : `${reason}: ${detail}`, options);
    this.name = 'DirectoryError';
    this.reason = reason;
    this.detail = detail;
  }
}

/** Of an answer of LDAP; null where it is none. 0x51 and above are of libraries, not of the protocol. */
export function resultCodeOf(error: unknown): number | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'number' && code > 0 && code <= 80 ? code : null;
}

/** What the connection threw, as the failure of a step: `byResult` where the directory answered with a refusal. */
export function directoryFault(error: unknown, byResult: IdentityReason): DirectoryError {
  if (error instanceof DirectoryError) return error;
  const code = resultCodeOf(error);
  if (code !== null) return new DirectoryError(byResult, `code ${code}`, { cause: error });
  return connectionFault(error);
}

export function connectionFault(error: unknown): DirectoryError {
  if (error instanceof DirectoryError) return error;
  const fault = error instanceof OutboundError ? error : outboundFault(error);
  const reason = fault.kind === 'address' ? 'identityRefusedAddress' : 'identityUnreachable';
  return new DirectoryError(reason, fault.message, { cause: error });
}
