// Challenges clients and verifies their answers for a server: Basic, Digest MD5 and SHA-256 (RFC 7616, RFC 7617); HTTP and RTSP alike.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { DigestChallenge } from './challenge.ts';
import { isDigestValid, parseAuthorization, writeDigestChallenge } from './digest.ts';

export type ServerScheme = 'basic' | 'digest-md5' | 'digest-sha-256';

export interface ServerAuthenticationOptions {
  readonly realm: string;
  /** Offered in this order; an empty list lets everyone in. May change between requests. */
  readonly schemes: () => readonly ServerScheme[];
  /** Null for an unknown user. */
  readonly passwordOf: (user: string) => string | null;
  /** `auth` for HTTP; null for RTSP, where many clients know only RFC 2069. */
  readonly qop: 'auth' | null;
}

export type ServerAuthenticationResult =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly challenges: readonly string[] };

/** One per RTSP connection or HTTP server: keeps the nonce it gave. */
export class ServerAuthentication {
  readonly #options: ServerAuthenticationOptions;
  #nonce = newNonce();

  constructor(options: ServerAuthenticationOptions) {
    this.#options = options;
  }

  /** The next request is answered with a new nonce and `stale=true`. */
  renewNonce(): void {
    this.#nonce = newNonce();
  }

  verify(method: string, uri: string, authorization: string | undefined): ServerAuthenticationResult {
    const schemes = this.#options.schemes();
    if (schemes.length === 0) return { allowed: true };
    const sent = authorization === undefined ? null : parseAuthorization(authorization);
    const password = sent === null ? null : this.#options.passwordOf(sent.user);
    if (sent === null || password === null) return this.#refuse(schemes, false);
    if (sent.scheme === 'basic') {
      return schemes.includes('basic') && isSame(sent.password, password)
        ? { allowed: true }
        : this.#refuse(schemes, false);
    }
    const secret = { user: sent.user, password };
    const challenge = this.#challenges(schemes, false).find((one) => isNamed(one, sent.parameters.get('algorithm')));
    if (challenge !== undefined && isDigestValid(sent, challenge, secret, { method, uri })) return { allowed: true };
    return this.#refuse(schemes, sent.parameters.get('nonce') !== this.#nonce);
  }

  #refuse(schemes: readonly ServerScheme[], isStale: boolean): ServerAuthenticationResult {
    const digests = this.#challenges(schemes, isStale).map(writeDigestChallenge);
    const basic = schemes.includes('basic') ? [`Basic realm="${this.#options.realm}"`] : [];
    return { allowed: false, challenges: [...digests, ...basic] };
  }

  #challenges(schemes: readonly ServerScheme[], isStale: boolean): DigestChallenge[] {
    return schemes
      .filter((scheme) => scheme !== 'basic')
      .map((scheme) => ({
        scheme: 'digest',
        realm: this.#options.realm,
        nonce: this.#nonce,
        opaque: null,
        algorithm: scheme === 'digest-md5' ? 'MD5' : 'SHA-256',
        // Old clients know no algorithm word; MD5 is what its absence means.
        algorithmText: scheme === 'digest-md5' ? null : 'SHA-256',
        isSession: false,
        qop: this.#options.qop,
        isStale,
      }));
  }
}

function isNamed(challenge: DigestChallenge, algorithm: string | undefined): boolean {
  return challenge.algorithm === (algorithm ?? 'MD5').toUpperCase();
}

function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

function newNonce(): string {
  return randomBytes(16).toString('hex');
}
