// Authorization check: loads the object, calls rules/decide, and answers foreign objects as missing.
import type { Permission } from '@vedette/contract/permissions.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import type { Decision, RightsObject } from '@vedette/rules/decide/rights.ts';
import { CallError } from '../core/call-error.ts';
import type { Database } from '../database/connection.ts';
import { type DeviceFacts, findDeviceFacts } from '../database/device/device.queries.ts';
import { hadEndedShare } from '../database/access/ended-share.queries.ts';
import { findOrganization } from '../database/access/organization.queries.ts';
import type { OrganizationRow } from '../database/schema/schema.ts';
import type { Rights } from './rights.ts';

export interface AuthorizedDevice extends DeviceFacts {
  readonly decision: Decision;
}

/** Throws 1009 if the device or channel is missing or foreign, 1004 if it is visible but the right is lacking. */
export async function authorizeDevice(
  database: Database,
  rights: Rights,
  action: Permission | null,
  which: { deviceSerial: string; channelNo?: number | undefined },
): Promise<AuthorizedDevice> {
  const facts = await findDeviceFacts(database, which.deviceSerial, which.channelNo);
  if (facts === undefined) throw new CallError('devNotExist');
  const decision = decide({
    subject: rights.subject,
    action,
    object: deviceObject(facts, which.channelNo),
    grants: rights.grants,
    now: rights.now,
  });
  if (!decision.allowed) throw new CallError(decision.code === 1004 ? 'permissionDenied' : 'devNotExist');
  return { ...facts, decision };
}

/** Distinguishes an ended or closed share from a missing object. */
export async function hadSharedAccess(
  database: Database,
  rights: Rights,
  which: { deviceSerial: string; channelNo?: number | undefined },
): Promise<boolean> {
  const facts = await findDeviceFacts(database, which.deviceSerial, which.channelNo);
  if (facts === undefined) return false;
  const { deviceId, ownerId, organizationPath } = facts;
  const object = { deviceId, ownerId, organizationPath, channelNo: which.channelNo };
  return await hadEndedShare(database, rights.subject.userId, object, rights.now);
}

export function deviceObject(facts: DeviceFacts, channelNo: number | undefined): RightsObject {
  const place = { ownerId: facts.ownerId, organizationPath: facts.organizationPath, deviceId: facts.deviceId };
  return channelNo === undefined ? { kind: 'device', ...place } : { kind: 'channel', ...place, channelNo };
}

/** Throws 1007 or 1004 as `mayDevice` does. */
export async function authorizeOrganization(
  database: Database,
  rights: Rights,
  action: Permission | null,
  organizationId: string,
): Promise<OrganizationRow> {
  const row = await findOrganization(database, organizationId);
  if (row === undefined) throw new CallError('notFound');
  const object = { kind: 'organization', ownerId: row.owner_id, organizationPath: row.path } as const;
  const decision = decide({ subject: rights.subject, action, object, grants: rights.grants, now: rights.now });
  if (!decision.allowed) throw new CallError(decision.code === 1004 ? 'permissionDenied' : 'notFound');
  return row;
}
