// The errors of the RTSP client, by what the caller can do about them.

export type RtspErrorCode =
  /** No connection, or it broke. */
  | 'unreachable'
  /** The address is not one we may dial. */
  | 'refused-address'
  | 'timeout'
  /** User or password refused, or asked for and not given. */
  | 'authentication'
  /** What answers asks for less than the device did before. */
  | 'untrusted'
  | 'not-found'
  /** The device said something we cannot go on with. */
  | 'protocol'
  /** The device does not send media the way we asked for (461 and its like). */
  | 'transport'
  /** The description offers nothing the caller wants. */
  | 'no-track'
  | 'closed';

export class RtspError extends Error {
  readonly code: RtspErrorCode;
  /** RTSP status of the answer that led here. */
  readonly status: number | null;
  /** Where a 3xx answer leads. */
  readonly location: string | null;

  constructor(
    code: RtspErrorCode,
    message: string,
    options: { status?: number; location?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RtspError';
    this.code = code;
    this.status = options.status ?? null;
    this.location = options.location ?? null;
  }
}

/** What a refused request means. */
export function errorOfStatus(method: string, status: number, reason: string, location?: string): RtspError {
  const code =
    status === 401 || status === 403 || status === 407
      ? 'authentication'
      : status === 404 || status === 410
        ? 'not-found'
        : status === 461
          ? 'transport'
          : 'protocol';
  const leads = status >= 300 && status < 400 ? { location } : {};
  return new RtspError(code, `${method} answered ${status} ${reason.slice(0, 80)}`, { status, ...leads });
}
