// Sign-ins under way: each bound to its browser by a cookie, to its provider and, where a session began it, to that session; each used once.
import { createHash } from 'node:crypto';
import { addressKey } from '@vedette/rules/admission/address-key.ts';
import { IDENTITY_LIMITS } from '@vedette/contract/limits.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { AttemptLimiter } from '../../auth/attempt-limiter.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { Database } from '../../database/connection.ts';
import { insertFlow, takeFlow } from '../../database/account/identity-flow.queries.ts';
import type { IdentityProviderRow, IdentityPurpose } from '../../database/schema/identity-schema.ts';
import { httpUrl, type PublicOrigin } from '../../http/public-origin.ts';
import { identityFailure } from './identity-failure.ts';
import { type Claims, IdentityProtocol, type Redeeming } from './identity-protocol.ts';

const SECRET_FORM = /^[A-Za-z0-9_-]{43}$/;
/** The page behind it takes the answer of the provider. */
const REDIRECT_PATH = '/signIn/provider/';
/** Which end with an answer of the provider. */
const AT_PROVIDERS = ['signIn', 'link', 'proof', 'client'] as const;

export interface FlowDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly attempts: AttemptLimiter;
  readonly ownPorts: ReadonlySet<number>;
}

/** The call that begins or finishes a sign-in. */
export interface FlowCall {
  readonly address: string;
  readonly origin: PublicOrigin;
  readonly cookies: string;
  readonly setCookie: (header: string) => void;
  readonly now: number;
}

export interface FlowStart {
  readonly purpose: IdentityPurpose;
  /** Null for signing in. */
  readonly sessionId: string | null;
  /** Of the native client that waits. */
  readonly challenge?: string | undefined;
}

export interface FinishedFlow {
  readonly purpose: IdentityPurpose;
  readonly sessionId: string | null;
  readonly claims: Claims;
  readonly startedAt: number;
  /** Empty: no client waits. */
  readonly challenge: string;
}

export function redirectUrlOf(origin: PublicOrigin, providerId: string): string {
  return httpUrl(origin, `${REDIRECT_PATH}${providerId}`);
}

export class IdentityFlows {
  readonly #deps: FlowDeps;

  constructor(deps: FlowDeps) {
    this.#deps = deps;
  }

  /** Where the browser goes. Throws 1005, 1044. */
  async begin(provider: IdentityProviderRow, call: FlowCall, start: FlowStart): Promise<string> {
    const { purpose, sessionId, challenge = '' } = start;
    const { database, box, attempts } = this.#deps;
    await attempts.consume([
      {
        key: `identity ${addressKey(call.address)}`,
        max: IDENTITY_LIMITS.begins.most,
        windowMs: IDENTITY_LIMITS.begins.windowMs,
      },
    ]);
    const description = await new IdentityProtocol(this.#deps, provider.issuer).describe();
    // The page knows by the first letter what to do with the answer; the server goes by its own row.
    const state = `${purpose[0]}${newSecret()}`;
    const nonce = newSecret();
    const verifier = newSecret();
    const stateHash = hashOf(state);
    const redirectUrl = redirectUrlOf(call.origin, provider.provider_id);
    await insertFlow(database, {
      state_hash: stateHash,
      provider_id: provider.provider_id,
      cookie_hash: hashOf(bindBrowser(call)),
      secrets: box.seal(JSON.stringify({ nonce, verifier, challenge }), rowId(stateHash)),
      purpose,
      session_id: sessionId,
      redirect_url: redirectUrl,
      created_at: call.now,
      expires_at: call.now + IDENTITY_LIMITS.flowMs,
    });
    const url = new URL(description.authorization_endpoint ?? '');
    const asked = {
      response_type: 'code',
      client_id: provider.client_id,
      redirect_uri: redirectUrl,
      scope: provider.scopes,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(purpose === 'proof' && { prompt: 'login', max_age: '0' }),
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Uses the flow up, whatever comes of it. `claimNames`: what is looked for in the claims. Throws 1044. */
  async finish(
    provider: IdentityProviderRow,
    call: FlowCall,
    asked: { readonly parameters: string; readonly claimNames: readonly string[] },
  ): Promise<FinishedFlow> {
    const { database, box } = this.#deps;
    const parameters = new URLSearchParams(asked.parameters);
    const state = parameters.get('state') ?? '';
    const cookie = cookieOf(call);
    const flow =
      cookie === null
        ? undefined
        : await takeFlow(database, {
            state_hash: hashOf(state),
            cookie_hash: hashOf(cookie),
            provider_id: provider.provider_id,
            purposes: AT_PROVIDERS,
            now: call.now,
          });
    if (flow === undefined) throw identityFailure('identityExpired');
    const {
      nonce,
      verifier,
      challenge = '',
    } = JSON.parse(box.open(flow.secrets, rowId(flow.state_hash))) as FlowSecrets;
    const redeeming: Redeeming = {
      parameters,
      state,
      nonce,
      verifier,
      redirectUrl: flow.redirect_url,
      neededClaims: asked.claimNames,
    };
    const client = {
      issuer: provider.issuer,
      clientId: provider.client_id,
      clientSecret: provider.client_secret === null ? null : box.open(provider.client_secret, secretRow(provider)),
    };
    const claims = await new IdentityProtocol(this.#deps, provider.issuer).redeem(client, redeeming);
    return { purpose: flow.purpose, sessionId: flow.session_id, claims, startedAt: flow.created_at, challenge };
  }
}

/** What the sealed secret of a client is bound to. */
export function secretRow({ provider_id: providerId }: Pick<IdentityProviderRow, 'provider_id'>): string {
  return `identity provider ${providerId}`;
}

interface FlowSecrets {
  readonly nonce: string;
  readonly verifier: string;
  /** Absent in those that were begun before an upgrade. */
  readonly challenge?: string;
}

function rowId(stateHash: Buffer): string {
  return `identity flow ${stateHash.toString('hex')}`;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** With the prefix nothing but this host, over TLS, can have set it. */
function cookieName({ isSecure }: PublicOrigin): string {
  return isSecure ? '__Host-vedette_identity' : 'vedette_identity';
}

function cookieOf({ cookies, origin }: Pick<FlowCall, 'cookies' | 'origin'>): string | null {
  const prefix = `${cookieName(origin)}=`;
  const value = cookies
    .split(/; */)
    .find((one) => one.startsWith(prefix))
    ?.slice(prefix.length);
  return value !== undefined && SECRET_FORM.test(value) ? value : null;
}

/** The same for all sign-ins of one browser, so that two tabs do not disturb each other. */
function bindBrowser(call: FlowCall): string {
  const value = cookieOf(call) ?? newSecret();
  const life = `Max-Age=${IDENTITY_LIMITS.flowMs / 1000}`;
  const secure = call.origin.isSecure ? '; Secure' : '';
  call.setCookie(`${cookieName(call.origin)}=${value}; Path=/; ${life}; HttpOnly; SameSite=Strict${secure}`);
  return value;
}
