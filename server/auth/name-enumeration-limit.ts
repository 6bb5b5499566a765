// Rate limit against account enumeration: how many existing user names one account may discover (SE-03).
import { CallError } from '../core/call-error.ts';
import { DuplicateAccountKeyError } from '../database/account/account-keys.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';

/** Existing names that one account may discover. */
const EXISTING_NAMES_LIMIT = { max: 30, windowMs: 3_600_000 } as const;

/** Runs a write that claims a name; throws 1016 at `field` if it is taken, and 1005 for any name once too many were taken. */
export async function withNameEnumerationLimit<T>(
  attempts: AttemptLimiter,
  { askerId, field }: { readonly askerId: string; readonly field: string },
  claim: () => Promise<T>,
): Promise<T> {
  const attemptId = await attempts.consume([{ key: `taken names ${askerId}`, ...EXISTING_NAMES_LIMIT }]);
  try {
    const claimed = await claim();
    await attempts.refund(attemptId);
    return claimed;
  } catch (error) {
    if (error instanceof DuplicateAccountKeyError) throw new CallError('alreadyExists', { [field]: 'notAllowed' });
    await attempts.refund(attemptId);
    throw error;
  }
}

/** Sub-accounts share the budget of their owner, since owners create them at will. */
export function askerOf(principal: { readonly userId: string; readonly ownerId: string | null }): string {
  return principal.ownerId ?? principal.userId;
}
