// Handlers of the launch of SaaS mode: a token of the app is used up, the account is asked, and a token for the console alone is given.
import { isAppScope, type AppScope } from '@vedette/contract/app-scopes.ts';
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import type { LaunchQuestion, launchCalls } from '@vedette/contract/calls/launch.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { HOUR_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import type { ActingAppPrincipal, Principal } from '../../auth/principal.ts';
import { type Sessions, tokenHash } from '../../auth/sessions.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { listGrantItems, ownerSession } from '../../database/app/app-grant.queries.ts';
import { findApp } from '../../database/app/app.queries.ts';
import { consumeOidcRecord, deleteAccessToken, oidcHash } from '../../database/app/oidc-record.queries.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import { toItem } from './app-grant.handlers.ts';
import type { OauthDeps } from './interaction.handlers.ts';
import { type AdapterDeps, OidcAdapter } from './oidc-adapter.ts';

export interface LaunchDeps extends OauthDeps, AdapterDeps {
  readonly sessions: Pick<Sessions, 'check'>;
}

/** How long the account may think about it. */
const QUESTION_MS = 10 * MINUTE_MS;
/** Of a console in SaaS mode: a working day. The end of what the account allowed comes first. */
const SAAS_SESSION_MS = 8 * HOUR_MS;
/** Beside the models of the provider. */
const MODEL = 'Launch';

interface Launch {
  readonly appId: string;
  /** Null: the app acts for its owner. */
  readonly grantId: string | null;
  readonly scope: string;
  readonly redirectUri: string;
}

type ActingPrincipal = Principal & { readonly app: ActingAppPrincipal };

export function launchHandlers(deps: LaunchDeps): Handlers<keyof typeof launchCalls> {
  const launches = new OidcAdapter(deps, MODEL);
  const find = async (authCode: string, now: number): Promise<Launch> => {
    const kept = await launches.find(authCode);
    if (kept === undefined || kept.consumed !== undefined || (kept.exp ?? 0) * 1000 <= now)
      throw new CallError('notFound');
    const { clientId = '', grantId = null, scope = '', redirectUri = '' } = kept;
    return { appId: clientId, grantId, scope, redirectUri };
  };
  /** Of two answers at the same time one is refused. */
  const consumeCode = async (authCode: string, now: number): Promise<void> => {
    if (!(await consumeOidcRecord(deps.database, MODEL, oidcHash(authCode), now))) throw new CallError('notFound');
  };
  return {
    'oauth/launch/begin': async (request) => {
      const { now, token } = request;
      const { appId, grantId, scope, redirectUri } = await askedLaunch(deps, request);
      if (!(await deleteAccessToken(deps.database, tokenHash(token ?? '')))) throw new CallError('tokenInvalid');
      const authCode = newSecret();
      const expireTime = now + QUESTION_MS;
      const exp = Math.floor(expireTime / 1000);
      const grant = grantId === null ? {} : { grantId };
      await launches.upsert(authCode, { clientId: appId, ...grant, scope, redirectUri, exp }, QUESTION_MS / 1000);
      return { authCode, expireTime };
    },
    'oauth/launch/get': async ({ input, now }) => await questionOf(deps, await find(input.authCode, now)),
    'oauth/launch/confirm': async ({ input, now, origin, audit }) => {
      const launch = await find(input.authCode, now);
      audit.object = `appId=${launch.appId}`;
      const principal = await actingPrincipal(deps, launch);
      audit.accountId = principal.userId;
      await consumeCode(input.authCode, now);
      return await openSession(deps, { launch, principal, origin, now });
    },
    'oauth/launch/abort': async ({ input, now }) => {
      const { redirectUri } = await find(input.authCode, now);
      await consumeCode(input.authCode, now);
      if (redirectUri === '') return { redirectUrl: '' };
      const url = new URL(redirectUri);
      url.searchParams.set('error', 'access_denied');
      if (input.state !== '') url.searchParams.set('state', input.state);
      return { redirectUrl: url.href };
    },
  };
}

/** Throws 1003, 1004, 1006 or 1007; nothing is used up. */
async function askedLaunch(
  { database }: LaunchDeps,
  { principal: { app: acting }, input }: CallRequest<'oauth/launch/begin'>,
): Promise<Launch> {
  if (acting === undefined) throw new CallError('functionNotSupported');
  if (acting.appId !== input.appId) throw new CallError('permissionDenied');
  const app = await findApp(database, acting.appId);
  if (app === undefined) throw new CallError('notFound');
  const { redirectUri } = input;
  if (redirectUri !== '' && !app.redirect_uris.includes(redirectUri)) throw fieldError({ redirectUri: 'notAllowed' });
  const asked = input.scope.split(' ').filter((scope) => scope !== '');
  if (!asked.every((scope) => isAppScope(scope) && acting.scopes.includes(scope)))
    throw fieldError({ scope: 'notAllowed' });
  const scope = (asked.length === 0 ? acting.scopes : asked).join(' ');
  return { appId: acting.appId, grantId: acting.grantId, scope, redirectUri };
}

/** Who the app acts for, as long as it may. Throws 1007. */
async function actingPrincipal({ sessions }: LaunchDeps, { appId, grantId }: Launch): Promise<ActingPrincipal> {
  const checked = await sessions.check(grantId ?? ownerSession(appId));
  if ('endCode' in checked || checked.principal.app === undefined) throw new CallError('notFound');
  return { ...checked.principal, app: checked.principal.app };
}

function scopesOf(launch: Launch, acting: ActingAppPrincipal): AppScope[] {
  return launch.scope.split(' ').filter((scope): scope is AppScope => acting.scopes.includes(scope as AppScope));
}

async function questionOf(deps: LaunchDeps, launch: Launch): Promise<LaunchQuestion> {
  const principal = await actingPrincipal(deps, launch);
  const app = await findApp(deps.database, launch.appId);
  if (app === undefined) throw new CallError('notFound');
  const items = launch.grantId === null ? [] : await listGrantItems(deps.database, [launch.grantId]);
  return {
    appId: app.app_id,
    appName: app.app_name,
    logo: app.logo,
    ownerName: app.owner_name,
    accountName: principal.userName,
    scopeList: scopesOf(launch, principal.app),
    isEverything: launch.grantId === null,
    itemList: items.map(toItem),
    endTime: principal.app.endTime,
    redirectUri: launch.redirectUri,
  };
}

interface Opening extends Pick<CallRequest<'oauth/launch/confirm'>, 'origin' | 'now'> {
  readonly launch: Launch;
  readonly principal: ActingPrincipal;
}

/** A token of the provider like any other of the app, so that introspection and revocation know it. */
async function openSession(deps: LaunchDeps, { launch, principal, origin, now }: Opening): Promise<SignedIn> {
  const provider = await deps.providers.at(origin);
  const client = await provider.Client.find(launch.appId);
  if (client === undefined) throw new CallError('notFound');
  const { userId, userName, userType, app } = principal;
  const endTime = Math.min(now + SAAS_SESSION_MS, app.endTime ?? Number.POSITIVE_INFINITY);
  const common = { client, scope: scopesOf(launch, app).join(' '), expiresIn: Math.ceil((endTime - now) / 1000) };
  const token =
    launch.grantId === null
      ? new provider.ClientCredentials(common)
      : new provider.AccessToken({ ...common, accountId: userId, grantId: launch.grantId, gty: 'authorization_code' });
  return { accessToken: await token.save(), expireTime: endTime, serverAddress: '', userId, userName, userType };
}
