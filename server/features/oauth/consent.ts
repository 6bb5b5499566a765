// What an account allows an app: the choice is checked against its own rights and becomes a grant.
import { DEVICE_SCOPES, isAppScope, type AppScope } from '@vedette/contract/app-scopes.ts';
import type { AppStatus } from '@vedette/contract/calls/app.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { mayUseApp } from '@vedette/rules/decide/may-use-app.ts';
import type { Provider } from 'oidc-provider';
import { authorizeDevice, authorizeOrganization } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { type GrantedItem, insertAppGrant } from '../../database/app/app-grant.queries.ts';
import { type AppWithOwner, findApp } from '../../database/app/app.queries.ts';
import type { Database } from '../../database/connection.ts';

export interface ConsentDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface Choice {
  readonly deviceSerialList: readonly string[];
  readonly organizationIdList: readonly string[];
  readonly endTime: number | null;
}

export interface Consent {
  readonly provider: Provider;
  readonly appId: string;
  /** As the app asked for them, separated by spaces. */
  readonly asked: string;
  readonly rights: Rights;
  readonly choice: Choice;
}

/** Answers the id of the grant. Throws 1003, 1004, 1007 or 1009. */
export async function allowApp({ database, clock }: ConsentDeps, consent: Consent): Promise<string> {
  const { provider, appId, rights, choice } = consent;
  const accountId = rights.subject.userId;
  const app = await usableApp(database, appId, accountId);
  const scopes = askedScopes(consent.asked, app);
  const now = clock.wallMs();
  if (choice.endTime !== null && choice.endTime <= now) throw fieldError({ endTime: 'tooSmall' });
  const items = await chosenItems(database, rights, choice);
  if (items.length === 0 && scopes.some((scope) => DEVICE_SCOPES.has(scope))) {
    throw fieldError({ deviceSerialList: 'required' });
  }
  const grant = new provider.Grant({ accountId, clientId: appId });
  grant.addOIDCScope(scopes.join(' '));
  const grantId = await grant.save();
  const row = { grant_id: grantId, app_id: appId, account_id: accountId, scopes, end_time: choice.endTime };
  await database
    .transaction()
    .execute((transaction) => insertAppGrant(transaction, { ...row, created_at: now, last_used_at: null }, items));
  return grantId;
}

/** Throws 1007 for an app that is unknown or disabled, 1004 for one that no operator approved. */
export async function usableApp(database: Database, appId: string, accountId: string): Promise<AppWithOwner> {
  const app = await findApp(database, appId);
  const status = appStatus(app, accountId);
  if (app === undefined || status === 'unknown' || status === 'disabled') throw new CallError('notFound');
  if (status === 'unapproved') throw new CallError('permissionDenied', { reason: 'unapproved' });
  return app;
}

/** For an account; null: for anybody who is not its owner. */
export function appStatus(app: AppWithOwner | undefined, accountId: string | null): AppStatus {
  if (app === undefined) return 'unknown';
  if (!app.is_enabled || !app.owner_enabled) return 'disabled';
  const facts = { isEnabled: true, isApproved: app.is_approved, allowsAll: app.allows_all, ownerId: app.owner_id };
  return mayUseApp({ ...facts, accountId: accountId ?? '' }) ? 'enabled' : 'unapproved';
}

/** The provider has refused what is not registered; between then and now the app may have lost some. */
export function askedScopes(asked: string, app: AppWithOwner): AppScope[] {
  return asked.split(' ').filter((scope): scope is AppScope => isAppScope(scope) && app.scopes.includes(scope));
}

async function chosenItems(database: Database, rights: Rights, choice: Choice): Promise<GrantedItem[]> {
  const items: GrantedItem[] = [];
  for (const deviceSerial of new Set(choice.deviceSerialList)) {
    const { ownerId, deviceId } = await authorizeDevice(database, rights, null, { deviceSerial });
    items.push({ owner_id: ownerId, device_id: deviceId, organization_id: null });
  }
  for (const organizationId of new Set(choice.organizationIdList)) {
    const { owner_id: ownerId } = await authorizeOrganization(database, rights, null, organizationId);
    items.push({ owner_id: ownerId, device_id: null, organization_id: organizationId });
  }
  return items;
}
