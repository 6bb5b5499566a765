// Handlers of org/*: the tree for a caller, and its changes.
import type { organizationCalls } from '@vedette/contract/calls/organization.ts';
import type { Organization } from '@vedette/contract/entities.ts';
import { canOwn } from '@vedette/rules/decide/decide.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { authorizeOrganization } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleDevices, visibleOrganizations } from '../../auth/visibility-conditions.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { filterDevices, listedDevices, selectWithOrganization } from '../../database/device/device.queries.ts';
import { namesOfAccounts, organizationsBelow, renameOrganization } from '../../database/access/organization.queries.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';
import type { Handlers } from '../../http/handler.ts';
import { toDevice } from '../device/device.facts.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { toOrganization } from './organization.facts.ts';
import { addOrganization, deleteOrganization, moveOrganization, orderOrganizations } from './organization-tree.ts';
import { resourceHandlers } from './resource.handlers.ts';
import { searchHandlers } from './search.handlers.ts';

export interface OrganizationDeps {
  readonly database: Database;
  readonly hub: RealtimeHub;
}

export function organizationHandlers(deps: OrganizationDeps): Handlers<keyof typeof organizationCalls> {
  const { database } = deps;
  return {
    ...resourceHandlers(deps),
    ...searchHandlers(deps),
    'org/list': async ({ input, rights }) => {
      const held = await rights();
      const parentId = input.organizationId === '0' ? null : input.organizationId;
      if (parentId !== null) await authorizeOrganization(database, held, null, parentId);
      const query = organizationsBelow(database, visibleOrganizations(held, null), parentId);
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const { offset, limit } = pageRange(input);
      const rows = await query
        .selectAll('organization')
        .orderBy('organization.organization_name')
        .orderBy('organization.organization_id')
        .offset(offset)
        .limit(limit)
        .execute();
      const names = await namesOfAccounts(
        database,
        rows.map((row) => row.owner_id),
      );
      return { total, orgList: rows.map((row) => toOrganization(row, held, names.get(row.owner_id) ?? '')) };
    },
    'org/add': async ({ input, organization, principal, now }) => {
      const row = await addOrganization(database, {
        ownerId: organization?.owner_id ?? principal.userId,
        parent: organization,
        name: input.organizationName,
        now,
      });
      deps.hub.pushAbout({ kind: 'resourcesChanged' }, objectOf(row));
      return { organizationId: row.organization_id };
    },
    ...changeHandlers(deps),
    'org/device/list': async ({ input, rights, isWeb }) => {
      const held = await rights();
      if (input.organizationId !== '0') await authorizeOrganization(database, held, null, input.organizationId);
      const visible = listedDevices(database, visibleDevices(held, null), isWeb);
      const query = filterDevices(visible, { organizationId: input.organizationId });
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const { offset, limit } = pageRange(input);
      const rows = await selectWithOrganization(query)
        .orderBy('device.device_name')
        .orderBy('device.device_id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total, deviceList: rows.map((row) => toDevice(row, held)) };
    },
  };
}

type ChangePath = 'org/update' | 'org/move' | 'org/order' | 'org/delete';

function changeHandlers(deps: OrganizationDeps): Handlers<ChangePath> {
  const { database } = deps;
  return {
    'org/update': async ({ input, organization, rights }) => {
      const row = existing(organization);
      const renamed = await renameOrganization(database, row.organization_id, input);
      const shown = await oneOrganization(database, await rights(), row.organization_id);
      if (!renamed) throw new CallError('stale', shown);
      deps.hub.pushAbout({ kind: 'resourcesChanged' }, objectOf(row));
      return { organization: shown };
    },
    'org/move': async ({ input, organization, rights, now }) => {
      const { owner_id: ownerId, organization_id: organizationId } = existing(organization);
      const held = await rights();
      const parentId = await parentOf(database, held, ownerId, input.parentOrgId);
      try {
        await moveOrganization(database, { ownerId, organizationId, parentId, version: input.version, now });
      } catch (error) {
        if (!(error instanceof CallError) || error.message !== 'stale') throw error;
        throw new CallError('stale', await oneOrganization(database, held, organizationId));
      }
      return { organization: await oneOrganization(database, held, organizationId) };
    },
    'org/order': async ({ input, organization, principal }) => {
      const ownerId = organization?.owner_id ?? principal.userId;
      const parentId = organization?.organization_id ?? null;
      await orderOrganizations(database, { ownerId, parentId, organizationIds: input.organizationIdList });
      if (organization === null) deps.hub.pushTo({ kind: 'resourcesChanged' }, [principal.userId]);
      else deps.hub.pushAbout({ kind: 'resourcesChanged' }, objectOf(organization));
      return {};
    },
    'org/delete': async ({ input, organization, rights, now }) => {
      const { owner_id: ownerId, organization_id: organizationId } = existing(organization);
      const held = await rights();
      if (input.moveTo === undefined) {
        return await deleteOrganization(database, { ownerId, organizationId, moveTo: undefined, now });
      }
      const moveTo = await parentOf(database, held, ownerId, input.moveTo);
      // Devices move along, which requires the right to move them.
      await authorizeOrganization(database, held, 'DeviceManage', organizationId);
      if (moveTo !== null) await authorizeOrganization(database, held, 'DeviceManage', moveTo);
      return await deleteOrganization(database, { ownerId, organizationId, moveTo, now });
    },
  };
}

/** The root itself is neither renamed, moved nor deleted. */
function existing(organization: OrganizationRow | null): OrganizationRow {
  if (organization === null) throw new CallError('notFound');
  return organization;
}

/** Where something of the owner may be put; null is the root, which is the owner's alone. */
async function parentOf(database: Database, rights: Rights, ownerId: string, target: string): Promise<string | null> {
  if (target === '0') {
    if (!canOwn(rights.subject) || rights.subject.userId !== ownerId) throw new CallError('permissionDenied');
    return null;
  }
  const row = await authorizeOrganization(database, rights, 'OrganizationManage', target);
  if (row.owner_id !== ownerId) throw new CallError('notFound');
  return row.organization_id;
}

async function oneOrganization(database: Database, rights: Rights, organizationId: string): Promise<Organization> {
  const row = await authorizeOrganization(database, rights, null, organizationId);
  const names = await namesOfAccounts(database, [row.owner_id]);
  return toOrganization(row, rights, names.get(row.owner_id) ?? '');
}

function objectOf(row: OrganizationRow) {
  return { kind: 'organization', ownerId: row.owner_id, organizationPath: row.path } as const;
}
