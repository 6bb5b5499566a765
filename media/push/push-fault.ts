// Why a push does not go on, as its list shows it.
import type { PushReason } from '@vedette/contract/enumerations.ts';
import { RtmpError, type RtmpErrorCode } from '@vedette/protocols/rtmp/rtmp-error.ts';

export type { PushReason } from '@vedette/contract/enumerations.ts';

export class PushFault extends Error {
  override readonly name = 'PushFault';
  readonly reason: PushReason;

  constructor(reason: PushReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const REASON_OF: Readonly<Record<RtmpErrorCode, PushReason>> = {
  closed: 'closed',
  timeout: 'timeout',
  refused: 'refused',
  redirected: 'redirected',
  protocol: 'answer',
};

/** Of anything that ends a connection. */
export function pushReasonOf(error: unknown): PushReason {
  if (error instanceof PushFault) return error.reason;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout';
  return error instanceof RtmpError ? REASON_OF[error.code] : 'unreachable';
}
