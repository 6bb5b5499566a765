// Why a replay ended early.

/** `making-failed`: this replay's pictures could not be made; `maker-died`: the thread that makes them is gone. */
export type ReplayErrorCode = 'making-failed' | 'maker-died';

export class ReplayError extends Error {
  override readonly name = 'FootageError';
  readonly code: ReplayErrorCode;

  constructor(code: ReplayErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
