// Handlers of identity/link/* and identity/proof/*: what an account is linked to, and proving itself at a provider in place of a password.
import type { identityProviderCalls } from '@vedette/contract/calls/identity-provider.ts';
import { STEP_UP_MS } from '@vedette/contract/limits.ts';
import { endSessionsNow } from '../../auth/ended-sessions.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import { findAccount } from '../../database/account/account.queries.ts';
import {
  deleteIdentityLink,
  findIdentityLink,
  identityLinksOf,
  proofProviderOf,
} from '../../database/account/identity-link.queries.ts';
import { enabledDirectories, enabledIdentityProviders } from '../../database/account/identity-provider.queries.ts';
import { noteProof } from '../../database/account/session.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import { type DirectoryLinkDeps, linkDirectory } from './directory-link.ts';
import { identityOf, linkAccount } from './identity-accounts.ts';
import { identityFailure } from './identity-failure.ts';
import type { FinishedFlow, IdentityFlows } from './identity-flows.ts';
import { enabledProvider } from './identity-sign-in.handlers.ts';

type LinkPath = Extract<keyof typeof identityProviderCalls, `identity/link/${string}` | `identity/proof/${string}`>;

/** How much older than the request the sign-in at the provider may be: the clocks differ. */
const FRESH_TOLERANCE_MS = 30_000;

export interface IdentityLinkDeps extends DirectoryLinkDeps {
  readonly flows: IdentityFlows;
}

export function identityLinkHandlers(deps: IdentityLinkDeps): Handlers<LinkPath> {
  const { database, flows } = deps;
  return {
    'identity/link/list': async ({ principal }) => await linksOf(database, principal.userId),
    'identity/link/begin': async (request) => {
      const provider = requireFound(await enabledProvider(database, request.input.providerId), 'notFound');
      const { sessionId } = request.principal;
      return { url: await flows.begin(provider, request, { purpose: 'link', sessionId }) };
    },
    'identity/proof/begin': async (request) => {
      const { userId, sessionId } = request.principal;
      const proof = await proofProviderOf(database, userId);
      if (proof === undefined) throw new CallError('functionNotSupported');
      const provider = requireFound(await enabledProvider(database, proof.provider_id), 'notFound');
      return { url: await flows.begin(provider, request, { purpose: 'proof', sessionId }) };
    },
    'identity/link/finish': async (request) => {
      const { input, principal, now, audit } = request;
      const provider = await enabledProvider(database, input.providerId);
      if (provider === undefined) throw identityFailure('identityClosed');
      audit.object = provider.provider_name;
      const claimNames = ['preferred_username'];
      const finished = await flows.finish(provider, request, { parameters: input.parameters, claimNames });
      if (finished.sessionId !== principal.sessionId) throw identityFailure('identityExpired');
      if (finished.purpose === 'link') {
        await linkAccount(database, principal.userId, { provider, claims: finished.claims, now });
        return { provedUntil: 0 };
      }
      await requireProof(database, principal.userId, finished);
      await noteProof(database, principal.sessionId, now);
      return { provedUntil: now + STEP_UP_MS };
    },
    'identity/link/directory': async (request) => {
      await linkDirectory(deps, request);
      return {};
    },
    'identity/link/delete': async ({ input, principal, now, audit }) => {
      const account = requireFound(await findAccount(database, principal.userId), 'tokenInvalid');
      if (!account.has_password) throw new CallError('functionNotSupported');
      const links = await identityLinksOf(database, principal.userId);
      audit.object = links.find((link) => link.provider_id === input.providerId)?.provider_name ?? null;
      const { userId: accountId, sessionId: except } = principal;
      await database.transaction().execute(async (transaction) => {
        const isDeleted = await deleteIdentityLink(transaction, { accountId, providerId: input.providerId });
        if (!isDeleted) throw new CallError('notFound');
        // Which of them the provider opened nobody wrote down.
        await endSessionsNow(transaction, { accountId, except }, now);
      });
      return {};
    },
  };
}

async function linksOf(database: Database, accountId: string) {
  const [account, links, providers, directories] = await Promise.all([
    findAccount(database, accountId),
    identityLinksOf(database, accountId),
    enabledIdentityProviders(database),
    enabledDirectories(database),
  ]);
  const linked = links.map((link) => link.provider_id);
  const offers = [
    ...providers.map((provider) => ({ ...provider, isDirectory: false })),
    ...directories.map((provider) => ({ ...provider, isDirectory: true })),
  ];
  return {
    linkList: links.map((link) => ({
      providerId: link.provider_id,
      providerName: link.provider_name,
      userLabel: link.user_label,
      createTime: link.created_at,
      lastUsedAt: link.last_used_at,
    })),
    offerList: offers
      .filter((provider) => !linked.includes(provider.provider_id))
      .map(({ provider_id: providerId, provider_name: providerName, isDirectory }) => ({
        providerId,
        providerName,
        isDirectory,
      })),
    hasPassword: account?.has_password ?? true,
  };
}

/** The linked user, who signed in at the provider after the question was asked; the time of that is in the signed token. */
async function requireProof(database: Database, accountId: string, { claims, startedAt }: FinishedFlow): Promise<void> {
  const link = await findIdentityLink(database, identityOf(claims));
  if (link?.account_id !== accountId) throw identityFailure('identityOtherLink');
  const { auth_time: authTime } = claims;
  const isFresh = typeof authTime === 'number' && authTime * 1000 >= startedAt - FRESH_TOLERANCE_MS;
  if (!isFresh) throw identityFailure('identityNotFresh');
}
