// The constants and limits of the specification (section 9), by name and unit.

export const MESSAGE_MS = { short: 1000, middle: 2000, long: 3000 } as const;
export const NOTIFICATION = { durationMs: 4500, gapPx: 16 } as const;
export const TOAST = { durationMs: 3000, topPx: 20 } as const;
export const SESSION_END_DELAY_MS = 1000;

export const PAGE_SIZE = {
  organizations: 100,
  presets: 100,
  roles: 100,
  shares: 100,
  channelBatch: 100,
  allResources: 1000,
  nat: 1000,
  organizationDevices: 30,
  channels: 20,
  subOrganizationResources: 20,
  groups: 16,
  shareDevices: 10,
  exports: 20,
  layouts: 100,
  floorPlans: 100,
  clientVersions: 100,
  alarms: 50,
  /** device/list when the caller names none. */
  devices: 20,
} as const;
/** No list answers more rows at once. */
export const PAGE_SIZE_MAX = 1000;
/** Largest page number of lists. */
export const PAGE_MAX = 1_000_000_000;
export const DEVICE_BATCH_CHUNK = 100;

/** The installation's own log: lines of a page, bytes of its files that one page looks at, and those of a download. */
export const SYSTEM_LOG_LIMITS = {
  page: 200,
  pageBytes: 8 * 1024 * 1024,
  downloadLines: 100_000,
  downloadBytes: 48 * 1024 * 1024,
} as const;

export const PLAYBACK_WINDOW_S = 600;
/** Of one export. */
export const EXPORT_LIMITS = { items: 16, rangeMs: 24 * 3_600_000 } as const;
/** Of one CSV file with devices: rows, and characters. */
export const IMPORT_LIMITS = { rows: 2000, csvLength: 800_000 } as const;
/** Registration code of a device: characters, validity, wrong attempts per code, and per account and hour. */
export const REGISTRATION_CODE = { length: 25, validMs: 10 * 60_000, tries: 5, wrongPerAccount: 20 } as const;
/** Device name: longest, and length of the suffix that distinguishes devices with the same reported serial. */
export const DEVICE_SERIAL = { longest: 20, suffix: 6 } as const;
/** How often within the window an owner may learn, by the suffix of a new device, that another owner has the same serial. */
export const DUPLICATE_SERIALS = { reports: 20, windowMs: 3_600_000 } as const;
/** Transfer offers: how long one can be accepted, and how many may be open to one account. */
export const DEVICE_TRANSFER = { validMs: 7 * 24 * 3_600_000, perReceiver: 500 } as const;
/**
 * Of one floor plan: base64 characters of the picture, pixels of its longer side and of all of it, cameras, and degrees that one of them sees.
 * A picture comes inside a call, which has a megabyte.
 */
export const FLOOR_PLAN_LIMITS = {
  pictureLength: 900_000,
  side: 8192,
  pixels: 32_000_000,
  cameras: 500,
  viewAngle: { least: 5, usual: 90, most: 360 },
} as const;
/** Of recorder groups: how many, sites of one, and cameras that one site may record. */
export const RECORDER_GROUP_LIMITS = { groups: 100, members: 50, cameras: 10_000 } as const;
/** Of one site, its first one included. */
export const DISKS_MAX = 16;
/** Of uploaded files: bytes of one, files of one batch (LM-09). */
export const UPLOAD_LIMITS = { bytes: 128 * 1024 * 1024, batch: 6 } as const;
/** Of client versions: how many, bytes of a package and of one uploaded part, and characters of texts and addresses. */
export const CLIENT_VERSION_LIMITS = {
  versions: 1000,
  packageBytes: 2 * 1024 * 1024 * 1024,
  partBytes: 8 * 1024 * 1024,
  contentLength: 4000,
  urlLength: 2048,
} as const;
/** Of statistics: the longest range (ten years and their leap days), and rows of one breakdown. */
export const STATISTIC_LIMITS = { rangeMs: 3653 * 24 * 3_600_000, rows: 100 } as const;
/** Of consumption: highest price of a meter, and rows of one summary. */
export const COST_LIMITS = { price: 1_000_000, rows: 1000 } as const;
/** Of apps: how many an account has, its redirect addresses and their characters, characters of a logo, devices of a grant, hours of two secrets. */
export const APP_LIMITS = {
  apps: 50,
  redirectUris: 10,
  embedOrigins: 10,
  uriLength: 2048,
  logoLength: 48_000,
  grantItems: 200,
  overlapHours: 720,
} as const;
/** Of a picture that a program sends with an event: bytes, and pixels of a side; and pictures of one account: how many at once, and a minute after that. */
export const EVENT_PICTURE = { bytes: 700_000, sidePx: 8192, atOnce: 60, perMinute: 12 } as const;
export const SPLIT_WINDOW_DEFAULT = 4;
/** Windows of the live wall: even grids, and one large with five or seven small ones (6 and 8). */
export const WALL_SPLITS = [1, 4, 6, 8, 9, 16, 25, 36, 64] as const;
export type WallSplit = (typeof WALL_SPLITS)[number];
export const WALL_WINDOWS_MAX = 64;
/** Seconds of one recording by hand. */
export const MANUAL_RECORDING_S = { least: 10, usual: 300, most: 3600 } as const;
/** Seconds that an alarm rule shows a camera on a wall. */
export const ALARM_WINDOW_S = { least: 5, usual: 30, most: 600 } as const;
/** Seconds that a page of a tour stays. */
export const TOUR_DWELL_S = { least: 5, usual: 15, most: 300 } as const;
export const ALL_DAY = { start: '00:00', end: '24:00', startFull: '00:00:00', endFull: '23:59:59' } as const;
export const WEEK_DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
/** The plan's holiday row, after the seven week days. */
export const HOLIDAY_ROW = 8;
/** Default `threshold` of detection settings. */
export const DETECTION_THRESHOLD = 10;
/** Of tasks of edge intelligence; heights are shares of the picture's. */
export const ANALYSIS_LIMITS = {
  regions: 16,
  points: 32,
  threshold: { least: 1, most: 100 },
  dwellS: { least: 1, usual: 10, most: 3600 },
  density: { usual: [3, 6, 10], most: 500 },
  height: { least: 0.02, most: 1 },
} as const;
/** A task run over recordings: longest range, events in all and in one answer, and base64 characters of a picture (15 KB). */
export const REPLAY_LIMITS = { rangeMs: 6 * 3_600_000, events: 200, page: 10, pictureChars: 20_000 } as const;
/** Pictures of sightings of one device that are stored: of a busy street, and of hours in which the server was away. */
export const SIGHTING_PICTURE = { perMinute: 120, atOnce: 5000 } as const;
/** One search for sightings: what it may name, and what a page of the answer has. */
export const SIGHTING_SEARCH = { devices: 500, pageSize: 100, usualPageSize: 48 } as const;
/** `parts`: of the time asked for, no two of which tell ranges apart; `paths`: objects in one answer. */
export const SIGHTING_TIMELINE = { channels: 16, parts: 2000, paths: 200 } as const;
export const UPLOAD_HEADER_LIMIT = 6;
export const TIME_PLAN_SEGMENTS_PER_DAY = 8;
/** Per channel; `lockS` is the longest range of one lock. */
export const RECORD_LIMITS = {
  preRollS: 30,
  retentionDays: 3650,
  quotaBytesMin: 100_000_000,
  holidays: 366,
  locks: 500,
  lockS: 7 * 24 * 3600,
  /** Recordings that all locks of one account on devices of others keep. */
  sharedLockS: 24 * 3600,
  /** Tolerated lead of a browser's clock before a lock counts as in the future. */
  lockAheadMs: 5000,
  bookmarks: 1000,
  /** Channels that one list of gaps asks for. */
  gapChannels: 1000,
} as const;
/** Cameras whose latest snapshots the overview shows. */
export const HOME_CAMERAS = 6;
/** Of alarms: ids of one acknowledgement, devices of one filter, rows of a page, comments of one alarm, days, topics mapped by hand. */
export const ALARM_LIMITS = {
  batch: 500,
  devices: 100,
  pageSize: 200,
  comments: 50,
  retentionDays: 3650,
  usualRetentionDays: 90,
  topics: 500,
} as const;
/** Per alarm rule; `channels` per action, `snoozed` per account. */
export const ALARM_RULE_LIMITS = {
  actions: 10,
  channels: 50,
  pauseS: 86_400,
  settingLength: 2048,
  snoozed: 100,
} as const;
/**
 * Messages per hour: to one target, of one account, of the installation; the same number may be sent in a burst, then
 * they refill evenly. `mail` counts addresses, `person` chats and browsers, `program` webhooks and brokers, `test`
 * test messages, `notice` security notices to accounts, `consent` requests for consent. An alarm message over the
 * limit waits this long.
 */
export const SEND_LIMITS = {
  mail: { target: 60, account: 300, installation: 3000 },
  person: { target: 120, account: 600, installation: 10_000 },
  program: { target: 3600, account: 7200, installation: 50_000 },
  test: { target: 5, account: 20, installation: 500 },
  notice: { target: 20, account: 100, installation: 3000 },
  consent: { target: 3, account: 20, installation: 300 },
  heldMs: 3_600_000,
} as const;
/**
 * Consent requests to an address: validity of the link, and the waits after the first, the second and each further
 * unanswered one, for the whole installation. `keptMs`: forgotten so long after the last one.
 */
export const MAIL_CONSENT = {
  lifeMs: 7 * 24 * 3_600_000,
  againMs: [24 * 3_600_000, 7 * 24 * 3_600_000, 30 * 24 * 3_600_000],
  keptMs: 90 * 24 * 3_600_000,
} as const;
/** Of one file of alarms: rows; pending ones of one account. */
export const ALARM_EXPORT_LIMITS = { rows: 50_000, pending: 3 } as const;
/** Of one role: its places. */
export const ROLE_LIMITS = { resources: 1000 } as const;
/** Hits of one kind that a search counts; more may exist. */
export const SEARCH_COUNT_MAX = 1000;
/** Of the audit log: lines of a page, lines of one file. */
export const AUDIT_LIMITS = { page: 50, exported: 50_000 } as const;
/** Characters of a link's password. A clip is one playback window. */
export const SHARE_LIMITS = { passwordLength: 64 } as const;
export const THEME_DIALOG_WIDTH_PX = 622;
export const PLAN_DIALOG_WIDTH_PX = 682;

export const TREE = {
  indentPx: 18,
  itemHeightPx: 28,
  /** Pixels beyond the view in which rows are drawn: `buffer` stands between sizes in pixels. */
  bufferPx: 60,
  /** Rows of a list that is not measured yet. */
  prerender: 40,
  /** Of a row in a column of the usual width, and the least, below which the list scrolls sideways. */
  nodeWidthPx: 238,
  minNodeWidthPx: 192,
  bottomDistancePx: 20,
  titleLength: 15,
  lazyFirst: 100,
  lazyNext: 20,
  lazyScrollPx: 500,
} as const;

/** A session ends after this time without use. */
export const SESSION_IDLE_MS = 30 * 24 * 3600 * 1000;
/** Maximum age of a session in days, set by the operator. */
export const SESSION_DAYS = { least: 1, usual: 90, most: 365 } as const;
/** Keys by which shells sign an account in: how many, and how long a challenge and a ticket can be used. */
export const SIGN_IN_KEY = { perAccount: 10, pendingMs: 60_000 } as const;
/** Identity providers: how many, how long a sign-in by one may take and a native client to take it over, and how long it may keep a call waiting; lengths of texts; begins by address. */
export const IDENTITY_LIMITS = {
  providers: 20,
  mappings: 200,
  flowMs: 10 * 60_000,
  ticketMs: 60_000,
  answerMs: 9000,
  issuerLength: 512,
  scopesLength: 256,
  claimLength: 256,
  secretLength: 1024,
  answerLength: 8192,
  begins: { most: 300, windowMs: 10 * 60_000 },
} as const;
/**
 * Directories (LDAP): lengths of settings, hosts of one, how long all its answers to one sign-in may take and how long one host of several,
 * how many bytes it may send, how many sign-ins ask at a time; groups of one user, levels of groups within groups, and groups that are
 * asked about at a time; how often it is asked whether its users are still there.
 */
export const DIRECTORY_LIMITS = {
  hosts: 4,
  hostLength: 255,
  authorityLength: 32_768,
  nameLength: 512,
  filterLength: 1024,
  attributeLength: 64,
  answerMs: 7000,
  hostMs: 3000,
  answerBytes: 1024 * 1024,
  signIns: 8,
  groups: 1000,
  groupDepth: 10,
  groupQuestions: 16,
  recheckMs: 15 * 60_000,
} as const;
/** How long a step-up stays valid. */
export const STEP_UP_MS = 5 * 60_000;
/** Resets by the operator: validity of the link, how long video stays closed, and the wait between resetting password and two-factor. */
export const RESET_MS = { link: 24 * 3_600_000, videoClosed: 24 * 3_600_000, apart: 24 * 3_600_000 } as const;
/** A media ticket must be used first within this span; an opened one ends after the same idle time. */
export const TICKET_FIRST_USE_MS = 60_000;
export const TICKET_IDLE_MS = 60_000;

/** Of verification codes: digits are six; `perDay` and `everyS` are of sending to one target. */
export const CODE_LIMITS = { tries: 5, lifeMs: 600_000, everyS: 60, perDay: 10 } as const;
/** Recovery codes given with a second factor. */
export const RECOVERY_CODES = 10;
/** Failures before a captcha is required: per account, per address. */
export const CAPTCHA_AFTER = { account: 3, address: 30 } as const;
/** Life of an invitation in days. */
export const INVITATION_DAYS = { usual: 7, most: 30 } as const;

/** Of CDN live: providers of an installation, and pushes at a time. */
export const CDN_LIMITS = {
  providers: 20,
  pushes: 100,
  addressLength: 512,
  keyLength: 128,
  validMinutes: 10_080,
  codeLength: 16,
  packageMinutes: 5_256_000,
} as const;

/** Of cloud storage: object stores of an installation, and what names them. */
export const CLOUD_LIMITS = { stores: 50, days: 3650, prefixLength: 128, keyLength: 128, endpointLength: 256 } as const;
/** Of the backups that are taken by themselves: hours between two, and how many stay. */
export const BACKUP_LIMITS = { hours: 9999, keep: 10_000, folderLength: 1024, usualHours: 24, usualKeep: 7 } as const;
/** Of trials: how long one runs, and how much more one may give. */
export const TRIAL_LIMITS = { days: 90, amount: 10_000, usualDays: 30 } as const;
