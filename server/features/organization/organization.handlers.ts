// Handlers of org/list, org/add and org/device/list.
import type { organizationCalls } from '@vedette/contract/calls/organization.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { mayOrganization } from '../../auth/may.ts';
import { visibleDevices, visibleOrganizations } from '../../auth/visible.ts';
import { CallError } from '../../call-error.ts';
import type { Database } from '../../database/connection.ts';
import { filterDevices, listedDevices, selectPlaced } from '../../database/device.queries.ts';
import {
  findOrganization,
  insertOrganization,
  namesOfAccounts,
  organizationsBelow,
} from '../../database/organization.queries.ts';
import type { OrganizationRow } from '../../database/schema.ts';
import type { Handlers } from '../../http/handler.ts';
import { newId } from '../../randomness.ts';
import { toDevice } from '../device/device.facts.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { toOrganization } from './organization.facts.ts';
import { resourceHandlers } from './resource.handlers.ts';
import { searchHandlers } from './search.handlers.ts';

export interface OrganizationParts {
  readonly database: Database;
  readonly hub: RealtimeHub;
}

/** Deeper trees are refused: paths are stored whole in every row. */
const DEPTH_MAX = 32;

export function organizationHandlers(parts: OrganizationParts): Handlers<keyof typeof organizationCalls> {
  const { database } = parts;
  return {
    ...resourceHandlers(parts),
    ...searchHandlers(parts),
    'org/list': async ({ input, rights }) => {
      const held = await rights();
      const parentId = input.organizationId === '0' ? null : input.organizationId;
      if (parentId !== null) await mayOrganization(database, held, null, parentId);
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
      const object = { kind: 'organization', ownerId: row.owner_id, organizationPath: row.path } as const;
      parts.hub.pushAbout({ kind: 'resourcesChanged' }, object);
      return { organizationId: row.organization_id };
    },
    'org/device/list': async ({ input, rights, isWeb }) => {
      const held = await rights();
      if (input.organizationId !== '0') await mayOrganization(database, held, null, input.organizationId);
      const visible = listedDevices(database, visibleDevices(held, null), isWeb);
      const query = filterDevices(visible, { organizationId: input.organizationId });
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const { offset, limit } = pageRange(input);
      const rows = await selectPlaced(query)
        .orderBy('device.device_name')
        .orderBy('device.device_id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total, deviceList: rows.map((row) => toDevice(row, held)) };
    },
  };
}

export async function addOrganization(
  database: Database,
  order: { ownerId: string; parent: OrganizationRow | null; name: string; now: number },
): Promise<OrganizationRow> {
  const path = order.parent?.path ?? [];
  if (path.length >= DEPTH_MAX) throw new CallError('paramInvalid', { parentOrgId: 'notAllowed' });
  const organizationId = newId();
  await insertOrganization(database, {
    organization_id: organizationId,
    owner_id: order.ownerId,
    organization_name: order.name,
    parent_id: order.parent?.organization_id ?? null,
    path: [...path, organizationId],
    created_at: order.now,
  });
  const row = await findOrganization(database, organizationId);
  if (row === undefined) throw new CallError('notFound');
  return row;
}
