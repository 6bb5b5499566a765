// Grants of an app: the devices and organisations that it was given, with the permissions of its scopes.
import { scopePermissions } from '@vedette/contract/app-scopes.ts';
import type { GrantScope } from '@vedette/rules/decide/rights.ts';
import type { GrantWithShare } from '../database/access/grant.queries.ts';
import { type GrantedItem, itemsOfGrant, itemsOfOwner } from '../database/app/app-grant.queries.ts';
import type { Database } from '../database/connection.ts';
import type { ActingAppPrincipal } from './principal.ts';

export async function grantsOfApp(
  database: Database,
  accountId: string,
  { grantId, scopes, endTime }: ActingAppPrincipal,
): Promise<GrantWithShare[]> {
  const items = grantId === null ? await itemsOfOwner(database, accountId) : await itemsOfGrant(database, grantId);
  const permissions = scopePermissions(scopes);
  return items.map((item) => ({
    grantId: grantId ?? '',
    granteeId: accountId,
    ownerId: item.owner_id,
    scope: scopeOf(item),
    permissions,
    startTime: null,
    endTime,
    source: 'app',
    shareId: null,
    share: null,
    showsObject: scopes.includes('device.list'),
  }));
}

/** A check of the table guarantees that exactly one is set. */
function scopeOf({ organization_id: organizationId, device_id: deviceId }: GrantedItem): GrantScope {
  if (organizationId !== null) return { kind: 'organization', organizationId };
  return { kind: 'device', deviceId: deviceId ?? '' };
}
