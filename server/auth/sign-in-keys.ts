// Signs accounts in by the key of their native shell: a challenge, signed by the key, becomes a ticket that opens one session.
import type { SignInKeyInput } from '@vedette/contract/calls/account.ts';
import { SIGN_IN_KEY } from '@vedette/contract/limits.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint, errors, importJWK, jwtVerify } from 'jose';
import { CallError, fieldError } from '../core/call-error.ts';
import { findAccount } from '../database/account/account.queries.ts';
import { browserHash } from '../database/account/known-browser.queries.ts';
import {
  findSignInKey,
  insertSignInKey,
  openChallenge,
  takeChallenge,
  takeTicket,
} from '../database/account/sign-in-key.queries.ts';
import type { Database } from '../database/connection.ts';
import type { SignInKeyRow } from '../database/schema/account-schema.ts';
import type { AccountRow } from '../database/schema/schema.ts';
import { tokenHash } from './sessions.ts';

export interface KeyedSignIn {
  readonly account: AccountRow;
  readonly keyId: string;
}

export class SignInKeys {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(options: { readonly database: Database; readonly clock: Clock }) {
    this.#database = options.database;
    this.#clock = options.clock;
  }

  /** For an account that has just proved itself. Throws 1003 for what is no public key, or one that is registered already. */
  async register(
    accountId: string,
    key: SignInKeyInput,
    from: { readonly browserId: string; readonly agent: string; readonly address: string },
  ): Promise<void> {
    const now = this.#clock.wallMs();
    const isAdded = await insertSignInKey(this.#database, {
      key_id: await keyIdOf(key),
      account_id: accountId,
      ...key,
      browser_id: browserHash(from.browserId),
      agent: from.agent,
      address: from.address,
      created_at: now,
      last_used_at: now,
    });
    if (!isAdded) throw fieldError({ signInKey: 'notAllowed' });
  }

  /** An unknown key gets one too, which nothing can answer. */
  async challenge(keyId: string): Promise<string> {
    const challenge = newSecret();
    const until = this.#clock.wallMs() + SIGN_IN_KEY.pendingMs;
    await openChallenge(this.#database, keyId, { hash: tokenHash(challenge), until });
    return challenge;
  }

  /** `origin`: of the server as the shell called it. Throws 2004 for a proof that is none. */
  async ticket(keyId: string, proof: string, origin: string): Promise<string> {
    const now = this.#clock.wallMs();
    const key = await findSignInKey(this.#database, keyId, now);
    if (key === undefined || !(await isProved(key, proof, origin))) throw new CallError('userPWDIncorrect');
    const ticket = newSecret();
    const until = now + SIGN_IN_KEY.pendingMs;
    const isTaken = await takeChallenge(this.#database, key, { hash: tokenHash(ticket), until, now });
    if (!isTaken) throw new CallError('userPWDIncorrect');
    return ticket;
  }

  /** Throws 2004 for a ticket that is unknown, used, over, or of another browser; 2031 for a disabled account. */
  async redeem(ticket: string, browserId: string): Promise<KeyedSignIn> {
    const now = this.#clock.wallMs();
    const asked = { hash: tokenHash(ticket), browserId: browserHash(browserId), now };
    const key = await takeTicket(this.#database, asked);
    const account = key && (await findAccount(this.#database, key.account_id));
    if (account === undefined) throw new CallError('userPWDIncorrect');
    if (!account.is_enabled) throw new CallError('userLocked', { reason: 'disabled' });
    return { account, keyId: key?.key_id ?? '' };
  }
}

/** Throws 1003 for a point that is not on the curve. */
async function keyIdOf({ x, y }: SignInKeyInput): Promise<string> {
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  try {
    createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    throw fieldError({ signInKey: 'format' });
  }
  return await calculateJwkThumbprint(jwk);
}

/** A JWT (RFC 7519) of the open challenge (`nonce`), for this server (`aud`) and account (`sub`). */
async function isProved(key: SignInKeyRow, proof: string, origin: string): Promise<boolean> {
  const { x, y, account_id: subject, challenge_hash: challengeHash } = key;
  if (challengeHash === null) return false;
  try {
    const { payload } = await jwtVerify(proof, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'), {
      typ: 'vedette-sign-in+jwt',
      algorithms: ['ES256'],
      audience: origin,
      subject,
    });
    const { nonce } = payload;
    return typeof nonce === 'string' && tokenHash(nonce).equals(challengeHash);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false;
    throw error;
  }
}
