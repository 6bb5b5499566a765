// Upgrades weakly protected secrets of earlier versions at the start of the server.
import type { Kysely } from 'kysely';
import type { PasswordHasher } from '../auth/password-hash.ts';
import { hardenRecoveryCodes } from '../auth/two-factor-auth.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { DatabaseSchema } from '../database/schema/schema.ts';
import { sealOpenAddresses } from '../site-link/device-secrets.ts';

export interface StoredSecretsDeps {
  readonly database: Kysely<DatabaseSchema>;
  readonly box: SecretBox;
  readonly hasher: PasswordHasher;
}

export async function hardenStored({ database, box, hasher }: StoredSecretsDeps): Promise<void> {
  await sealOpenAddresses(database, box);
  await hardenRecoveryCodes(database, hasher);
}
