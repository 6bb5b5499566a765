// What is told of a connection that failed: one of a few kinds, never the words or addresses that the system, a library or the other side used.
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';

/** What a user named may not be dialled, or nobody answered there as they should. */
export class OutboundError extends Error {
  readonly kind: 'address' | 'unreachable';

  constructor(kind: 'address' | 'unreachable', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.kind = kind;
  }
}

export const NO_ANSWER = 'no answer in time';
export const TOO_LARGE = 'the answer is too large';

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: NO_ANSWER,
  ABORT_ERR: NO_ANSWER,
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  EADDRNOTAVAIL: 'no route to the host',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name is not known',
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  EPROTO: 'TLS failed',
};
const FAILED = 'the connection failed';
/** The first that matches. */
const BY_PATTERN: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT)/, 'the certificate is not trusted'],
  [/^HPE_(?!HEADER_OVERFLOW$)/, 'the answer is not HTTP'],
  [/^ERR_(?:SSL|TLS)_/, 'TLS failed'],
];

/** What is one already stays as it is. */
export function outboundFault(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError('unreachable', kindOf(error), { cause: error });
}

function kindOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (typeof code !== 'string') return FAILED;
  const [, kind] = BY_PATTERN.find(([pattern]) => pattern.test(code)) ?? [];
  return kind ?? (Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined) ?? FAILED;
}

/** Rejects with "no answer in time" when `signal` aborts first; the work goes on. */
export async function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await raceSignal(work, signal);
  } catch (error) {
    throw signal.aborted && error === signal.reason ? new OutboundError('unreachable', NO_ANSWER) : error;
  }
}
