// Keeps what one client learned about a server's authentication: the challenge in use, the nonce count, and what is still worth trying.
import { type Challenge, parseChallenges } from './challenge.ts';
import { type DigestRequest, type DigestSecret, basicAuthorization, digestAuthorization } from './digest.ts';

export interface AuthenticatorOptions {
  readonly secret: DigestSecret | null;
  readonly randomBytes: (count: number) => Buffer;
  /** Basic sends the password in the clear, so it is off unless the caller accepts that (RTSP cameras know nothing else). */
  readonly allowBasic: boolean;
}

/** One per server and set of credentials, shared by all requests to it. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  #challenge: Challenge | null = null;
  #nonceCount = 0;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** The `Authorization` value for a request, or null before any challenge. */
  authorize(request: DigestRequest): string | null {
    const { secret } = this.#options;
    if (this.#challenge === null || secret === null) return null;
    if (this.#challenge.scheme === 'basic') return basicAuthorization(secret);
    this.#nonceCount += 1;
    const use = { nonceCount: this.#nonceCount, clientNonce: this.#options.randomBytes(8).toString('hex') };
    return digestAuthorization(this.#challenge, secret, request, use);
  }

  /**
   * Takes the `WWW-Authenticate` values of a 401. `sent` is what the refused request carried.
   * True: send it once more. False: the credentials are wrong, missing, or no scheme is known to us.
   */
  challenged(values: readonly string[], sent: string | null): boolean {
    if (this.#options.secret === null) return false;
    // Who took a digest, or whoever answers in its place, is not sent the bare password.
    const allowsBasic = this.#options.allowBasic && this.#challenge?.scheme !== 'digest';
    const offered = parseChallenges(values).filter((c) => c.scheme === 'digest' || allowsBasic);
    const next = this.#pick(offered, sent);
    if (next === null) return false;
    this.#challenge = next;
    this.#nonceCount = 0;
    return true;
  }

  /** The strongest first; after a refusal a stale nonce is renewed, else the next weaker one is tried (some devices offer SHA-256 and then fail at it). */
  #pick(offered: readonly Challenge[], sent: string | null): Challenge | null {
    const used = this.#challenge;
    if (sent === null || used === null) return offered[0] ?? null;
    const stale = offered.find((c) => c.scheme === 'digest' && c.isStale);
    if (stale !== undefined) return this.#isFreshNonce(used) ? null : stale;
    // A nonce that served before and then expired without `stale=true` is worth one more try with the new one.
    if (this.#nonceCount > 1) return offered[0] ?? null;
    return nextWeaker(offered, used);
  }

  /** Stale again on the first use of a fresh nonce would go on for ever. */
  #isFreshNonce(used: Challenge): boolean {
    return used.scheme === 'digest' && used.isStale && this.#nonceCount === 1;
  }
}

function nextWeaker(offered: readonly Challenge[], used: Challenge): Challenge | null {
  const index = offered.findIndex((c) => kind(c) === kind(used));
  return index < 0 ? null : (offered[index + 1] ?? null);
}

function kind(challenge: Challenge): string {
  return challenge.scheme === 'basic' ? 'basic' : `${challenge.algorithm} ${challenge.isSession}`;
}
