// Apps of others: their registration, the OAuth provider, and what accounts allow them.
import { embedOriginsOf, isListedOrigin } from '../auth/embed-origins.ts';
import { appHandlers } from '../features/app/app.handlers.ts';
import { appGrantHandlers } from '../features/oauth/app-grant.handlers.ts';
import { deviceCodeHandlers } from '../features/oauth/device-code.handlers.ts';
import { interactionHandlers } from '../features/oauth/interaction.handlers.ts';
import { launchHandlers } from '../features/oauth/launch.handlers.ts';
import { OauthProviders } from '../features/oauth/oauth-providers.ts';
import { oidcRoutes } from '../features/oauth/oidc-routes.ts';
import type { AccountServices } from './account-module.ts';
import type { Core } from './core.ts';

export function appModule(core: Core, { attempts }: Pick<AccountServices, 'attempts'>) {
  const { database, clock, box, sessions, publicPort } = core;
  const providers = new OauthProviders(core);
  const deps = { database, clock, box, sessions, attempts, providers };
  return {
    calls: {
      ...appHandlers(deps),
      ...interactionHandlers(deps),
      ...deviceCodeHandlers(deps),
      ...launchHandlers(deps),
      ...appGrantHandlers(deps),
    },
    embedOrigins: (appId: string) => embedOriginsOf(database, appId),
    isListedOrigin: (origin: string) => isListedOrigin(database, origin),
    registerRoutes: oidcRoutes({ providers, publicPort }),
  };
}
