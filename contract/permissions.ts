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
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The six rights a share can carry, by the names of the specification. */
export const SHARE_PERMISSIONS = {
  videoView: 'Realplay',
  ptzControl: 'PtzControl',
  talk: 'Talk',
  alarmPush: 'AlarmPush',
  videotapeView: 'Replay',
  equipmentConfiguration: 'Config',
} as const satisfies Record<string, Permission>;
export type SharePermission = keyof typeof SHARE_PERMISSIONS;
export const SHARE_PERMISSION_NAMES = Object.keys(SHARE_PERMISSIONS) as [SharePermission, ...SharePermission[]];

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
};
