// What can be done to organisations and the devices in them; every change fetches the tree again.
import type { Organization, Resource } from '@vedette/contract/entities.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ROOT_ORGANIZATION } from '../../features/resource-tree/organization-options.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';

const silent = { showError: false } as const;

export interface OrgChanges {
  add(organizationName: string, parentOrgId: string): Promise<string>;
  rename(organization: Organization, organizationName: string): Promise<void>;
  move(organizationId: string, parentOrgId: string): Promise<void>;
  order(parentOrgId: string, organizationIdList: string[]): Promise<void>;
  remove(organizationId: string, moveTo: string | undefined): Promise<void>;
  moveDevices(serials: readonly string[], organizationId: string): Promise<void>;
}

export function useOrgChanges(): OrgChanges {
  const caller = useCaller();
  const client = useQueryClient();
  return useMemo(() => {
    const again = async (): Promise<void> => {
      await Promise.all([fetchResourcesAgain(client), client.invalidateQueries({ queryKey: ['org/device/list'] })]);
    };
    return {
      add: async (organizationName, parentOrgId) => {
        const { organizationId } = await caller.ask('org/add', { organizationName, parentOrgId }, silent);
        await again();
        return organizationId;
      },
      rename: async ({ organizationId, version }, organizationName) => {
        try {
          await caller.ask('org/update', { organizationId, organizationName, version }, silent);
        } finally {
          await again();
        }
      },
      move: async (organizationId, parentOrgId) => {
        await caller.ask('org/move', { organizationId, parentOrgId }, silent);
        await again();
      },
      order: async (parentOrgId, organizationIdList) => {
        await caller.ask('org/order', { parentOrgId, organizationIdList }, silent);
        await again();
      },
      remove: async (organizationId, moveTo) => {
        await caller.ask('org/delete', { organizationId, ...(moveTo !== undefined && { moveTo }) }, silent);
        await again();
      },
      moveDevices: async (serials, organizationId) => {
        try {
          for (const deviceSerial of serials) await caller.ask('device/move', { deviceSerial, organizationId }, silent);
        } finally {
          await again();
        }
      },
    };
  }, [caller, client]);
}

export interface OrgFacts {
  readonly byId: ReadonlyMap<string, Organization>;
  /** Devices right in each organisation; '0' is the root. */
  readonly deviceTotals: ReadonlyMap<string, number>;
}

export function orgFacts(resources: readonly Resource[]): OrgFacts {
  const byId = new Map<string, Organization>();
  const deviceTotals = new Map<string, number>();
  for (const resource of resources) {
    if (resource.resourceType === 'organization') byId.set(resource.organization.organizationId, resource.organization);
    else {
      const { organizationId } = resource.device;
      deviceTotals.set(organizationId, (deviceTotals.get(organizationId) ?? 0) + 1);
    }
  }
  return { byId, deviceTotals };
}

export interface BelowTotals {
  readonly organizationTotal: number;
  readonly deviceTotal: number;
}

/** Organisations below one, and devices in it and in all of them. */
export function totalsBelow({ byId, deviceTotals }: OrgFacts, organizationId: string): BelowTotals {
  let organizationTotal = 0;
  let deviceTotal = deviceTotals.get(organizationId) ?? 0;
  for (const one of byId.values()) {
    if (!isBelow(byId, one, organizationId)) continue;
    organizationTotal += 1;
    deviceTotal += deviceTotals.get(one.organizationId) ?? 0;
  }
  return { organizationTotal, deviceTotal };
}

const MOST_LEVELS = 32;

export function isBelow(
  byId: ReadonlyMap<string, Organization>,
  organization: Organization,
  organizationId: string,
): boolean {
  let at: string = organization.parentOrgId;
  for (let level = 0; level < MOST_LEVELS && at !== ROOT_ORGANIZATION; level += 1) {
    if (at === organizationId) return true;
    at = byId.get(at)?.parentOrgId ?? ROOT_ORGANIZATION;
  }
  return organizationId === ROOT_ORGANIZATION;
}

export function mayManage(organization: Organization | undefined): boolean {
  return organization?.permission.includes('OrganizationManage') === true;
}
