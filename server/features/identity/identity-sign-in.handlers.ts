// Handlers of identity/signIn/*: sending a browser to an identity provider, and signing in with its answer, or the native client that waits for it.
import type { identityProviderCalls } from '@vedette/contract/calls/identity-provider.ts';
import type { Sessions } from '../../auth/sessions.ts';
import { CallError } from '../../core/call-error.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { Database } from '../../database/connection.ts';
import { findAccount } from '../../database/account/account.queries.ts';
import { findIdentityProvider, mappingsOf } from '../../database/account/identity-provider.queries.ts';
import { rememberBrowser } from '../../database/account/known-browser.queries.ts';
import type { IdentityProviderRow, IdentityPurpose } from '../../database/schema/identity-schema.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import { openSession } from '../account/account.facts.ts';
import { openTicket, takeTicket } from './client-tickets.ts';
import { accountOfUser, type IdentityAccountsDeps } from './identity-accounts.ts';
import { identityFailure } from './identity-failure.ts';
import type { IdentityFlows } from './identity-flows.ts';
import { mappedRights } from './mapped-rights.ts';

export interface IdentitySignInDeps extends IdentityAccountsDeps {
  readonly flows: IdentityFlows;
  readonly sessions: Sessions;
  readonly box: SecretBox;
}

type SignInPath = Extract<keyof typeof identityProviderCalls, `identity/signIn/${string}`>;
type AnswerRequest = CallRequest<'identity/signIn/finish'> | CallRequest<'identity/signIn/handOver'>;

/** Claims that sign-in itself looks at. */
const SIGN_IN_CLAIMS = ['email', 'email_verified', 'preferred_username'];

export function identitySignInHandlers(deps: IdentitySignInDeps): Handlers<SignInPath> {
  const { database, flows, sessions } = deps;
  return {
    'identity/signIn/begin': async (request) => {
      const { providerId, challenge } = request.input;
      const provider = await enabledProvider(database, providerId);
      if (provider === undefined) throw new CallError('notFound');
      const purpose = challenge === undefined ? 'signIn' : 'client';
      return { url: await flows.begin(provider, request, { purpose, sessionId: null, challenge }) };
    },
    'identity/signIn/finish': async (request) => {
      const { input, now, address, agent } = request;
      const { account } = await arrivedAccount(deps, request, 'signIn');
      const { browserId } = input;
      await rememberBrowser(database, account.account_id, { browserId, agent }, now);
      return await openSession(sessions, account, { browserId, clientType: 'web', address, agent });
    },
    'identity/signIn/handOver': async (request) => {
      const { account, challenge } = await arrivedAccount(deps, request, 'client');
      const whose = { providerId: request.input.providerId, accountId: account.account_id, challenge };
      return { ticket: await openTicket(deps, whose, request.now) };
    },
    'identity/signIn/redeem': async ({ input, now, address, agent, audit }) => {
      const provider = await openProvider(database, input.providerId);
      audit.object = provider.provider_name;
      const accountId = await takeTicket(deps, input, now);
      const account = accountId === null ? undefined : await findAccount(database, accountId);
      if (account === undefined) throw identityFailure('identityExpired');
      audit.accountId = account.account_id;
      if (!account.is_enabled) throw new CallError('userLocked', { reason: 'disabled' });
      const { browserId } = input;
      await rememberBrowser(database, account.account_id, { browserId, agent }, now);
      return await openSession(sessions, account, { browserId, clientType: 'client', address, agent });
    },
  };
}

/** Whom the provider's answer is about. `challenge`: of the client that waits; empty: none does. Throws 1011, 1044, 2031. */
async function arrivedAccount(
  deps: IdentitySignInDeps,
  request: AnswerRequest,
  begunFor: IdentityPurpose,
): Promise<{ readonly account: AccountRow; readonly challenge: string }> {
  const { database, flows } = deps;
  const { input, now, audit } = request;
  const provider = await openProvider(database, input.providerId);
  audit.object = provider.provider_name;
  const mappings = await mappingsOf(database, [provider.provider_id]);
  const claimNames = [...SIGN_IN_CLAIMS, ...mappings.map(({ claim }) => claim.split('.')[0] ?? '')];
  const finished = await flows.finish(provider, request, { parameters: input.parameters, claimNames });
  if (finished.purpose !== begunFor) throw identityFailure('identityExpired');
  const { claims, challenge } = finished;
  const rights = mappedRights(claims, mappings);
  const account = await accountOfUser(deps, { provider, claims, rights, now });
  audit.accountId = account.account_id;
  audit.ownerIds.push(...(account.owner_id === null ? [] : [account.owner_id]));
  return { account, challenge };
}

/** Throws 1044 where it signs nobody in any more. */
async function openProvider(database: Database, providerId: string): Promise<IdentityProviderRow> {
  const provider = await enabledProvider(database, providerId);
  if (provider === undefined) throw identityFailure('identityClosed');
  return provider;
}

/** Of OpenID Connect: browsers are sent to it. */
export async function enabledProvider(
  database: Database,
  providerId: string,
): Promise<IdentityProviderRow | undefined> {
  const provider = await findIdentityProvider(database, providerId);
  return provider?.is_enabled === true && provider.directory === null ? provider : undefined;
}
