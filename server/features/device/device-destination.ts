// Destination of a device: its organisation, and the owner that follows from it.
import { canOwn } from '@vedette/rules/decide/decide.ts';
import { authorizeOrganization } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';

export interface DeviceDestination {
  readonly ownerId: string;
  /** Null: the owner's own root. */
  readonly organization: OrganizationRow | null;
}

/** In their own root callers own the device, else the organisation's owner does. Throws 1007 or 1004. */
export async function destinationFor(
  database: Database,
  rights: Rights,
  organizationId: string,
): Promise<DeviceDestination> {
  if (organizationId === '0') {
    if (!canOwn(rights.subject)) throw new CallError('notFound');
    return { ownerId: rights.subject.userId, organization: null };
  }
  const organization = await authorizeOrganization(database, rights, 'DeviceManage', organizationId);
  return { ownerId: organization.owner_id, organization };
}
