// What the account is shown before it answers: the app as it is registered, never as the address names it.
import type { AppQuestion } from '@vedette/contract/calls/oauth.ts';
import type { AppWithOwner } from '../../database/app/app.queries.ts';
import { askedScopes } from './consent.ts';

export function questionOf(
  app: AppWithOwner,
  asked: { readonly asked: string; readonly redirectUri?: string; readonly address?: string; readonly agent?: string },
): AppQuestion {
  return {
    appId: app.app_id,
    appName: app.app_name,
    logo: app.logo,
    ownerName: app.owner_name,
    scopeList: askedScopes(asked.asked, app),
    redirectUri: asked.redirectUri ?? '',
    address: asked.address ?? '',
    agent: asked.agent ?? '',
  };
}
