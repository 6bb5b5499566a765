// What other features may ask about groups of devices.
import { DEFAULT_GROUP_ID } from '@vedette/contract/calls/group.ts';
import type { Principal } from '../../auth/principal.ts';

/** Whose groups an account uses: a sub-account those of its owner. */
export function groupOwner(principal: Principal): string {
  return principal.ownerId ?? principal.userId;
}

/** A group as lists of devices are filtered by it; null is the default one. */
export function groupOf(principal: Principal, groupId: string): { ownerId: string; groupId: string | null } {
  return { ownerId: groupOwner(principal), groupId: groupId === DEFAULT_GROUP_ID ? null : groupId };
}
