// Calls of the server on behalf of the shell: what the server refuses becomes one of the codes of the bridge.
import {
  BUSY,
  badPayload,
  BridgeRefusal,
  type BridgeOutcome,
  DENIED,
  NOT_SUPPORTED,
} from '@vedette/bridge/messages/bridge-answer.ts';
import type { CallInput, CallOutput, CallPath } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CallFailure } from '../calls/call-failure.ts';
import type { Caller } from '../calls/caller.ts';

/** Rejects with BridgeRefusal alone. Nothing is shown to the user: the shell asked, and is told. */
export async function askServer<P extends CallPath>(
  caller: Caller,
  path: P,
  input: CallInput<P>,
  signal: AbortSignal,
): Promise<CallOutput<P>> {
  try {
    return await caller.ask(path, input, { showError: false, signal });
  } catch (failure) {
    throw new BridgeRefusal(failure instanceof CallFailure ? outcomeOf(failure) : BUSY);
  }
}

function outcomeOf({ code, data }: CallFailure): BridgeOutcome {
  if (code === ERROR_CODES.paramInvalid) return badPayload((data ?? {}) as Record<string, string>);
  if (code === ERROR_CODES.functionNotSupported) return NOT_SUPPORTED;
  // The key of the shell proved nothing, or its ticket is used or over.
  if (code === ERROR_CODES.userPWDIncorrect) return badPayload({ ticket: 'notFound' });
  // A channel of somebody else is answered as one that does not exist.
  if (code === ERROR_CODES.devNotExist) return badPayload({ deviceSerial: 'notFound' });
  if (code === ERROR_CODES.notFound) return badPayload({ data: 'notFound' });
  return REFUSED.has(code) ? DENIED : BUSY;
}

const REFUSED: ReadonlySet<number> = new Set([
  ERROR_CODES.permissionDenied,
  ERROR_CODES.shareEnded,
  ERROR_CODES.tokenInvalid,
  ERROR_CODES.tokenExpired,
  ERROR_CODES.videoClosed,
  ERROR_CODES.stepUpRequired,
]);

/** 1003 for one field. */
export function refuse(field: string, reason: string): never {
  throw new BridgeRefusal(badPayload({ [field]: reason }));
}
