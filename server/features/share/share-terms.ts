// Terms of a share as stored: rights or role, time limits, weekly hours; refuses contradictions.
import type { ShareDay } from '@vedette/contract/calls/share.ts';
import { SHARE_TYPE } from '@vedette/contract/enumerations.ts';
import { type Permission, SHARE_RIGHTS, type ShareRight } from '@vedette/contract/permissions.ts';
import { isWholeWeek } from '@vedette/rules/decide/share-window.ts';
import { checkPlanDays } from '@vedette/rules/time-plan/plan-days.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import type { StoredHours } from '../../database/schema/share-schema.ts';

export interface GivenRights {
  readonly shareType: number;
  readonly permission?: readonly ShareRight[] | undefined;
  readonly roleId?: string | undefined;
}

export interface StoredRights {
  readonly permissions: Permission[];
  readonly roleId: string | null;
}

/** Throws 1003 where rights and role are mixed up, 1007 for a role that is not the giver's. */
export async function storedRights(database: Database, giverId: string, given: GivenRights): Promise<StoredRights> {
  const { shareType, permission, roleId } = given;
  if (shareType === SHARE_TYPE.fromPermission) {
    if (permission === undefined) throw fieldError({ permission: 'required' });
    if (roleId !== undefined) throw fieldError({ roleId: 'notAllowed' });
    return { permissions: permissionsOf(permission), roleId: null };
  }
  if (roleId === undefined) throw fieldError({ roleId: 'required' });
  if (permission !== undefined) throw fieldError({ permission: 'notAllowed' });
  const role = await database
    .selectFrom('role')
    .select('role_id')
    .where('role_id', '=', roleId)
    .where('owner_id', '=', giverId)
    .executeTakeFirst();
  if (role === undefined) throw new CallError('notFound');
  return { permissions: [], roleId };
}

export function permissionsOf(names: readonly ShareRight[]): Permission[] {
  return [...new Set(names.map((name) => SHARE_RIGHTS[name]))];
}

export function refuseBadTimes(startTime: number | null, endTime: number | null, now: number): void {
  if (endTime !== null && endTime <= Math.max(now, startTime ?? 0)) throw fieldError({ endTime: 'tooSmall' });
}

/** null where they leave nothing out. */
export function storedHours(plan: readonly ShareDay[], timeZone: string): StoredHours | null {
  const found = checkPlanDays(plan);
  if (found !== null) throw fieldError({ [`plan.${found.field}`]: found.problem });
  if (plan.every(({ entryList }) => entryList.length === 0)) throw fieldError({ plan: 'required' });
  refuseUnknownZone(timeZone);
  const hours: StoredHours = { plan: [...plan], timeZone };
  return isWholeWeek(hours) ? null : hours;
}

function refuseUnknownZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    if (error instanceof RangeError) throw fieldError({ timeZone: 'format' });
    throw error;
  }
}
