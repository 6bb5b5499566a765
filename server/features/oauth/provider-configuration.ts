// Configuration of oidc-provider: what RFC 9700 asks for, and no way that it advises against.
import { APP_SCOPE_NAMES } from '@vedette/contract/app-scopes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { type Configuration, type ErrorOut, interactionPolicy, type JWK, type KoaContextWithOIDC } from 'oidc-provider';
import { findAccount } from '../../database/account/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import { cookieName, interactionCookie } from './interaction-cookie.ts';
import { type AdapterDeps, OidcAdapter } from './oidc-adapter.ts';

/** Where our pages ask; only calls below it are sent the cookie that binds an interaction to its browser. */
const INTERACTION_CALLS = '/api/v1/oauth/interaction';
/** Digits and letters that make no words, grouped: 34 bits, and few tries (RFC 8628 5.1). */
const USER_CODE = { charset: 'base-20', mask: '****-****' } as const;

const TTL_SECONDS = {
  AccessToken: HOUR_MS / 1000,
  AuthorizationCode: 60,
  ClientCredentials: (10 * MINUTE_MS) / 1000,
  DeviceCode: (10 * MINUTE_MS) / 1000,
  IdToken: HOUR_MS / 1000,
  Interaction: (15 * MINUTE_MS) / 1000,
  RefreshToken: (30 * DAY_MS) / 1000,
  // What an account allows ends with its own row (app_grant).
  Grant: (3650 * DAY_MS) / 1000,
  Session: HOUR_MS / 1000,
};

export interface ProviderParts extends AdapterDeps {
  readonly keys: JWK[];
  readonly cookieKey: string;
  /** It is reached over TLS. */
  readonly isSecure: boolean;
}

export function providerConfiguration({ keys, cookieKey, isSecure, ...deps }: ProviderParts): Configuration {
  return {
    adapter: (model) => new OidcAdapter(deps, model),
    jwks: { keys },
    cookies: {
      keys: [cookieKey],
      names: {
        session: cookieName('oidc', isSecure),
        interaction: interactionCookie(isSecure),
        resume: cookieName('resume', isSecure),
      },
      short: { httpOnly: true, sameSite: 'lax', signed: true, path: INTERACTION_CALLS },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: '/oidc' },
    },
    scopes: [...APP_SCOPE_NAMES],
    claims: { openid: ['sub'], profile: ['name'] },
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    ttl: TTL_SECONDS,
    rotateRefreshToken: () => true,
    issueRefreshToken: async (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    interactions: { policy: alwaysAsk(), url: askingPage },
    loadExistingGrant: async (ctx) => await grantOfAnswer(ctx),
    findAccount: async (_ctx, accountId) => await claimsOf(deps.database, accountId),
    renderError: showProblem,
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, ...USER_CODE, deviceInfo: deviceOf },
      // Without nonces of the server: proofs are fresh for a minute and work once.
      dPoP: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      pushedAuthorizationRequests: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
    },
  };
}

/** An account is asked each time, in our console and by its session there: the provider remembers nobody. */
function alwaysAsk(): interactionPolicy.Prompt[] {
  const { Prompt, Check } = interactionPolicy;
  const isUnanswered = (ctx: KoaContextWithOIDC) =>
    ctx.oidc.result?.['consent'] === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
  const check = new Check('unanswered', 'the account has to be asked', 'consent_required', isUnanswered);
  return [new Prompt({ name: 'login', requestable: true }), new Prompt({ name: 'consent', requestable: true }, check)];
}

/** Nothing was sent to the app: our page says so, in a sentence. */
function showProblem(ctx: KoaContextWithOIDC, { error }: ErrorOut): void {
  const appId = ctx.oidc?.params?.['client_id'];
  const query = new URLSearchParams({ error, ...(typeof appId === 'string' && { client_id: appId }) });
  ctx.redirect(`/oauth2/authorize?${query}`);
}

function askingPage(_ctx: KoaContextWithOIDC, { uid }: { readonly uid: string }): string {
  return `/oauth2/confirmInfo?${new URLSearchParams({ interaction: uid })}`;
}

async function grantOfAnswer(ctx: KoaContextWithOIDC) {
  const grantId = ctx.oidc.result?.consent?.grantId;
  return grantId === undefined ? undefined : await ctx.oidc.provider.Grant.find(grantId);
}

async function claimsOf(database: Database, accountId: string) {
  const account = await findAccount(database, accountId);
  if (account === undefined || !account.is_enabled) return undefined;
  return { accountId, claims: () => ({ sub: accountId, name: account.user_name }) };
}

function deviceOf(ctx: KoaContextWithOIDC): { address: string; agent: string } {
  return { address: ctx.ip, agent: ctx.get('user-agent') };
}
