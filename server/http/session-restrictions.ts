// Restrictions of a session: step-up authentication where a call declares it, and closed video after a reset.
import type { Call } from '@vedette/contract/call.ts';
import { STEP_UP_MS } from '@vedette/contract/limits.ts';
import { CallError } from '../core/call-error.ts';
import { proofProviderOf } from '../database/account/identity-link.queries.ts';
import { twoFactorChallenge } from '../auth/two-factor-challenge.ts';
import type { SignedInContext } from './handler.ts';
import type { RuleDeps } from './permission-rule.ts';

/** After the rule of the call: who may not make it at all learns nothing else. Throws 1040, 1041. */
export async function enforceSessionRestrictions(
  deps: RuleDeps,
  { stepUp, opensVideo }: Call,
  { principal, provedAt, videoClosedUntil }: SignedInContext,
): Promise<void> {
  const now = deps.clock.wallMs();
  if (opensVideo === true && videoClosedUntil > now) throw new CallError('videoClosed', { until: videoClosedUntil });
  // A clock that was set back makes no proof last longer.
  const isProved = provedAt > now - STEP_UP_MS && provedAt <= now;
  if (stepUp === undefined || isProved) return;
  const question = await twoFactorChallenge(deps.database, principal.userId);
  if (stepUp === 'password' && question.methods.length === 0) return;
  const provider = await proofProviderOf(deps.database, principal.userId);
  if (provider === undefined) throw new CallError('stepUpRequired', question);
  // It stands for the password, and asks for a second factor itself.
  throw new CallError('stepUpRequired', { methods: [], target: '', providerName: provider.provider_name });
}
