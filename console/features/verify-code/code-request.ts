// Asks for a code to be sent; too early it answers when another can be.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { isFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import { LANGUAGE_NUMBER } from '../../language/language-store.ts';
import { currentTranslate } from '../../language/language-store.ts';

type CodeRequest = Pick<CallInput<'account/verifyCode/send'>, 'target' | 'purpose' | 'captcha'>;

/** Seconds until another code can be sent. Rejects with the failure. */
export async function requestCode(caller: Caller, mode: 'web' | 'client', request: CodeRequest): Promise<number> {
  const { captcha, ...rest } = request;
  const input = {
    ...rest,
    clientType: mode,
    language: LANGUAGE_NUMBER[currentTranslate().language],
    ...(captcha !== undefined && captcha !== '' && { captcha }),
  };
  const { resendAfter } = await caller.ask('account/verifyCode/send', input, { showError: false });
  return resendAfter;
}

/** Of 1005: seconds to wait; null for any other failure. */
export function waitOf(failure: unknown): number | null {
  if (!isFailure(failure, ERROR_CODES.tooManyRequests)) return null;
  const { data } = failure;
  const wait = typeof data === 'object' && data !== null && 'retryAfter' in data ? data.retryAfter : null;
  return typeof wait === 'number' ? wait : null;
}
