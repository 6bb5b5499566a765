// Who shared something and until when, in one line.
import type { ShareInfo } from '@vedette/contract/entities.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';

export function sharedText(t: Translate, of: { readonly shareInfo: ShareInfo | null }, format: TimeFormat): string {
  const { owner, endTime } = of.shareInfo ?? { owner: '', endTime: null };
  if (endTime === null) return t('share.mark', { owner });
  return t('share.markUntil', { owner, time: formatDateTime(endTime, format, false) });
}
