// The six rights of a share in the order in which people think of them, by their names on the wire and as stored.
import { SHARE_PERMISSIONS, type SharePermission } from '@vedette/contract/permissions.ts';

export const SHARE_RIGHTS: readonly SharePermission[] = [
  'videoView',
  'videotapeView',
  'ptzControl',
  'talk',
  'alarmPush',
  'equipmentConfiguration',
];

export type StoredRight = (typeof SHARE_PERMISSIONS)[SharePermission];

/** From the stored names that answers carry. */
export function rightsOf(stored: readonly string[]): SharePermission[] {
  return SHARE_RIGHTS.filter((right) => stored.includes(SHARE_PERMISSIONS[right]));
}

export function storedRight(right: SharePermission): StoredRight {
  return SHARE_PERMISSIONS[right];
}
