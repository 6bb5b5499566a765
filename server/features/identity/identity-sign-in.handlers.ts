// Handlers of identity/signIn/*: sending a browser to an identity provider, and signing in with its answer.
import type { identityProviderCalls } from '@vedette/contract/calls/identity-provider.ts';
import type { Sessions } from '../../auth/sessions.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findIdentityProvider, mappingsOf } from '../../database/account/identity-provider.queries.ts';
import { rememberBrowser } from '../../database/account/known-browser.queries.ts';
import type { IdentityProviderRow } from '../../database/schema/identity-schema.ts';
import type { Handlers } from '../../http/handler.ts';
import { openSession } from '../account/account.facts.ts';
import { accountOfUser, type IdentityAccountsDeps } from './identity-accounts.ts';
import { identityFailure } from './identity-failure.ts';
import type { IdentityFlows } from './identity-flows.ts';
import { mappedRights } from './mapped-rights.ts';

export interface IdentitySignInDeps extends IdentityAccountsDeps {
  readonly flows: IdentityFlows;
  readonly sessions: Sessions;
}

type SignInPath = Extract<keyof typeof identityProviderCalls, `identity/signIn/${string}`>;

/** Claims that sign-in itself looks at. */
const SIGN_IN_CLAIMS = ['email', 'email_verified', 'preferred_username'];

export function identitySignInHandlers(deps: IdentitySignInDeps): Handlers<SignInPath> {
  const { database, flows, sessions } = deps;
  return {
    'identity/signIn/begin': async (request) => {
      const provider = await enabledProvider(database, request.input.providerId);
      if (provider === undefined) throw new CallError('notFound');
      return { url: await flows.begin(provider, request, { purpose: 'signIn', sessionId: null }) };
    },
    'identity/signIn/finish': async (request) => {
      const { input, now, audit, address, agent } = request;
      const provider = await enabledProvider(database, input.providerId);
      if (provider === undefined) throw identityFailure('identityClosed');
      audit.object = provider.provider_name;
      const mappings = await mappingsOf(database, [provider.provider_id]);
      const claimNames = [...SIGN_IN_CLAIMS, ...mappings.map(({ claim }) => claim.split('.')[0] ?? '')];
      const { purpose, claims } = await flows.finish(provider, request, { parameters: input.parameters, claimNames });
      if (purpose !== 'signIn') throw identityFailure('identityExpired');
      const rights = mappedRights(claims, mappings);
      const account = await accountOfUser(deps, { provider, claims, rights, now });
      audit.accountId = account.account_id;
      audit.ownerIds.push(...(account.owner_id === null ? [] : [account.owner_id]));
      const { browserId } = input;
      await rememberBrowser(database, account.account_id, { browserId, agent }, now);
      return await openSession(sessions, account, { browserId, clientType: 'web', address, agent });
    },
  };
}

/** Of OpenID Connect: browsers are sent to it. */
export async function enabledProvider(
  database: Database,
  providerId: string,
): Promise<IdentityProviderRow | undefined> {
  const provider = await findIdentityProvider(database, providerId);
  return provider?.is_enabled === true && provider.directory === null ? provider : undefined;
}
