// Handlers of apps: register, change, give a new secret, approve, delete.
import { createHash } from 'node:crypto';
import type { App, appCalls } from '@vedette/contract/calls/app.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { APP_LIMITS } from '@vedette/contract/limits.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { isEmbedOrigin } from '@vedette/rules/validation/embed-origin.ts';
import { isRedirectUri } from '@vedette/rules/validation/redirect-uri.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { revokeAppSessions, withdrawAppGrants } from '../../database/app/app-grant.queries.ts';
import {
  type AppWithOwner,
  changeApp,
  countAppsLocked,
  deleteApp,
  findApp,
  insertApp,
  listApps,
} from '../../database/app/app.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import { appStatus } from '../oauth/oauth.facts.ts';

export function appHandlers({ database }: { readonly database: Database }): Handlers<keyof typeof appCalls> {
  return {
    'app/list': async ({ principal, now }) => {
      const rows = await listApps(database, isOperator(principal) ? null : principal.userId);
      return { total: rows.length, appList: rows.map((row) => toApp(row, principal, now)) };
    },
    'app/save': async (request) => {
      const { input, principal, now } = request;
      const { appId, secret } =
        input.appId === undefined ? await addApp(database, request) : await editApp(database, request);
      const row = await findApp(database, appId);
      if (row === undefined) throw new CallError('notFound');
      return { app: toApp(row, principal, now), secret };
    },
    'app/delete': async ({ input, principal, now }) => {
      const app = await managedApp(database, principal, input.appId);
      await database.transaction().execute(async (transaction) => {
        await withdrawAppGrants(transaction, { appId: app.app_id }, now);
        await revokeAppSessions(transaction, app, now);
        await deleteApp(transaction, app.app_id);
      });
      return {};
    },
    'app/secret/rotate': async ({ input, principal, now }) => {
      const app = await managedApp(database, principal, input.appId);
      if (app.is_public) throw new CallError('functionNotSupported');
      const secret = newSecret();
      const oldSecretUntil = now + input.overlapHours * HOUR_MS;
      const old = { old_secret_hash: app.secret_hash, old_secret_until: oldSecretUntil };
      await changeApp(database, app.app_id, { ...old, secret_hash: hashOf(secret), changed_at: now });
      return { secret, oldSecretUntil };
    },
    'app/approve': async ({ input, now }) => {
      const app = await findApp(database, input.appId);
      if (app === undefined) throw new CallError('notFound');
      await database.transaction().execute(async (transaction) => {
        await changeApp(transaction, app.app_id, { is_approved: input.isApproved, changed_at: now });
        if (!input.isApproved) await revokeAppSessions(transaction, app, now);
      });
      return {};
    },
    'app/status': async ({ input }) => {
      const app = await findApp(database, input.appId);
      return { appIdStatus: appStatus(app, null), appName: app?.app_name ?? '', logo: app?.logo ?? '' };
    },
  };
}

async function addApp(database: Database, { input, principal, now }: CallRequest<'app/save'>) {
  requireAddresses(input, input.isPublic);
  const appId = newId();
  const secret = input.isPublic ? '' : newSecret();
  await database.transaction().execute(async (transaction) => {
    const total = await countAppsLocked(transaction, principal.userId);
    if (total >= APP_LIMITS.apps) throw new CallError('quotaExceeded', { limit: APP_LIMITS.apps });
    await insertApp(transaction, {
      app_id: appId,
      owner_id: principal.userId,
      ...fieldsOf(input),
      is_public: input.isPublic,
      secret_hash: input.isPublic ? null : hashOf(secret),
      created_at: now,
      changed_at: now,
    });
  });
  return { appId, secret };
}

async function editApp(database: Database, { input, principal, now }: CallRequest<'app/save'>) {
  const { appId = '', version } = input;
  if (version === undefined) throw fieldError({ version: 'required' });
  const app = await managedApp(database, principal, appId);
  requireAddresses(input, app.is_public);
  await database.transaction().execute(async (transaction) => {
    const isSeen = await changeApp(transaction, appId, { ...fieldsOf(input), changed_at: now }, version);
    if (!isSeen) throw new CallError('stale', { app: toApp(app, principal, now) });
    if (!input.isEnabled) await revokeAppSessions(transaction, app, now);
  });
  return { appId, secret: '' };
}

type SavedApp = CallRequest<'app/save'>['input'];

function fieldsOf(input: SavedApp) {
  return {
    app_name: input.appName,
    logo: input.logo,
    redirect_uris: [...new Set(input.redirectUriList)],
    embed_origins: [...new Set(input.embedOriginList)],
    scopes: [...new Set(input.scopeList)],
    is_enabled: input.isEnabled,
  };
}

function requireAddresses({ redirectUriList, embedOriginList }: SavedApp, isPublic: boolean): void {
  const wrong = redirectUriList.findIndex((uri) => !isRedirectUri(uri, { isPublic }));
  if (wrong !== -1) throw fieldError({ [`redirectUriList.${wrong}`]: 'format' });
  const wrongOrigin = embedOriginList.findIndex((origin) => !isEmbedOrigin(origin));
  if (wrongOrigin !== -1) throw fieldError({ [`embedOriginList.${wrongOrigin}`]: 'format' });
}

/** One's own, or for operators any. Throws 1007. */
async function managedApp(database: Database, principal: Principal, appId: string): Promise<AppWithOwner> {
  const app = await findApp(database, appId);
  if (app === undefined || !(isOperator(principal) || app.owner_id === principal.userId))
    throw new CallError('notFound');
  return app;
}

function isOperator({ userType }: Principal): boolean {
  return userType === USER_TYPE.super;
}

function toApp(row: AppWithOwner, { userId }: Principal, now: number): App {
  return {
    appId: row.app_id,
    appName: row.app_name,
    logo: row.logo,
    ownerName: row.owner_name,
    isOwn: row.owner_id === userId,
    redirectUriList: row.redirect_uris,
    embedOriginList: row.embed_origins,
    scopeList: row.scopes,
    isPublic: row.is_public,
    isEnabled: row.is_enabled,
    isApproved: row.is_approved,
    oldSecretUntil: row.old_secret_until !== null && row.old_secret_until > now ? row.old_secret_until : null,
    version: row.version,
    createTime: row.created_at,
  };
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
