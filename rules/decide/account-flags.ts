// Page flags of an account (PM-02): owners have all of them, sub-accounts those of their roles.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { PERMISSIONS, type Permission } from '@vedette/contract/permissions.ts';
import { canOwn, isLive } from './decide.ts';
import type { Grant, RightsSubject } from './rights.ts';

export function accountPermissions(subject: RightsSubject, grants: readonly Grant[], now: number): Permission[] {
  if (canOwn(subject)) return [...PERMISSIONS];
  if (subject.userType !== USER_TYPE.sub) return [];
  const held = new Set(grants.filter((grant) => isLive(grant, now)).flatMap((grant) => grant.permissions));
  return PERMISSIONS.filter((permission) => held.has(permission));
}
