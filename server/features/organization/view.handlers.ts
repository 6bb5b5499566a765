// Handler of user/view: the tree as an own sub-account sees it. It grants nothing: the caller owns all of it.
import type { userCalls } from '@vedette/contract/calls/user.ts';
import { accountPermissions } from '@vedette/rules/decide/account-flags.ts';
import { loadRights } from '../../auth/rights.ts';
import { visibleDevices, visibleOrganizations } from '../../auth/visibility-conditions.ts';
import { CallError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../../database/connection.ts';
import { listedDevices } from '../../database/device/device.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { resourcePage } from './resource.handlers.ts';

export interface ViewDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export function viewHandlers({ database, clock }: ViewDeps): Handlers<Extract<keyof typeof userCalls, 'user/view'>> {
  return {
    'user/view': async ({ input, principal, isWeb }) => {
      const row = await database
        .selectFrom('account')
        .select(['account_id', 'user_name', 'user_type', 'owner_id'])
        .where('account_id', '=', input.userId)
        .where('owner_id', '=', principal.userId)
        .executeTakeFirst();
      if (row === undefined) throw new CallError('notFound');
      const all = await loadRights(database, clock, {
        userId: row.account_id,
        userName: row.user_name,
        userType: row.user_type,
        ownerId: row.owner_id,
        sessionId: '',
      });
      // Devices that others share with the sub-account are not visible to the owner.
      const rights = { ...all, grants: all.grants.filter((grant) => grant.ownerId === principal.userId) };
      const devices = listedDevices(database, visibleDevices(rights, null), isWeb);
      const organizations = visibleOrganizations(rights, null);
      const page = await resourcePage(database, rights, { organizations, devices }, input);
      return { permissionList: accountPermissions(rights.subject, rights.grants, rights.now), ...page };
    },
  };
}
