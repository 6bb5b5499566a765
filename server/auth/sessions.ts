// Opens sessions, finds the principal behind a token, keeps sessions alive while used, and ends them.
import { createHash } from 'node:crypto';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { SESSION_IDLE_MS } from '@vedette/contract/limits.ts';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { browserHash } from '../database/account/known-browser.queries.ts';
import {
  findSession,
  findSessionByToken,
  insertSession,
  longestSessionMs,
  expiredSessions,
  touchSession,
} from '../database/account/session.queries.ts';
import type { SessionWithAccount } from '../database/account/session.queries.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { AppSessions } from './app-sessions.ts';
import type { KeyProof } from './key-proofs.ts';
import type { Principal } from './principal.ts';

/** Last use is stored at most this often. */
const TOUCH_EVERY_MS = 60_000;
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

/** What came with a request. */
export interface Credentials {
  readonly token: string | null;
  /** Null: the token was sent by itself, as a bearer's. */
  readonly proof: KeyProof | null;
}

/** Where a session is opened from, and by what. */
export interface SessionStart {
  readonly browserId: string;
  readonly clientType: string;
  readonly address: string;
  readonly agent: string;
  /** The key that opens it; absent: the password. */
  readonly keyId?: string;
}

export interface OpenedSession {
  readonly accessToken: string;
  readonly expireTime: number;
  readonly sessionId: string;
}

export interface AuthenticatedSession {
  readonly principal: Principal;
  readonly expireTime: number;
  /** Signed in from a browser rather than a client. */
  readonly isWeb: boolean;
  /** Time of the last step-up; 0: none. */
  readonly provedAt: number;
  /** Video is closed for the account until then; 0 or past: open. */
  readonly videoClosedUntil: number;
}

export class Sessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #apps: AppSessions;

  constructor(options: { database: Database; clock: Clock }) {
    this.#database = options.database;
    this.#clock = options.clock;
    this.#apps = new AppSessions(options);
  }

  async open(accountId: string, from: SessionStart): Promise<OpenedSession> {
    const now = this.#clock.wallMs();
    const accessToken = newSecret();
    const sessionId = newId();
    const expireTime = now + Math.min(SESSION_IDLE_MS, await longestSessionMs(this.#database));
    await insertSession(this.#database, {
      session_id: sessionId,
      account_id: accountId,
      token_hash: tokenHash(accessToken),
      browser_id: browserHash(from.browserId),
      agent: from.agent,
      client_type: from.clientType,
      address: from.address,
      created_at: now,
      last_used_at: now,
      expires_at: expireTime,
      sign_in_key_id: from.keyId ?? null,
    });
    return { accessToken, expireTime, sessionId };
  }

  /** Throws 1001, 1002 or 2031; counts as use of the session. */
  async authenticate(token: string | null): Promise<AuthenticatedSession> {
    const found = await this.#find(token);
    if (found === undefined) throw new CallError('tokenInvalid');
    return await this.#use(found);
  }

  /** As above, and by the token of an app: for those alone that check what the app may do. */
  async authenticateAny({ token, proof }: Credentials): Promise<AuthenticatedSession> {
    const found = await this.#find(token);
    if (found !== undefined && proof !== null) throw new CallError('tokenInvalid');
    if (found !== undefined) return await this.#use(found);
    const text = token ?? '';
    const app = await this.#apps.authenticate({ text, hash: tokenHash(text), proof });
    if (app === null) throw new CallError('tokenInvalid');
    return { ...app, isWeb: false, provedAt: 0 };
  }

  /** The principal of a valid session, without extending it; else the code that it ended with. */
  async check(sessionId: string): Promise<{ principal: Principal } | { endCode: number }> {
    const found = await findSession(this.#database, sessionId);
    if (found === undefined) return (await this.#apps.check(sessionId)) ?? { endCode: ERROR_CODES.tokenInvalid };
    const fault = this.#faultOf(found);
    if (fault !== null) return { endCode: fault.code };
    return { principal: principalOf(found) };
  }

  /** Counts as use without a call, as an open `/ws` does. */
  async keepAlive(sessionId: string): Promise<void> {
    const now = this.#clock.wallMs();
    await touchSession(this.#database, sessionId, now, now + SESSION_IDLE_MS);
  }

  /** Those that have reached the maximum age. */
  async expiredOf(sessionIds: readonly string[]): Promise<string[]> {
    return await expiredSessions(this.#database, sessionIds, this.#clock.wallMs());
  }

  /** Throws 1001 for what is no token at all. */
  async #find(token: string | null): Promise<SessionWithAccount | undefined> {
    if (token === null || !TOKEN_FORM.test(token)) throw new CallError('tokenInvalid');
    return await findSessionByToken(this.#database, tokenHash(token));
  }

  async #use(found: SessionWithAccount): Promise<AuthenticatedSession> {
    const fault = this.#faultOf(found);
    if (fault !== null) throw fault;
    const expireTime = await this.#touch(found);
    return {
      principal: principalOf(found),
      expireTime,
      isWeb: found.session.client_type === 'web',
      provedAt: found.session.proved_at,
      videoClosedUntil: found.account.video_closed_until,
    };
  }

  #faultOf(found: SessionWithAccount): CallError | null {
    if (found.session.end_code === 2031 || !found.account.is_enabled) {
      return new CallError('userLocked', { reason: 'disabled' });
    }
    if (found.session.end_code !== null) return new CallError('tokenInvalid');
    const end = Math.min(found.session.expires_at, found.lastsUntil);
    return end <= this.#clock.wallMs() ? new CallError('tokenExpired') : null;
  }

  async #touch(found: SessionWithAccount): Promise<number> {
    const now = this.#clock.wallMs();
    const { session, lastsUntil } = found;
    if (now - session.last_used_at < TOUCH_EVERY_MS) return Math.min(session.expires_at, lastsUntil);
    const expireTime = Math.min(now + SESSION_IDLE_MS, lastsUntil);
    await touchSession(this.#database, session.session_id, now, expireTime);
    return expireTime;
  }
}

function principalOf(found: SessionWithAccount): Principal {
  return {
    userId: found.account.account_id,
    userName: found.account.user_name,
    userType: found.account.user_type,
    ownerId: found.account.owner_id,
    sessionId: found.session.session_id,
  };
}

export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
