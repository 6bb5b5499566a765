// Preloaded into a site: the drivers read answers through spinning-outbound-client.ts, which the product knows nothing of.
import { registerHooks } from 'node:module';

const spinning = new URL('./spinning-outbound-client.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isOfDrivers = context.parentURL?.endsWith('/site/driver-host/driver-contexts.ts');
    return isOfDrivers && found.url.endsWith('/outbound/outbound-client.ts') ? { ...found, url: spinning } : found;
  },
});
