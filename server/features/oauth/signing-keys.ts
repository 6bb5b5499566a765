// Keys that sign identity tokens: made here, sealed at rest, replaced in time; those before stay published while their tokens live.
import { generateKeyPairSync } from 'node:crypto';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { JWK } from 'oidc-provider';
import type { SecretBox } from '../../core/secret-box.ts';
import { dropOldOidcKeys, insertOidcKey, listOidcKeys, lockOidcKeys } from '../../database/app/oidc-key.queries.ts';
import type { Database } from '../../database/connection.ts';

/** A key signs for so long. */
export const KEY_SIGNS_MS = 90 * DAY_MS;
/** Far longer than an identity token lives. */
const KEY_KEPT_MS = KEY_SIGNS_MS + 7 * DAY_MS;

export interface SigningKeysDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** The first one signs. Makes a key where there is none or the newest has signed long enough, and drops old ones. */
export async function signingKeys({ database, box, clock }: SigningKeysDeps): Promise<JWK[]> {
  const stored = await database.transaction().execute(async (transaction) => {
    await lockOidcKeys(transaction);
    const now = clock.wallMs();
    await dropOldOidcKeys(transaction, now - KEY_KEPT_MS);
    const kept = await listOidcKeys(transaction);
    const newest = kept[0];
    if (newest !== undefined && newest.created_at > now - KEY_SIGNS_MS) return kept;
    const keyId = newId();
    const made = { key_id: keyId, private_key: box.seal(newKey(), rowId(keyId)), created_at: now };
    await insertOidcKey(transaction, made);
    return [made, ...kept];
  });
  return stored.map(({ key_id: keyId, private_key: sealed }) => ({
    ...(JSON.parse(box.open(sealed, rowId(keyId))) as JWK),
    kid: keyId,
    use: 'sig',
    alg: 'ES256',
  }));
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return JSON.stringify(privateKey.export({ format: 'jwk' }));
}

function rowId(keyId: string): string {
  return `oidc key ${keyId}`;
}
