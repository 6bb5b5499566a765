// Rights of an app that acts for an account: what the account allowed it, as far as the account itself still has it.
import { commonGrant } from './bounded-grants.ts';
import { canOwn } from './decide.ts';
import type { Grant, RightsSubject } from './rights.ts';

/**
 * `allowed`: the devices and organisations that the app was given, one grant each. The app owns nothing: decide with a
 * subject that cannot own.
 */
export function delegatedGrants<G extends Grant>(
  account: RightsSubject,
  received: readonly G[],
  allowed: readonly G[],
): G[] {
  const own = canOwn(account) ? allowed.filter(({ ownerId }) => ownerId === account.userId) : [];
  const narrowed = received.flatMap((grant) => allowed.flatMap((bound) => commonGrant(grant, bound) ?? []));
  return [...own, ...narrowed];
}
