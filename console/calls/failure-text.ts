// The sentence of a failure: phrase of errCode_{code} with the answer's data, else the generic form (ER-02, ER-03).
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { CallFailure, failureReason, NetworkFailure } from './call-failure.ts';

/** The generic display of ER-02. */
export function genericErrorText(code: number, message: string): string {
  return `ERROR:  ${code}  ${message}`;
}

const REASON_CODES: readonly number[] = [
  ERROR_CODES.devInternalErr,
  ERROR_CODES.devResponseTimeOut,
  ERROR_CODES.userLocked,
  ERROR_CODES.identityFailed,
];

function dataValues(data: unknown): Record<string, string | number> {
  if (typeof data !== 'object' || data === null) return {};
  const entries = Object.entries(data).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  const values = Object.fromEntries(entries);
  const { retryAfter } = values;
  return typeof retryAfter === 'number' ? { ...values, minutes: Math.max(1, Math.ceil(retryAfter / 60)) } : values;
}

export function codeText(t: Translate, code: number, message: string, data: unknown): string {
  const reason = REASON_CODES.includes(code) ? failureReason(data) : null;
  return (
    (reason === null ? undefined : t.find(`reason_${reason}`, dataValues(data))) ??
    t.find(`errCode_${code}`, dataValues(data)) ??
    genericErrorText(code, message)
  );
}

/** For a view's own error state. */
export function failureText(t: Translate, failure: unknown): string {
  if (failure instanceof CallFailure) return codeText(t, failure.code, failure.message, failure.data);
  if (failure instanceof NetworkFailure) return t('error.network');
  return failure instanceof Error ? genericErrorText(0, failure.message) : t('error.title');
}
