// Answers RTSP sign-in challenges with the credentials of http-digest: the strongest one we know, Basic last (RFC 2326 names both).
import { type Challenge, parseChallenges } from '../http-digest/challenge.ts';
import { basicAuthorization, type DigestSecret, digestAuthorization } from '../http-digest/digest.ts';
import { RtspError } from './rtsp-error.ts';

/** Outlives connections: what took a digest is not sent the bare password later, nor is who answers in its place. */
export interface SchemeMemory {
  hadDigest: boolean;
  /** Something less safe was asked for, and refused. */
  onWeaker(): void;
}

export interface RtspCredentials extends DigestSecret {
  readonly schemes?: SchemeMemory;
}

export type RtspChallenge = Challenge;

/** A device that sends more means no good. */
const MAX_LINES = 8;
const MAX_LINE_LENGTH = 4096;

/** The strongest challenge we can answer. Takes the values of all WWW-Authenticate lines. */
export function chooseChallenge(values: readonly string[]): RtspChallenge | null {
  const lines = values.slice(0, MAX_LINES).map((value) => value.slice(0, MAX_LINE_LENGTH));
  return parseChallenges(lines)[0] ?? null;
}

/** Throws RtspError `untrusted` where the bare password is asked for by what took a digest before. */
export function refuseWeaker(challenge: RtspChallenge, { schemes }: RtspCredentials): void {
  if (challenge.scheme !== 'basic' || schemes?.hadDigest !== true) return;
  schemes.onWeaker();
  throw new RtspError('untrusted', 'device asks for the bare password, and took a digest before');
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

  /** The device took what was written. */
  accepted(): void {
    const { schemes } = this.#credentials;
    if (schemes && this.#challenge.scheme === 'digest') schemes.hadDigest = true;
  }

  authorization(method: string, uri: string): string {
    if (this.#challenge.scheme === 'basic') return basicAuthorization(this.#credentials);
    this.#nonceCount += 1;
    const use = { nonceCount: this.#nonceCount, clientNonce: this.#clientNonce };
    return digestAuthorization(this.#challenge, this.#credentials, { method, uri }, use);
  }
}
