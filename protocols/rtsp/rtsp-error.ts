// The errors of the RTSP client, by what the caller can do about them.

export type RtspErrorCode =
  /** No connection, or it broke. */
  | 'unreachable'
  /** The address is not one we may dial. */
  | 'refused-address'
  | 'timeout'
  /** User or password refused, or asked for and not given. */
  | 'authentication'
  | 'not-found'
  /** The device said something we cannot go on with. */
  | 'protocol'
  /** The description offers nothing the caller wants. */
  | 'no-track'
  | 'closed';

export class RtspError extends Error {
  readonly code: RtspErrorCode;
  /** RTSP status of the answer that led here. */
  readonly status: number | null;

  constructor(code: RtspErrorCode, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RtspError';
    this.code = code;
    this.status = options.status ?? null;
  }
}

/** What a refused request means. */
export function errorOfStatus(method: string, status: number, reason: string): RtspError {
  const code =
    status === 401 || status === 403 || status === 407
      ? 'authentication'
      : status === 404 || status === 410
        ? 'not-found'
        : 'protocol';
  return new RtspError(code, `${method} answered ${status} ${reason.slice(0, 80)}`, { status });
}
