// Handlers of the question of an app in a browser: what it asks for, and the answer of the account.
import type { oauthCalls } from '@vedette/contract/calls/oauth.ts';
import type { Interaction, Provider } from 'oidc-provider';
import { CallError } from '../../core/call-error.ts';
import { findApp } from '../../database/app/app.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { allowApp, type ConsentDeps } from './consent.ts';
import type { OauthProviders } from './oauth-providers.ts';
import { questionOf } from './app-question.ts';
import { interactionCookie } from './interaction-cookie.ts';

export interface OauthDeps extends ConsentDeps {
  readonly providers: OauthProviders;
}

type InteractionPath = Extract<keyof typeof oauthCalls, `oauth/interaction/${string}`>;

export function interactionHandlers(deps: OauthDeps): Handlers<InteractionPath> {
  const find = async (request: Asked) => {
    const provider = await deps.providers.at(request.origin);
    return { provider, interaction: await findInteraction(provider, request) };
  };
  return {
    'oauth/interaction/get': async (request) => {
      const { interaction } = await find(request);
      const app = await findApp(deps.database, textOf(interaction, 'client_id'));
      if (app === undefined) throw new CallError('notFound');
      const redirectUri = textOf(interaction, 'redirect_uri');
      return questionOf(app, { asked: textOf(interaction, 'scope'), redirectUri });
    },
    'oauth/interaction/confirm': async (request) => {
      const { provider, interaction } = await find(request);
      const rights = await request.rights();
      const consent = { provider, rights, appId: textOf(interaction, 'client_id'), choice: request.input };
      request.audit.object = `appId=${consent.appId}`;
      const grantId = await allowApp(deps, { ...consent, asked: textOf(interaction, 'scope') });
      const login = { accountId: rights.subject.userId, remember: false };
      return await answer({ provider, interaction, now: request.now }, { login, consent: { grantId } });
    },
    'oauth/interaction/abort': async (request) => {
      const { provider, interaction } = await find(request);
      const refusal = { error: 'access_denied', error_description: 'the account refused' };
      return await answer({ provider, interaction, now: request.now }, refusal);
    },
  };
}

interface Asked {
  readonly input: { readonly interactionId: string };
  readonly cookies: string;
  readonly origin: Parameters<OauthProviders['at']>[0];
}

/** Only the browser that the app sent has the cookie: nobody answers a question that somebody else began. Throws 1007. */
async function findInteraction(provider: Provider, { input, cookies, origin }: Asked): Promise<Interaction> {
  const name = interactionCookie(origin.isSecure);
  const held = cookies.split(/; */).includes(`${name}=${input.interactionId}`);
  const interaction = held ? await provider.Interaction.find(input.interactionId) : undefined;
  if (interaction === undefined || interaction.result !== undefined) throw new CallError('notFound');
  return interaction;
}

interface Answered {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly now: number;
}

/** The browser goes on to the provider, which sends it back to the app. */
async function answer(
  { provider, interaction, now }: Answered,
  result: NonNullable<Interaction['result']>,
): Promise<{ redirectUrl: string; state: string }> {
  // The provider's own session of this browser may be of another account: it begins anew.
  const uid = interaction.session?.uid;
  if (uid !== undefined) {
    const session = await provider.Session.findByUid(uid);
    await session?.destroy();
    delete interaction.session;
  }
  interaction.result = result;
  await interaction.save(Math.max(1, interaction.exp - Math.floor(now / 1000)));
  return { redirectUrl: interaction.returnTo, state: textOf(interaction, 'state') };
}

function textOf({ params }: Interaction, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}
