// Answers RTSP sign-in challenges with the credentials of http-digest: the strongest one we know, Basic last (RFC 2326 names both).
import { type Challenge, parseChallenges } from '../http-digest/challenge.ts';
import { basicAuthorization, type DigestSecret, digestAuthorization } from '../http-digest/digest.ts';

export type RtspCredentials = DigestSecret;
export type RtspChallenge = Challenge;

/** A device that sends more means no good. */
const MAX_LINES = 8;
const MAX_LINE_LENGTH = 4096;

/** The strongest challenge we can answer. Takes the values of all WWW-Authenticate lines. */
export function chooseChallenge(values: readonly string[]): RtspChallenge | null {
  const lines = values.slice(0, MAX_LINES).map((value) => value.slice(0, MAX_LINE_LENGTH));
  return parseChallenges(lines)[0] ?? null;
}

/** Writes Authorization values for one challenge, counting its uses. */
export class RtspAuthorizer {
  readonly #challenge: RtspChallenge;
  readonly #credentials: RtspCredentials;
  readonly #clientNonce: string;
  #nonceCount = 0;

  /** `clientNonce` is random. */
  constructor(challenge: RtspChallenge, credentials: RtspCredentials, clientNonce: string) {
    this.#challenge = challenge;
    this.#credentials = credentials;
    this.#clientNonce = clientNonce;
  }

  authorization(method: string, uri: string): string {
    if (this.#challenge.scheme === 'basic') return basicAuthorization(this.#credentials);
    this.#nonceCount += 1;
    const use = { nonceCount: this.#nonceCount, clientNonce: this.#clientNonce };
    return digestAuthorization(this.#challenge, this.#credentials, { method, uri }, use);
  }
}
