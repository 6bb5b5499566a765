// Why a replay ended early.

/** `making-failed`: this replay's pictures could not be made; `maker-died`: the thread that makes them is gone. */
export type FootageErrorCode = 'making-failed' | 'maker-died';

export class FootageError extends Error {
  override readonly name = 'FootageError';
  readonly code: FootageErrorCode;

  constructor(code: FootageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
