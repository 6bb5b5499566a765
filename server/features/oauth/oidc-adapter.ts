// Storage of oidc-provider in PostgreSQL: records are found by hashes and sealed, apps stand in their own table.
import { isAppScope } from '@vedette/contract/app-scopes.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { SecretBox } from '../../core/secret-box.ts';
import { withdrawAppGrants } from '../../database/app/app-grant.queries.ts';
import { findApp } from '../../database/app/app.queries.ts';
import {
  consumeOidcRecord,
  deleteOidcRecord,
  deleteOidcRecordsOfGrant,
  findOidcRecord,
  type OidcKey,
  oidcHash,
  putOidcRecord,
} from '../../database/app/oidc-record.queries.ts';
import type { Database } from '../../database/connection.ts';
import { clientMetadata } from './client-metadata.ts';

export interface AdapterDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** One for each model of the provider; times of the provider are in seconds. */
export class OidcAdapter implements Adapter {
  readonly #deps: AdapterDeps;
  readonly #model: string;

  constructor(deps: AdapterDeps, model: string) {
    this.#deps = deps;
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { database, box, clock } = this.#deps;
    const idHash = oidcHash(id);
    await putOidcRecord(database, {
      model: this.#model,
      id_hash: idHash,
      payload: box.seal(JSON.stringify(payload), this.#rowId(idHash)),
      app_id: payload.clientId ?? null,
      grant_id: this.#model === 'Grant' ? id : (payload.grantId ?? null),
      user_code_hash: payload.userCode === undefined ? null : oidcHash(payload.userCode),
      uid_hash: payload.uid === undefined ? null : oidcHash(payload.uid),
      scopes: (payload.scope ?? '').split(' ').filter(isAppScope),
      key_thumbprint: payload.jkt ?? null,
      consumed_at: null,
      expires_at: expiresIn === undefined ? null : clock.wallMs() + expiresIn * 1000,
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#model === 'Client') {
      const app = await findApp(this.#deps.database, id);
      return app?.is_enabled && app.owner_enabled ? clientMetadata(app) : undefined;
    }
    return await this.#findBy('id_hash', id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return await this.#findBy('uid_hash', uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return await this.#findBy('user_code_hash', userCode);
  }

  /** Of two that use a code or a token at the same time one is refused. */
  async consume(id: string): Promise<void> {
    const { database, clock } = this.#deps;
    const isFirst = await consumeOidcRecord(database, this.#model, oidcHash(id), clock.wallMs());
    if (isFirst) return;
    // Not with every start: the adapter also stores launches, for which no provider is loaded.
    const { errors } = await import('oidc-provider');
    throw new errors.InvalidGrant('already used');
  }

  /** A grant takes with it what the account allowed, and what is open by it. */
  async destroy(id: string): Promise<void> {
    const { database, clock } = this.#deps;
    await database.transaction().execute(async (transaction) => {
      await deleteOidcRecord(transaction, this.#model, oidcHash(id));
      if (this.#model === 'Grant') await withdrawAppGrants(transaction, { grantId: id }, clock.wallMs());
    });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await deleteOidcRecordsOfGrant(this.#deps.database, this.#model, grantId);
  }

  async #findBy(key: OidcKey, value: string): Promise<AdapterPayload | undefined> {
    const { database, box } = this.#deps;
    const row = await findOidcRecord(database, this.#model, key, oidcHash(value));
    if (row === undefined) return undefined;
    const payload = JSON.parse(box.open(row.payload, this.#rowId(row.id_hash))) as AdapterPayload;
    return row.consumed_at === null ? payload : { ...payload, consumed: Math.floor(row.consumed_at / 1000) };
  }

  #rowId(idHash: Buffer): string {
    return `oidc ${this.#model} ${idHash.toString('hex')}`;
  }
}
