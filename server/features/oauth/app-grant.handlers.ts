// Handlers of what an account allows apps: list and withdraw.
import type { oauthCalls } from '@vedette/contract/calls/oauth.ts';
import { CallError } from '../../core/call-error.ts';
import {
  findActingGrant,
  listAppGrants,
  listGrantItems,
  withdrawAppGrants,
} from '../../database/app/app-grant.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';

type GrantPath = Extract<keyof typeof oauthCalls, `oauth/grant/${string}`>;

export function appGrantHandlers({ database }: { readonly database: Database }): Handlers<GrantPath> {
  return {
    'oauth/grant/list': async ({ principal, now }) => {
      const rows = await listAppGrants(database, principal.userId, now);
      const items = Map.groupBy(
        await listGrantItems(
          database,
          rows.map((row) => row.grant_id),
        ),
        (item) => item.grant_id,
      );
      const grantList = rows.map((row) => ({
        grantId: row.grant_id,
        appId: row.app_id,
        appName: row.app_name,
        logo: row.logo,
        scopeList: row.scopes,
        itemList: (items.get(row.grant_id) ?? []).map(toItem),
        createTime: row.created_at,
        lastUsedTime: row.last_used_at,
        endTime: row.end_time,
      }));
      return { total: grantList.length, grantList };
    },
    'oauth/grant/revoke': async ({ input, principal, now, audit }) => {
      const grant = await findActingGrant(database, input.grantId);
      if (grant?.account_id !== principal.userId) throw new CallError('notFound');
      audit.object = `appId=${grant.app_id}`;
      await database
        .transaction()
        .execute((transaction) => withdrawAppGrants(transaction, { grantId: input.grantId }, now));
      return {};
    },
  };
}

export function toItem(row: Awaited<ReturnType<typeof listGrantItems>>[number]) {
  if (row.organization_id !== null) {
    return { kind: 'organization' as const, id: row.organization_id, name: row.organization_name ?? '' };
  }
  return { kind: 'device' as const, id: row.device_serial ?? '', name: row.device_name ?? '' };
}
