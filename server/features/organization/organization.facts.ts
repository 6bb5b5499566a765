// What other features may ask about organisations: contract objects for one caller.
import type { Organization } from '@vedette/contract/entities.ts';
import { PERMISSIONS } from '@vedette/contract/permissions.ts';
import { decide, permissionsOn } from '@vedette/rules/decide/decide.ts';
import type { Rights } from '../../auth/rights.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';
import { sharedFrom, toShareInfo, widestShare } from '../device/device.facts.ts';

/** A parent that the caller can't see is shown as the root. */
export function toOrganization(row: OrganizationRow, rights: Rights, ownerName: string): Organization {
  const object = { kind: 'organization', ownerId: row.owner_id, organizationPath: row.path } as const;
  const grant = widestShare(rights, object);
  return {
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    parentOrgId: visiblePath(row, rights).at(-2) ?? '0',
    isShared: grant === undefined ? 0 : sharedFrom(grant),
    owner: ownerName,
    shareInfo: grant === undefined ? null : toShareInfo(grant),
    position: row.position,
    permission: permissionsOn({ ...rights, object }, PERMISSIONS),
    version: row.version,
  };
}

/** Ids from the topmost visible organisation down to this one. */
export function visiblePath(row: Pick<OrganizationRow, 'owner_id' | 'path'>, rights: Rights): string[] {
  const first = row.path.findIndex((_id, index) => {
    const organizationPath = row.path.slice(0, index + 1);
    const object = { kind: 'organization', ownerId: row.owner_id, organizationPath } as const;
    return decide({ ...rights, action: null, object }).allowed;
  });
  return first < 0 ? [] : row.path.slice(first);
}
