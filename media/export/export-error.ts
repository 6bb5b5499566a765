// Why an export failed, with its error code.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { errorCode } from '../recordings/disk.ts';

export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Code for whoever asked: a full disk is a lack of room, recordings that are gone are `missing`, all else is our fault. */
export function exportCode(error: unknown): number {
  if (error instanceof ExportError) return error.code;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return ERROR_CODES.quotaExceeded;
  if (code === 'ENOENT' || error instanceof RangeError) return ERROR_CODES.notFound;
  return ERROR_CODES.serverInternalError;
}
