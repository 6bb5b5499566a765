// Handlers of account/key/*: signing in with the key of a native shell, and ending such a key.
import type { signInKeyCalls } from '@vedette/contract/calls/sign-in-key.ts';
import { endSignInKey } from '../../auth/ended-sessions.ts';
import { CallError } from '../../core/call-error.ts';
import type { Handlers } from '../../http/handler.ts';
import { httpUrl } from '../../http/public-origin.ts';
import { openSession, type SignInDeps } from './sign-in.ts';

export function signInKeyHandlers(
  deps: Pick<SignInDeps, 'database' | 'sessions' | 'signInKeys'>,
): Handlers<keyof typeof signInKeyCalls> {
  const { database, sessions, signInKeys } = deps;
  return {
    'account/key/challenge': async ({ input }) => ({ challenge: await signInKeys.challenge(input.keyId) }),
    'account/key/ticket': async ({ input, origin }) => ({
      ticket: await signInKeys.ticket(input.keyId, input.proof, httpUrl(origin, '')),
    }),
    'account/key/signIn': async ({ input, address, agent, audit }) => {
      const { account, keyId } = await signInKeys.redeem(input.ticket, input.browserId);
      audit.accountId = account.account_id;
      const { browserId } = input;
      return await openSession(sessions, account, { browserId, clientType: 'client', address, agent, keyId });
    },
    'account/key/delete': async ({ input, principal, now }) => {
      const which = { accountId: principal.userId, keyId: input.keyId, except: principal.sessionId };
      const isEnded = await endSignInKey(database, which, now);
      if (!isEnded) throw new CallError('notFound');
      return {};
    },
  };
}
