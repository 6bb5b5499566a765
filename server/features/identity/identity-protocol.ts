// OpenID Connect as a client: the description of a provider, the address that users are sent to, and what the answer is worth.
import { IDENTITY_LIMITS } from '@vedette/contract/limits.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import * as oauth from 'oauth4webapi';
import { INSTALLATION, OutboundClient, type Requester } from '../../outbound/outbound-client.ts';
import { OutboundError } from '../../outbound/outbound-fault.ts';
import { identityFailure, protocolFailure, type ProtocolStep } from './identity-failure.ts';

/** Key sets of large providers hold certificates of many keys. */
const ANSWER_BYTES = 192 * 1024;
/** How far the clocks of provider and server may differ. */
const CLOCK_TOLERANCE_S = 30;
/** OpenID Connect Core 1.0, section 2. */
const SUBJECT_FORM = /^[\x20-\x7e]{1,255}$/;
/** Bodies that a Response may not have. */
const BODILESS: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);
/** The operator's own networks, as for other services that the operator names: this machine may be one. */
const OPERATOR_NETWORKS = ['127.0.0.0/8', '::1/128'];
const LOOPBACK_HOSTS = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export type Description = oauth.AuthorizationServer;
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

export interface ClientOfProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
}

/** What was sent with the browser, and what came back with it. */
export interface Redeeming {
  readonly parameters: URLSearchParams;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUrl: string;
  /** Names without which the provider is asked for more at its userinfo endpoint. */
  readonly neededClaims: readonly string[];
}

export interface ProtocolDeps {
  readonly clock: Clock;
  readonly ownPorts: ReadonlySet<number>;
}

/** One use of a provider: all its requests together end in time. */
export class IdentityProtocol {
  readonly #ownPorts: ReadonlySet<number>;
  readonly #clock: Clock;
  /** Of the monotonic clock. */
  readonly #endsAt: number;
  readonly #issuer: URL;

  constructor({ clock, ownPorts }: ProtocolDeps, issuer: string) {
    this.#ownPorts = ownPorts;
    this.#clock = clock;
    this.#endsAt = clock.monotonicMs() + IDENTITY_LIMITS.answerMs;
    const url = URL.canParse(issuer) ? new URL(issuer) : null;
    if (url === null || url.username !== '' || url.password !== '') throw identityFailure('identityBadProvider');
    if (!isAllowedProtocol(url)) throw identityFailure('identityBadProvider', 'https is required');
    this.#issuer = url;
  }

  /** Throws 1044. */
  async describe(): Promise<Description> {
    return await inStep('description', async () => {
      const response = await oauth.discoveryRequest(this.#issuer, this.#http());
      const description = await oauth.processDiscoveryResponse(this.#issuer, response);
      for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
        const endpoint = description[name];
        if (endpoint === undefined || !URL.canParse(endpoint) || !isAllowedProtocol(new URL(endpoint))) {
          throw identityFailure('identityBadProvider', name);
        }
      }
      return description;
    });
  }

  /** The claims of a token that was signed by the provider, for us, in this sign-in. Throws 1044. */
  async redeem({ clientId, clientSecret }: ClientOfProvider, redeeming: Redeeming): Promise<Claims> {
    const description = await this.describe();
    const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_S };
    const { parameters, state, redirectUrl, verifier, nonce } = redeeming;
    // Compares `state`, and `iss` of RFC 9207 where it came or the provider sends it.
    const code = await inStep('answer', async () => oauth.validateAuthResponse(description, client, parameters, state));
    const authentication = authenticationOf(description, clientSecret);
    const { response, tokens } = await inStep('token', async () => {
      const answer = await oauth.authorizationCodeGrantRequest(
        description,
        client,
        authentication,
        code,
        redirectUrl,
        verifier,
        this.#http(),
      );
      const options = { expectedNonce: nonce, requireIdToken: true };
      return {
        response: answer,
        tokens: await oauth.processAuthorizationCodeResponse(description, client, answer, options),
      };
    });
    // The keys are fetched each time: one that was taken back signs nobody in any more.
    await inStep('token', () => oauth.validateApplicationLevelSignature(description, response, this.#http()));
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw identityFailure('identityBadToken');
    this.#refuseOtherTime(claims);
    if (!SUBJECT_FORM.test(claims.sub)) throw identityFailure('identityBadToken', 'sub');
    return await this.#completed({ description, client, accessToken: tokens.access_token }, claims, redeeming);
  }

  /** The token was made for this sign-in, now; the library looks at its end alone. */
  #refuseOtherTime({ iat }: oauth.IDToken): void {
    const ageMs = this.#clock.wallMs() - iat * 1000;
    const isNow = ageMs >= -CLOCK_TOLERANCE_S * 1000 && ageMs <= IDENTITY_LIMITS.flowMs;
    if (!isNow) throw identityFailure('identityClock', 'iat');
  }

  /** With those of the userinfo endpoint, where the token lacks what is looked for; the token's own count more. */
  async #completed(
    { description, client, accessToken }: AskedFor,
    claims: oauth.IDToken,
    { neededClaims }: Redeeming,
  ): Promise<Claims> {
    const endpoint = description.userinfo_endpoint;
    const isWhole = neededClaims.every((name) => name in claims);
    const isOffered = endpoint !== undefined && URL.canParse(endpoint) && isAllowedProtocol(new URL(endpoint));
    if (isWhole || !isOffered) return claims;
    return await inStep('token', async () => {
      const response = await oauth.userInfoRequest(description, client, accessToken, this.#http());
      const more = await oauth.processUserInfoResponse(description, client, claims.sub, response);
      return { ...more, ...claims };
    });
  }

  #http() {
    return {
      [oauth.allowInsecureRequests]: LOOPBACK_HOSTS.test(this.#issuer.hostname),
      [oauth.customFetch]: (url: string, options: oauth.CustomFetchOptions<'GET' | 'POST', unknown>) =>
        this.#fetch(url, options),
    };
  }

  async #fetch(
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<'GET' | 'POST', unknown>,
  ): Promise<Response> {
    const withinMs = Math.ceil(this.#endsAt - this.#clock.monotonicMs());
    if (withinMs <= 0) throw new OutboundError('unreachable', 'no answer in time');
    const outbound = new OutboundClient({
      policy: async (isOperator) => ({
        isOperator,
        openNetworks: isOperator ? OPERATOR_NETWORKS : [],
        ownPorts: this.#ownPorts,
      }),
      withinMs,
      wholeBytes: ANSWER_BYTES,
    });
    const text = body === undefined || body === null ? '' : String(body);
    const answer = await outbound.http({ method, url, headers, body: text }, this.#requesterOf(url));
    const type = answer.headers['content-type'];
    return new Response(BODILESS.has(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  }

  /** The operator named the host of the issuer; other hosts were named by the provider, and are dialled in the public internet alone. */
  #requesterOf(url: string): Requester {
    const isNamed = new URL(url).hostname === this.#issuer.hostname;
    return isNamed ? INSTALLATION : { isOperator: false, accountId: null };
  }
}

interface AskedFor {
  readonly description: Description;
  readonly client: oauth.Client;
  readonly accessToken: string;
}

/** In clear text on this machine alone. */
function isAllowedProtocol({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.test(hostname));
}

/** Basic is what a provider supports that says nothing (OpenID Connect Discovery 1.0, section 3). */
function authenticationOf(description: Description, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None();
  const supported = description.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return supported.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

async function inStep<T>(step: ProtocolStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw protocolFailure(error, step);
  }
}
