// Checks that a bound token comes from who holds its key: the proof beside it is signed, for this request, new and used once (RFC 9449).
import { createHash } from 'node:crypto';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from 'jose';
import { CallError } from '../core/call-error.ts';

/** As it came with a token of the scheme DPoP. */
export interface KeyProof {
  /** The header `DPoP`; empty where there was none. */
  readonly jwt: string;
  /** The address that was called, without a query. */
  readonly url: string;
}

const ALGORITHMS = ['ES256', 'Ed25519', 'EdDSA'];
/** How old a proof may be, and how far clocks may differ. */
const MAX_AGE_S = 60;
const TOLERANCE_S = 5;
const PROOF_CHARACTERS = 4096;
const ID_CHARACTERS = 256;
/** Used proofs that are remembered, for as long as they would be taken: a minute of 1,500 calls a second. */
const REMEMBERED = 100_000;

export class KeyProofs {
  readonly #clock: Clock;
  /** Until when by the monotonic clock, by hash of key and id; oldest first. */
  readonly #used = new Map<string, number>();

  constructor(options: { readonly clock: Clock }) {
    this.#clock = options.clock;
  }

  /** Throws 1001 for a proof that is none, and 1005 where too many are under way. */
  async require(proof: KeyProof, token: { readonly text: string; readonly thumbprint: string }): Promise<void> {
    if (proof.jwt.length > PROOF_CHARACTERS) throw new CallError('tokenInvalid');
    const id = await this.#verifiedId(proof, token);
    if (id === null) throw new CallError('tokenInvalid');
    this.#useOnce(sha256(`${token.thumbprint} ${id}`));
  }

  /** Null for what proves nothing. */
  async #verifiedId(
    { jwt, url }: KeyProof,
    { text, thumbprint }: { readonly text: string; readonly thumbprint: string },
  ): Promise<string | null> {
    try {
      const { payload, protectedHeader } = await jwtVerify(jwt, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: ALGORITHMS,
        maxTokenAge: MAX_AGE_S,
        clockTolerance: TOLERANCE_S,
        currentDate: new Date(this.#clock.wallMs()),
      });
      const { jti, htm, htu, ath } = payload;
      const { jwk } = protectedHeader;
      if (jwk === undefined || (await calculateJwkThumbprint(jwk)) !== thumbprint) return null;
      if (htm !== 'POST' || htu !== url || ath !== sha256(text)) return null;
      return typeof jti === 'string' && jti.length <= ID_CHARACTERS ? jti : null;
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
      throw error;
    }
  }

  #useOnce(used: string): void {
    const now = this.#clock.monotonicMs();
    for (const [one, until] of this.#used) {
      if (until > now) break;
      this.#used.delete(one);
    }
    if (this.#used.has(used)) throw new CallError('tokenInvalid');
    if (this.#used.size >= REMEMBERED) throw new CallError('tooManyRequests');
    this.#used.set(used, now + (MAX_AGE_S + 2 * TOLERANCE_S) * 1000);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
