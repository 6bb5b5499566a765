// The one decision on rights: may this account do that to this object now. Pure; server/auth loads the facts.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { Decision, Grant, RightsObject, RightsSubject } from './rights.ts';

export interface RightsQuestion {
  readonly subject: RightsSubject;
  /** null asks for visibility alone: any right will do. */
  readonly action: Permission | null;
  readonly object: RightsObject;
  readonly grants: readonly Grant[];
  readonly now: number;
}

/** Types that own devices and organisations; sub-accounts and background accounts own nothing. */
const OWNER_TYPES: ReadonlySet<number> = new Set([USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary]);

export function canOwn(subject: RightsSubject): boolean {
  return OWNER_TYPES.has(subject.userType);
}

export function decide(question: RightsQuestion): Decision {
  const { subject, action, object, grants, now } = question;
  if (canOwn(subject) && object.ownerId === subject.userId) {
    return { allowed: true, isVisible: true, code: 200, until: null, because: { kind: 'owner' } };
  }
  const live = grants.filter((grant) => isLive(grant, now) && concerns(grant, subject, object));
  const wide = live.filter((grant) => covers(grant, object));
  const able = action === null ? live : wide.filter((grant) => grant.permissions.includes(action));
  const best = able.reduce<Grant | undefined>(later, undefined);
  if (best !== undefined) {
    const because = { kind: 'grant', grantId: best.grantId, shareId: best.shareId } as const;
    return { allowed: true, isVisible: true, code: 200, until: best.endTime, because };
  }
  const isVisible = live.length > 0;
  return { allowed: false, isVisible, code: refusalCode(isVisible, object), until: null, because: { kind: 'none' } };
}

function refusalCode(isVisible: boolean, object: RightsObject): 1004 | 1007 | 1009 {
  if (isVisible) return 1004;
  return object.kind === 'organization' ? 1007 : 1009;
}

/** All rights on an object, for the `permission` field of answers. */
export function permissionsOn(question: Omit<RightsQuestion, 'action'>, all: readonly Permission[]): Permission[] {
  return all.filter((action) => decide({ ...question, action }).allowed);
}

export function isLive(grant: Grant, now: number): boolean {
  return (grant.startTime === null || grant.startTime <= now) && (grant.endTime === null || now < grant.endTime);
}

/** The grant opens the object or, for a device, one of its channels. */
function concerns(grant: Grant, subject: RightsSubject, object: RightsObject): boolean {
  if (grant.granteeId !== subject.userId || grant.ownerId !== object.ownerId || grant.permissions.length === 0) {
    return false;
  }
  if (covers(grant, object)) return true;
  return object.kind === 'device' && grant.scope.kind === 'channel' && grant.scope.deviceId === object.deviceId;
}

/** The grant opens the whole object. */
function covers(grant: Grant, object: RightsObject): boolean {
  const { scope } = grant;
  if (scope.kind === 'organization') return object.organizationPath.includes(scope.organizationId);
  if (object.kind === 'organization') return false;
  if (scope.deviceId !== object.deviceId) return false;
  return scope.kind === 'device' || (object.kind === 'channel' && scope.channelNo === object.channelNo);
}

function later(best: Grant | undefined, next: Grant): Grant {
  if (best === undefined) return next;
  if (best.endTime === null) return best;
  return next.endTime === null || next.endTime > best.endTime ? next : best;
}
