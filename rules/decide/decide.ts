// Authorization decision: may this account do that to this object now. Pure; server/auth loads the facts.
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
  const live = grants.filter((grant) => concerns(grant, subject, object) && isLive(grant, now));
  const wide = live.filter((grant) => covers(grant, object));
  const able = action === null ? live : wide.filter((grant) => grant.permissions.includes(action));
  const best = able.reduce<Grant | undefined>((held, next) => later(held, next, now), undefined);
  if (best !== undefined) {
    const because = { kind: 'grant', grantId: best.grantId, shareId: best.shareId } as const;
    const until = endOf(
      grants.filter((grant) => mayGoOn(grant, question)),
      best,
      now,
    );
    return { allowed: true, isVisible: true, code: 200, until, because };
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
  if (grant.startTime !== null && grant.startTime > now) return false;
  if (grant.endTime !== null && now >= grant.endTime) return false;
  return grant.windows === undefined || grant.windows.every((window) => window.at(now).isOpen);
}

/** When a live grant ends, by its end or by its hours; null while nothing ends it. */
export function liveUntil(grant: Grant, now: number): number | null {
  const ends = [grant.endTime, ...(grant.windows ?? []).map((window) => window.at(now).until)];
  const known = ends.filter((end) => end !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Rights that take over from each other without a gap are followed this often. */
const TAKEN_OVER_MAX = 16;

/** The end of the right: where another grant is open by then, that one's. */
function endOf(able: readonly Grant[], best: Grant, now: number): number | null {
  let until = liveUntil(best, now);
  for (let taken = 0; until !== null && taken < TAKEN_OVER_MAX; taken += 1) {
    const at = until;
    const next = able.filter((grant) => isLive(grant, at));
    if (next.length === 0) return until;
    const ends = next.map((grant) => liveUntil(grant, at));
    until = ends.includes(null) ? null : Math.max(...ends.filter((end) => end !== null));
  }
  return until;
}

/** Opens the object for the action whenever it is live. */
function mayGoOn(grant: Grant, { subject, action, object }: RightsQuestion): boolean {
  if (!concerns(grant, subject, object)) return false;
  return action === null || (covers(grant, object) && grant.permissions.includes(action));
}

/** A right, or the sight of the object alone. */
export function opensAnything(grant: Grant): boolean {
  return grant.permissions.length > 0 || grant.showsObject === true;
}

/** The grant opens the object or, for a device, one of its channels. */
function concerns(grant: Grant, subject: RightsSubject, object: RightsObject): boolean {
  if (grant.granteeId !== subject.userId || grant.ownerId !== object.ownerId || !opensAnything(grant)) return false;
  if (covers(grant, object)) return true;
  if (object.kind !== 'device' || grant.scope.kind !== 'channel') return false;
  return grant.scope.deviceId === object.deviceId && standsWithin(grant, object);
}

export function standsWithin(grant: Grant, object: RightsObject): boolean {
  return grant.within === undefined || grant.within.every((id) => object.organizationPath.includes(id));
}

/** The grant opens the whole object. */
function covers(grant: Grant, object: RightsObject): boolean {
  const { scope } = grant;
  if (!standsWithin(grant, object)) return false;
  if (scope.kind === 'organization') return object.organizationPath.includes(scope.organizationId);
  if (object.kind === 'organization') return false;
  if (scope.deviceId !== object.deviceId) return false;
  return scope.kind === 'device' || (object.kind === 'channel' && scope.channelNo === object.channelNo);
}

function later(best: Grant | undefined, next: Grant, now: number): Grant {
  if (best === undefined) return next;
  const [end, other] = [liveUntil(best, now), liveUntil(next, now)];
  if (end === null) return best;
  return other === null || other > end ? next : best;
}
