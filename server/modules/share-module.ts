// Shares between accounts, and guest links.
import { shareLinkHandlers } from '../features/share/share-link.handlers.ts';
import { shareHandlers } from '../features/share/share.handlers.ts';
import type { AccountServices } from './account-module.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export function shareModule(
  core: Core,
  accounts: Pick<AccountServices, 'attempts' | 'hasher'>,
  { site, tickets }: Pick<SiteModule, 'site' | 'tickets'>,
) {
  const deps = { ...core, ...accounts, site, tickets };
  return { calls: { ...shareHandlers(deps), ...shareLinkHandlers(deps) } };
}
