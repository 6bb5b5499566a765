// The numbered enumerations of the specification (section 3), one table each; a number outside a table is shown as unknown.

export const DEVICE_TYPE = {
  IPC: 0,
  NVR: 1,
  VMS: 2,
  PTS: 6,
  AIBOX: 8,
  PMS: 10,
  EGS: 11,
  ACS: 12,
  RADAR: 13,
  VM: 15,
  NAS: 16,
  unknown: -1,
} as const;
export type DeviceType = (typeof DEVICE_TYPE)[keyof typeof DEVICE_TYPE];

/** Hidden from lists in web mode (PM-05). */
export const WEB_HIDDEN_DEVICE_TYPES: readonly number[] = [2, 11, 12, 10, 13, 15, 16];

export const DEVICE_STATUS = { offline: 0, online: 1, unknown: -1 } as const;
export type DeviceStatus = (typeof DEVICE_STATUS)[keyof typeof DEVICE_STATUS];

export const CHANNEL_TYPE = { video: 0, radar: 1 } as const;
export const IS_SHARED = { none: 0, fromOrganization: 1, fromDevice: 2, fromChannel: 3 } as const;
export const SHARE_TYPE = { fromRole: 1, fromPermission: 2 } as const;
export const USER_TYPE = { super: 0, manage: 1, ordinary: 2, background: 3, sub: 5 } as const;
export type UserType = (typeof USER_TYPE)[keyof typeof USER_TYPE];
export const ACCOUNT_STATUS = { notLoggedIn: 0, loggedIn: 1, registering: 2 } as const;
export const RECORD_SOURCE = { auto: 0, cloud: 1, local: 2 } as const;
export const RECORD_TYPE = { normal: 1, alarm: 2 } as const;
/** What an entry of a recording plan asks for; a time without an entry is not recorded. */
export const RECORD_PLAN_TYPE = { continuous: 1, event: 2 } as const;
/** Why recordings are missing between two recorded spans. */
export const GAP_REASONS = [
  'cameraOffline',
  'streamLost',
  /** Pictures came, and none with which a recording can begin. */
  'awaitingKeyframe',
  'disk',
  'planOff',
  'siteDown',
  /** Recorded, perhaps, at a site that is away: it is there again when the site is. */
  'siteAway',
  /** The site ran, and was too busy to record. */
  'siteBusy',
  'clockStep',
  /** Recorded, but damaged: it fails its checksum. */
  'damaged',
  /** Recorded, and removed sooner than others because nothing was seen in it. */
  'empty',
  /** Recorded on a disk that cannot be reached. */
  'diskAway',
  'unknown',
] as const;
export type GapReason = (typeof GAP_REASONS)[number];
/**
 * Why the storage is not normal: `locked` everything removable is locked, `budget` smaller than what is being written,
 * `othersFull` other files filled the disk, `readOnly`, `denied` and `refused` the disk rejects writes, `absent`
 * folder or disk missing, `notOurs` another folder in its place, `inUse` another site writes there, `hangs` the disk
 * does not answer.
 */
export const STORAGE_REASONS = [
  'locked',
  'budget',
  'othersFull',
  'readOnly',
  'denied',
  'refused',
  'absent',
  'notOurs',
  'inUse',
  'hangs',
] as const;
export type StorageReason = (typeof STORAGE_REASONS)[number];
export const QUALITY = { main: 0, second: 1, third: 2 } as const;
export type Quality = (typeof QUALITY)[keyof typeof QUALITY];
export const RECORD_STATUS = { normal: 0, noCard: 1, unformatted: 2, abnormal: 3, unknown: -1 } as const;
export const CLOUD_COMBO = { picture: 1, eventVideo: 2, continuousVideo: 3 } as const;
export const PRESET_OPERATE = { add: 0, delete: 1, edit: 2 } as const;
export const WINDOW_STATUS = { hide: 0, display: 1 } as const;
export const LANGUAGE = { zhCN: 0, en: 1 } as const;
export const QUERY_MODE = { withAllBelow: 0, itselfAlone: 1 } as const;
/** shareResourceType of share/device/list takes the IsShared numbers 1 to 3. */
export const SHARE_RESOURCE = { organization: 1, device: 2, channel: 3 } as const;
export const SHARE_STATES = ['pending', 'scheduled', 'active', 'ended'] as const;
export type ShareState = (typeof SHARE_STATES)[number];
/** What a guest link shows. */
export const SHARE_LINK_KINDS = ['live', 'clip'] as const;
export type ShareLinkKind = (typeof SHARE_LINK_KINDS)[number];
/** Path of a device's media to the viewer: its site is the local site, directly from a remote site, not tried yet, or only through the local site. */
export const NAT_MODE = { centre: 0, direct: 1, untried: 2, relayed: 3 } as const;
export type NatMode = (typeof NAT_MODE)[keyof typeof NAT_MODE];

/** How an account wants dates written. */
export const DATE_ORDERS = ['yearFirst', 'monthFirst', 'dayFirst'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** What opens first after sign-in. */
export const HOME_PAGES = ['live', 'overview', 'cards', 'playback', 'alarms'] as const;
export type HomePage = (typeof HOME_PAGES)[number];

/** Hours of the clock. */
export const CLOCK_HOURS = [24, 12] as const;
export type ClockHours = (typeof CLOCK_HOURS)[number];

/** What is wrong with an object store, as one word for the screen. */
export const STORE_REASONS = [
  'address',
  'unreachable',
  'timeout',
  'certificate',
  'redirected',
  'otherRegion',
  'noBucket',
  'keys',
  'denied',
  'clock',
  'busy',
  'differs',
  'gone',
  'answer',
] as const;
export type StoreReason = (typeof STORE_REASONS)[number];

/** Why the push of a stream to a CDN does not go on, as one word for the screen. */
export const PUSH_REASONS = [
  'address',
  'unreachable',
  'timeout',
  'certificate',
  'redirected',
  'refused',
  'closed',
  'answer',
  'noVideo',
  'codec',
  'rightEnded',
  'lost',
  'credentials',
  'noMediaPath',
  'ffmpeg',
] as const;
export type PushReason = (typeof PUSH_REASONS)[number];

/** State of a push. `unknown`: its site is away. */
export const PUSH_STATES = ['starting', 'live', 'retrying', 'stopped', 'unknown'] as const;
export type PushState = (typeof PUSH_STATES)[number];

/**
 * `push`: a delivery network that streams are pushed to by RTMP. `whip`, `srt`: the same by WHIP (RFC 9725) and by SRT. `origin`: this
 * installation, where streams are fetched.
 */
export const CDN_PROVIDER_KINDS = ['push', 'whip', 'srt', 'origin'] as const;
export type CdnProviderKind = (typeof CDN_PROVIDER_KINDS)[number];

/**
 * How a CDN provider knows us. Its RTMP addresses are signed: `aliyun`: type A; `tencent`: txSecret; `nginx`: secure_link. The key itself
 * is `bearer`: the token of WHIP; `passphrase`: that of SRT.
 */
export const CDN_SIGNINGS = ['none', 'aliyun', 'tencent', 'nginx', 'bearer', 'passphrase'] as const;
export type CdnSigning = (typeof CDN_SIGNINGS)[number];

/** EN-13: protocols of CDN live. WHIP and SRT are ours. */
export const CDN_PROTOCOL = { own: 1, hls: 2, rtmp: 3, httpFlv: 4, whip: 5, srt: 6 } as const;

/** The five things that an object store must be able to do, in the order in which they are tried. */
export const STORE_STEPS = ['write', 'read', 'range', 'list', 'delete'] as const;
export type StoreStep = (typeof STORE_STEPS)[number];

/** Why backups cannot lie in a folder, as one word for the screen. */
export const BACKUP_FOLDER_REASONS = [
  'folderAbsent',
  'folderInside',
  'folderDenied',
  'folderFull',
  'folderFault',
] as const;
export type BackupFolderReason = (typeof BACKUP_FOLDER_REASONS)[number];

/** Rules of edge intelligence, one per task. */
export const ANALYSIS_ALGORITHMS = [
  'lineCrossing',
  'intrusion',
  'entrance',
  'exit',
  'loitering',
  'crowdDensity',
  'counting',
  'objectLeft',
  'objectRemoved',
] as const;
export type AnalysisAlgorithm = (typeof ANALYSIS_ALGORITHMS)[number];

/** What a detector tells apart: the classes of its model are folded into these. */
export const OBJECT_CLASSES = ['person', 'vehicle', 'bicycle', 'animal', 'bag'] as const;
export type ObjectClass = (typeof OBJECT_CLASSES)[number];

/** Across a line, seen from its first point to its second: `in` to the right, `out` to the left. */
export const CROSSING_DIRECTIONS = ['both', 'in', 'out'] as const;
export type CrossingDirection = (typeof CROSSING_DIRECTIONS)[number];

/** `missing`: the optional component is not installed; `failed`: it does not start, or its model is damaged; `noDecoder`: no ffmpeg. */
export const ANALYST_STATES = ['idle', 'running', 'starting', 'missing', 'failed', 'noDecoder'] as const;
export type AnalystState = (typeof ANALYST_STATES)[number];

/** Why an operator's model is not run: `file` is missing, a link or too large; `external` names other files; `trial`: it did not answer as its family does. */
export const MODEL_REFUSALS = ['description', 'file', 'hash', 'external', 'trial'] as const;
export type ModelRefusal = (typeof MODEL_REFUSALS)[number];

/** Of a task that is run over recordings. */
export const REPLAY_STATES = ['running', 'finished', 'failed'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];
/** `analyst`: it crashed or does not start; `events`: there were too many; `recordings`: they could not be read. */
export const REPLAY_FAULTS = ['analyst', 'events', 'recordings'] as const;
export type ReplayFault = (typeof REPLAY_FAULTS)[number];

/** `applied`: the operator has not answered yet. */
export const TRIAL_STATES = ['applied', 'running', 'refused', 'ended'] as const;
export type TrialState = (typeof TRIAL_STATES)[number];

/** How a directory is reached; `plain` sends passwords in clear text. */
export const DIRECTORY_SECURITIES = ['ldaps', 'startTls', 'plain'] as const;
export type DirectorySecurity = (typeof DIRECTORY_SECURITIES)[number];
/** What says which groups somebody is in: an attribute of the user, or of groups that are searched. */
export const DIRECTORY_GROUPS = ['memberOf', 'member', 'uniqueMember', 'memberUid'] as const;
export type DirectoryGroups = (typeof DIRECTORY_GROUPS)[number];
