// Rate limit against account enumeration: how many existing user names one account may discover (SE-03).
import { CallError } from '../call-error.ts';
import { AccountTaken } from '../database/account-keys.ts';
import type { Attempts } from './attempts.ts';

/** Taken names that one asker hears of. */
const TAKEN_NAMES = { max: 30, windowMs: 3_600_000 } as const;

/** Runs what claims a name; throws 1016 at `field` where it is taken, and 1005 once too many were, whatever is asked for then. */
export async function withNameBudget<T>(
  attempts: Attempts,
  { askerId, field }: { readonly askerId: string; readonly field: string },
  claim: () => Promise<T>,
): Promise<T> {
  const attemptId = await attempts.take([{ key: `taken names ${askerId}`, ...TAKEN_NAMES }]);
  try {
    const claimed = await claim();
    await attempts.giveBack(attemptId);
    return claimed;
  } catch (error) {
    if (error instanceof AccountTaken) throw new CallError('alreadyExists', { [field]: 'notAllowed' });
    await attempts.giveBack(attemptId);
    throw error;
  }
}

/** Sub-accounts are made at will: those of one owner ask as one. */
export function askerOf(principal: { readonly userId: string; readonly ownerId: string | null }): string {
  return principal.ownerId ?? principal.userId;
}
