// Reports that an action failed because no answer came; answers with a code report themselves.
import type { Translate } from '@vedette/phrases/translate.ts';
import { NetworkFailure } from './call-failure.ts';
import { failureText } from './failure-text.ts';
import { showToast } from '../ui/feedback/toast-store.ts';

export function reportNoAnswer(t: Translate, failure: unknown): void {
  if (failure instanceof NetworkFailure) showToast('error', failureText(t, failure));
}
