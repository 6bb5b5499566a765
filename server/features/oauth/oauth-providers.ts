// One oidc-provider for each address that this server is reached by: the issuer is the origin that the caller used.
import { createHash, timingSafeEqual } from 'node:crypto';
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { Provider } from 'oidc-provider';
import { derivedKey } from '../../core/derived-key.ts';
import { findApp } from '../../database/app/app.queries.ts';
import { httpUrl, type PublicOrigin } from '../../http/public-origin.ts';
import type { AdapterDeps } from './oidc-adapter.ts';
import { providerConfiguration } from './provider-configuration.ts';
import { signingKeys } from './signing-keys.ts';

/** Names and addresses of one machine are few; whoever makes up more only makes us build again. */
const KEPT = 8;
/** Then the keys are looked at again. */
const LASTS_MS = HOUR_MS;

export interface OauthProvidersDeps extends AdapterDeps {
  readonly masterKey: Buffer;
}

interface Kept {
  readonly provider: Promise<Provider>;
  readonly builtAt: number;
}

export class OauthProviders {
  readonly #deps: OauthProvidersDeps;
  readonly #kept = new Map<string, Kept>();

  constructor(deps: OauthProvidersDeps) {
    this.#deps = deps;
  }

  async at(origin: PublicOrigin): Promise<Provider> {
    const issuer = httpUrl(origin, '/oidc');
    const now = this.#deps.clock.wallMs();
    const known = this.#kept.get(issuer);
    this.#kept.delete(issuer);
    const isFresh = known !== undefined && now - known.builtAt < LASTS_MS && now >= known.builtAt;
    const kept = isFresh ? known : { provider: this.#build(issuer), builtAt: now };
    this.#kept.set(issuer, kept);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    try {
      return await kept.provider;
    } catch (error) {
      this.#kept.delete(issuer);
      throw error;
    }
  }

  async #build(issuer: string): Promise<Provider> {
    const { database, clock, masterKey } = this.#deps;
    const keys = await signingKeys(this.#deps);
    const cookieKey = derivedKey(masterKey, 'cookies of the provider').toString('base64url');
    const provider = new Provider(issuer, providerConfiguration({ ...this.#deps, keys, cookieKey }));
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
}

function isSecret(actual: string, hash: Buffer | null): boolean {
  return hash !== null && timingSafeEqual(createHash('sha256').update(actual).digest(), hash);
}
