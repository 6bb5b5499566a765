// One oidc-provider for each address that this server is reached by: the issuer is the origin that the caller used.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { Provider } from 'oidc-provider';
import { httpUrl, type PublicOrigin } from '../../http/public-origin.ts';
import type { ProviderDeps } from './build-provider.ts';

/** Names and addresses of one machine are few; whoever makes up more only makes us build again. */
const KEPT = 8;
/** Then the keys are looked at again. */
const LASTS_MS = HOUR_MS;

interface Kept {
  readonly provider: Promise<Provider>;
  readonly builtAt: number;
}

export class OauthProviders {
  readonly #deps: ProviderDeps;
  readonly #kept = new Map<string, Kept>();

  constructor(deps: ProviderDeps) {
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
    // A quarter of what a start loads: only for those who use apps.
    const { buildProvider } = await import('./build-provider.ts');
    return await buildProvider(this.#deps, issuer);
  }
}
