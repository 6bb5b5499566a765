// Says that something was not done because no answer came: an answer with a code says so by itself.
import type { Translate } from '@vedette/phrases/translate.ts';
import { NetworkFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { showToast } from '../../ui/toast-store.ts';

export function tellLost(t: Translate, failure: unknown): void {
  if (failure instanceof NetworkFailure) showToast('error', failureText(t, failure));
}
