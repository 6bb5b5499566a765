// The rights of the product: stored permission strings, their share names, and the pages they open (EN-05, PM-02).

/** Permission strings as stored in grants and roles. */
export const PERMISSIONS = [
  'DeviceManage',
  'OrganizationManage',
  'Realplay',
  'Replay',
  'PtzControl',
  'Talk',
  'AlarmPush',
  'Config',
  'Export',
  'RecordConfig',
  'Reshare',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The six rights of a share by the names of the specification. */
export const SHARE_PERMISSIONS = {
  videoView: 'Realplay',
  ptzControl: 'PtzControl',
  talk: 'Talk',
  alarmPush: 'AlarmPush',
  videotapeView: 'Replay',
  equipmentConfiguration: 'Config',
} as const satisfies Record<string, Permission>;
export type SharePermission = keyof typeof SHARE_PERMISSIONS;

/**
 * All rights of a share: those of the specification, and ours for exporting recordings, changing recording plans and
 * locks, and re-sharing (guest links, shares).
 */
export const SHARE_RIGHTS = {
  ...SHARE_PERMISSIONS,
  Export: 'Export',
  RecordConfig: 'RecordConfig',
  Reshare: 'Reshare',
} as const satisfies Record<string, Permission>;
export type ShareRight = keyof typeof SHARE_RIGHTS;
export const SHARE_RIGHT_NAMES = Object.keys(SHARE_RIGHTS) as [ShareRight, ...ShareRight[]];

/** Never part of a share that follows a role (type 1): these must be given by name. */
const NAMED_SHARE_RIGHTS: readonly Permission[] = ['RecordConfig', 'Reshare'];

/** What a share of type 1 carries of its role. */
export function rightsByRole(rolePermissions: readonly string[]): Permission[] {
  const carried: readonly Permission[] = Object.values(SHARE_RIGHTS);
  return carried.filter((right) => rolePermissions.includes(right) && !NAMED_SHARE_RIGHTS.includes(right));
}

/** Page that a flag opens (PM-02). */
export const PERMISSION_PAGES: Record<Permission, string> = {
  DeviceManage: 'deviceManage',
  OrganizationManage: 'orgManage',
  Realplay: 'liveVideo',
  Replay: 'liveVideo',
  PtzControl: 'liveVideo',
  Talk: 'liveVideo',
  AlarmPush: 'alarmMsg',
  Config: 'deviceManage',
  Export: 'liveVideo',
  RecordConfig: 'deviceManage',
  Reshare: 'deviceManage',
};
