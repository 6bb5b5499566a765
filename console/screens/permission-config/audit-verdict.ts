// What the verification of the audit log found, as one sentence.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { Translate } from '@vedette/phrases/translate.ts';

type Verified = CallOutput<'audit/verify'>;

/** New entries are chained within a second, or by another server within half a minute. */
const UNCHAINED_LONG_MS = 60_000;

export function isIntact({ isWhole, missing, unchainedForMs }: Verified): boolean {
  return isWhole && missing === 0 && unchainedForMs < UNCHAINED_LONG_MS;
}

export function verdictText(t: Translate, found: Verified): string {
  const { isWhole, total, brokenAt, missing, unchained, unchainedForMs } = found;
  if (!isWhole) return t('audit.broken', { entry: brokenAt ?? 0 });
  if (missing > 0) return t('audit.missing', { missing, total });
  if (unchainedForMs >= UNCHAINED_LONG_MS) return t('audit.unchainedLong', { total, unchained });
  return unchained === 0 ? t('audit.whole', { total }) : t('audit.wholeWithTail', { total, unchained });
}
