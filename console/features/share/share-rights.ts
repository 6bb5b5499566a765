// The rights of a share in the order in which people think of them, by their names on the wire and as stored.
import { SHARE_RIGHTS, type ShareRight } from '@vedette/contract/permissions.ts';

/** As the switches stand. */
export const RIGHT_ORDER: readonly ShareRight[] = [
  'videoView',
  'videotapeView',
  'Export',
  'ptzControl',
  'talk',
  'alarmPush',
  'equipmentConfiguration',
  'RecordConfig',
  'Reshare',
];

/** What cannot be used without another: a recording that is taken away is seen first. */
const NEEDED: Partial<Record<ShareRight, ShareRight>> = {
  Export: 'videotapeView',
  RecordConfig: 'equipmentConfiguration',
};

export type StoredRight = (typeof SHARE_RIGHTS)[ShareRight];

/** From the stored names that answers carry. */
export function rightsOf(stored: readonly string[]): ShareRight[] {
  return RIGHT_ORDER.filter((right) => stored.includes(SHARE_RIGHTS[right]));
}

export function storedRight(right: ShareRight): StoredRight {
  return SHARE_RIGHTS[right];
}

/** With what it needs, or without what needs it. */
export function toggledRights(chosen: ReadonlySet<ShareRight>, right: ShareRight): Set<ShareRight> {
  const next = new Set(chosen);
  if (next.delete(right)) {
    for (const [one, needed] of Object.entries(NEEDED)) if (needed === right) next.delete(one as ShareRight);
    return next;
  }
  next.add(right);
  const needed = NEEDED[right];
  if (needed !== undefined) next.add(needed);
  return next;
}
