// The errors of the RTMP client, by what the caller can do about them.

export type RtmpErrorCode =
  /** The connection ended or broke. */
  | 'closed'
  | 'timeout'
  /** The server does not take this stream: wrong name or key, or in use. */
  | 'refused'
  /** The server asks to be left for another address. */
  | 'redirected'
  /** What answers does not speak RTMP. */
  | 'protocol';

export class RtmpError extends Error {
  override readonly name = 'RtmpError';
  readonly code: RtmpErrorCode;

  constructor(code: RtmpErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
