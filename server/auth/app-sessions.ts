// Finds the app behind an access token of OAuth, and whether what it was allowed still stands. In place of a session stands the grant.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { AppScope } from '@vedette/contract/app-scopes.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { mayUseApp } from '@vedette/rules/decide/may-use-app.ts';
import { CallError } from '../core/call-error.ts';
import {
  type ActingApp,
  type ActingGrant,
  findActingGrant,
  findOwnerApp,
  ownerSession,
  touchAppGrant,
} from '../database/app/app-grant.queries.ts';
import { findAccessToken, type StoredAccessToken } from '../database/app/oidc-record.queries.ts';
import type { Database } from '../database/connection.ts';
import { type KeyProof, KeyProofs } from './key-proofs.ts';
import type { Principal } from './principal.ts';

/** A token as it was sent. */
export interface SentToken {
  readonly text: string;
  readonly hash: Buffer;
  /** Null: sent by itself. */
  readonly proof: KeyProof | null;
}

export interface AuthenticatedApp {
  readonly principal: Principal;
  readonly expireTime: number;
  readonly videoClosedUntil: number;
}

const OWNER_SESSION = /^app (?<appId>\S+)$/;

export class AppSessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #proofs: KeyProofs;

  constructor(options: { database: Database; clock: Clock }) {
    this.#database = options.database;
    this.#clock = options.clock;
    this.#proofs = new KeyProofs(options);
  }

  /** Null: no token of an app. Throws 1001, 1002 or 2031; counts as use of the grant. */
  async authenticate(sent: SentToken): Promise<AuthenticatedApp | null> {
    const token = await findAccessToken(this.#database, sent.hash);
    if (token === undefined || token.app_id === null) return null;
    await this.#requireKey(token, sent);
    const now = this.#clock.wallMs();
    if (token.expires_at === null || token.expires_at <= now) throw new CallError('tokenExpired');
    const found = await this.#actingOf(token);
    if (found === null) throw new CallError('tokenInvalid');
    this.#refuse(found.app, found.endTime);
    if (found.grant !== null) await touchAppGrant(this.#database, found.grant, now);
    const scopes = token.scopes.filter((scope) => found.scopes.includes(scope));
    const principal = principalOf({ ...found, scopes });
    return { principal, expireTime: token.expires_at, videoClosedUntil: found.app.video_closed_until };
  }

  /** A bound token without a proof is a stolen one; a proof beside another token is a mistake. */
  async #requireKey({ key_thumbprint: thumbprint }: StoredAccessToken, { text, proof }: SentToken): Promise<void> {
    if ((thumbprint === null) !== (proof === null)) throw new CallError('tokenInvalid');
    if (thumbprint !== null && proof !== null) await this.#proofs.require(proof, { text, thumbprint });
  }

  /** Null: the session is no app's; else its principal with all that was allowed, or the code that it ended with. */
  async check(sessionId: string): Promise<{ principal: Principal } | { endCode: number } | null> {
    const appId = OWNER_SESSION.exec(sessionId)?.groups?.['appId'];
    const found = appId === undefined ? await this.#granted(sessionId) : await this.#ownerOf(appId);
    if (found === null) return null;
    try {
      this.#refuse(found.app, found.endTime);
    } catch (error) {
      if (error instanceof CallError) return { endCode: error.code };
      throw error;
    }
    return { principal: principalOf(found) };
  }

  async #actingOf(token: StoredAccessToken): Promise<Acting | null> {
    if (token.model === 'ClientCredentials') return await this.#ownerOf(token.app_id ?? '');
    return token.grant_id === null ? null : await this.#granted(token.grant_id);
  }

  async #granted(grantId: string): Promise<Acting | null> {
    const grant = await findActingGrant(this.#database, grantId);
    return grant === undefined ? null : { app: grant, grant, scopes: grant.scopes, endTime: grant.end_time };
  }

  async #ownerOf(appId: string): Promise<Acting | null> {
    const app = await findOwnerApp(this.#database, appId);
    return app === undefined ? null : { app, grant: null, scopes: app.scopes, endTime: null };
  }

  #refuse(app: ActingApp, endTime: number | null): void {
    if (!app.is_enabled) throw new CallError('userLocked', { reason: 'disabled' });
    const facts = { isEnabled: app.app_enabled, isApproved: app.is_approved, ownerId: app.app_owner_id };
    if (!mayUseApp({ ...facts, allowsAll: app.allows_all, accountId: app.account_id }))
      throw new CallError('tokenInvalid');
    if (endTime !== null && endTime <= this.#clock.wallMs()) throw new CallError('tokenExpired');
  }
}

interface Acting {
  readonly app: ActingApp;
  readonly grant: ActingGrant | null;
  readonly scopes: readonly AppScope[];
  readonly endTime: number | null;
}

function principalOf({ app, grant, scopes, endTime }: Acting): Principal {
  return {
    userId: app.account_id,
    userName: app.user_name,
    userType: USER_TYPE.sub,
    ownerId: app.account_owner_id,
    sessionId: grant?.grant_id ?? ownerSession(app.app_id),
    app: {
      appId: app.app_id,
      appName: app.app_name,
      grantId: grant?.grant_id ?? null,
      scopes,
      endTime,
      accountType: app.user_type,
    },
  };
}
