// An oidc-provider for one issuer, over our storage; loaded when the first app asks.
import { createHash, timingSafeEqual } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { derivedKey } from '../../core/derived-key.ts';
import { findApp } from '../../database/app/app.queries.ts';
import type { AdapterDeps } from './oidc-adapter.ts';
import { providerConfiguration } from './provider-configuration.ts';
import { signingKeys } from './signing-keys.ts';

export interface ProviderDeps extends AdapterDeps {
  readonly masterKey: Buffer;
}

export async function buildProvider(deps: ProviderDeps, issuer: string): Promise<Provider> {
  const { database, clock, masterKey } = deps;
  const keys = await signingKeys(deps);
  const cookieKey = derivedKey(masterKey, 'cookies of the provider').toString('base64url');
  const isSecure = new URL(issuer).protocol === 'https:';
  const provider = new Provider(issuer, providerConfiguration({ ...deps, keys, cookieKey, isSecure }));
  // The gateway says which address was used, and takes away what callers claim.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = async function compareClientSecret(actual: string) {
    const app = await findApp(database, this.clientId);
    if (app === undefined) return false;
    const isOldValid = app.old_secret_until !== null && app.old_secret_until > clock.wallMs();
    return isSecret(actual, app.secret_hash) || (isOldValid && isSecret(actual, app.old_secret_hash));
  };
  return provider;
}

function isSecret(actual: string, hash: Buffer | null): boolean {
  return hash !== null && timingSafeEqual(createHash('sha256').update(actual).digest(), hash);
}
