// All alarm types (EN-06): group, severity, and whether each has a `Cleared` pair; phrases hold one text per type and language.

/** Category of an alarm, with one icon and one filter each. */
export const ALARM_GROUPS = [
  'motion',
  'picture',
  'person',
  'behaviour',
  'vehicle',
  'face',
  'sound',
  'fire',
  'input',
  'access',
  'storage',
  'device',
  'network',
  'security',
  'other',
] as const;
export type AlarmGroup = (typeof ALARM_GROUPS)[number];

/** In ascending severity; the index is the stored number. */
export const ALARM_SEVERITIES = ['info', 'minor', 'major', 'critical'] as const;
export type AlarmSeverity = (typeof ALARM_SEVERITIES)[number];

export interface AlarmTypeRow {
  readonly group: AlarmGroup;
  readonly severity: AlarmSeverity;
  /** True: lasts until its `Cleared` type, or `Online` for `Offline`. False: happens at one instant. */
  readonly hasCleared: boolean;
}

type Row<G extends AlarmGroup, S extends AlarmSeverity, C extends boolean> = {
  readonly group: G;
  readonly severity: S;
  readonly hasCleared: C;
};

function lasting<G extends AlarmGroup, S extends AlarmSeverity>(group: G, severity: S): Row<G, S, true> {
  return { group, severity, hasCleared: true };
}

function instant<G extends AlarmGroup, S extends AlarmSeverity>(group: G, severity: S): Row<G, S, false> {
  return { group, severity, hasCleared: false };
}

/** Types that raise an alarm. */
export const RAISED_ALARM_TYPES = {
  MotionAlarm: lasting('motion', 'minor'),
  MotionRegionAlarm: lasting('motion', 'minor'),
  SmartMotionAlarm: lasting('motion', 'minor'),
  VideoLossAlarm: lasting('picture', 'major'),
  ShieldAlarm: lasting('picture', 'major'),
  TamperAlarm: lasting('picture', 'major'),
  SceneChange: lasting('picture', 'major'),
  ImageTooDark: lasting('picture', 'minor'),
  ImageTooBright: lasting('picture', 'minor'),
  ImageTooBlurry: lasting('picture', 'minor'),
  PictureAbnormal: lasting('picture', 'minor'),
  ColorCast: lasting('picture', 'minor'),
  PictureFrozen: lasting('picture', 'major'),
  PictureNoise: lasting('picture', 'minor'),
  HumanShapeDetect: lasting('person', 'minor'),
  PeoplePresent: lasting('person', 'minor'),
  PeopleAbsent: lasting('person', 'major'),
  SleepOnDuty: lasting('person', 'major'),
  PeopleCount: instant('person', 'info'),
  PeopleOverLimit: lasting('person', 'major'),
  QueueTooLong: lasting('person', 'minor'),
  CrowdDensityLow: lasting('person', 'info'),
  CrowdDensityMiddle: lasting('person', 'minor'),
  CrowdDensityHigh: lasting('person', 'major'),
  CrowdGathering: lasting('person', 'major'),
  FallDetect: lasting('person', 'critical'),
  FightDetect: lasting('person', 'critical'),
  RunningDetect: lasting('person', 'minor'),
  ClimbingDetect: lasting('person', 'major'),
  PhoneUseDetect: lasting('person', 'minor'),
  SmokingDetect: lasting('person', 'minor'),
  NoHelmet: lasting('person', 'major'),
  NoSafetyVest: lasting('person', 'minor'),
  NoMask: lasting('person', 'minor'),
  LineDetectorCrossed: lasting('behaviour', 'major'),
  IntrusionAlarm: lasting('behaviour', 'major'),
  RegionEntrance: lasting('behaviour', 'minor'),
  RegionExiting: lasting('behaviour', 'minor'),
  LoiteringAlarm: lasting('behaviour', 'major'),
  ObjectLeft: lasting('behaviour', 'major'),
  ObjectRemoved: lasting('behaviour', 'major'),
  ParkingDetect: lasting('behaviour', 'minor'),
  WrongDirection: lasting('behaviour', 'major'),
  FastMoving: lasting('behaviour', 'minor'),
  ObjectTracked: lasting('behaviour', 'info'),
  VehicleDetect: lasting('vehicle', 'minor'),
  NonMotorDetect: lasting('vehicle', 'minor'),
  LicensePlateRecognition: instant('vehicle', 'info'),
  LicensePlateMatchlist: instant('vehicle', 'major'),
  LicensePlateStranger: instant('vehicle', 'minor'),
  TrafficJam: lasting('vehicle', 'minor'),
  ElectricBikeInLift: lasting('vehicle', 'major'),
  EscapeRouteBlocked: lasting('vehicle', 'major'),
  PetDetect: lasting('vehicle', 'info'),
  PackageDetect: lasting('vehicle', 'info'),
  FaceDetect: lasting('face', 'info'),
  FaceRecognitionMatchlist: instant('face', 'major'),
  FaceRecognitionStranger: instant('face', 'minor'),
  FaceRecognitionVip: instant('face', 'info'),
  FaceRecognitionBlocklist: instant('face', 'critical'),
  FaceTemperatureAbnormal: instant('face', 'major'),
  AudioAnomaly: lasting('sound', 'minor'),
  AudioLoss: lasting('sound', 'minor'),
  SoundLevelHigh: lasting('sound', 'minor'),
  CryDetection: lasting('sound', 'minor'),
  ScreamDetect: lasting('sound', 'major'),
  GlassBreak: lasting('sound', 'major'),
  GunshotDetect: lasting('sound', 'critical'),
  DogBark: lasting('sound', 'info'),
  FireAlarm: lasting('fire', 'critical'),
  SmokeAlarm: lasting('fire', 'critical'),
  TemperatureAlarm: lasting('fire', 'major'),
  TemperatureDifference: lasting('fire', 'minor'),
  GasAlarm: lasting('fire', 'critical'),
  WaterLeak: lasting('fire', 'major'),
  HumidityAlarm: lasting('fire', 'minor'),
  InputAlarm: lasting('input', 'major'),
  OutputAlarm: lasting('input', 'info'),
  EmergencyCall: lasting('input', 'critical'),
  PirAlarm: lasting('input', 'minor'),
  VibrationAlarm: lasting('input', 'major'),
  BeamBroken: lasting('input', 'major'),
  RadarAlarm: lasting('input', 'major'),
  DoorOpenAlarm: lasting('access', 'major'),
  DoorForced: lasting('access', 'critical'),
  DoorHeldOpen: lasting('access', 'major'),
  DoorFault: lasting('access', 'major'),
  DoorTamper: lasting('access', 'critical'),
  DoorUnlocked: lasting('access', 'info'),
  AccessGranted: instant('access', 'info'),
  AccessDenied: instant('access', 'minor'),
  AccessDuress: instant('access', 'critical'),
  VisitorCall: instant('access', 'info'),
  CardReaderTamper: lasting('access', 'major'),
  SDCardRemoved: lasting('storage', 'major'),
  SDCardFull: lasting('storage', 'minor'),
  SDCardAbnormal: lasting('storage', 'major'),
  SDCardUnformatted: lasting('storage', 'minor'),
  SDCardWearOut: lasting('storage', 'minor'),
  StorageAbnormal: lasting('storage', 'major'),
  DiskFull: lasting('storage', 'minor'),
  DiskError: lasting('storage', 'critical'),
  DiskRemoved: lasting('storage', 'major'),
  DiskUnformatted: lasting('storage', 'minor'),
  DiskSmartWarning: lasting('storage', 'major'),
  DiskTemperatureHigh: lasting('storage', 'minor'),
  DiskReadOnly: lasting('storage', 'major'),
  NoDisk: lasting('storage', 'major'),
  RaidDegraded: lasting('storage', 'major'),
  RaidFailed: lasting('storage', 'critical'),
  RaidRebuilding: lasting('storage', 'info'),
  RaidHotSpareMissing: lasting('storage', 'minor'),
  RecordingFailed: lasting('storage', 'major'),
  RecordingStopped: lasting('storage', 'minor'),
  RecordingLost: instant('storage', 'critical'),
  Online: instant('device', 'info'),
  Offline: instant('device', 'major'),
  ChannelOffline: lasting('device', 'major'),
  SiteTakenOver: lasting('device', 'major'),
  DeviceReboot: instant('device', 'minor'),
  FirmwareUpgraded: instant('device', 'info'),
  ConfigurationChanged: instant('device', 'info'),
  DeviceTamper: lasting('device', 'critical'),
  FanFailure: lasting('device', 'major'),
  PowerFailure: lasting('device', 'critical'),
  PowerVoltageAbnormal: lasting('device', 'major'),
  BatteryLow: lasting('device', 'major'),
  DeviceOverheat: lasting('device', 'major'),
  DeviceTooCold: lasting('device', 'minor'),
  ProcessorOverload: lasting('device', 'minor'),
  MemoryLow: lasting('device', 'minor'),
  ClockWrong: lasting('device', 'minor'),
  LensHeaterFailure: lasting('device', 'minor'),
  PtzFault: lasting('device', 'minor'),
  LampFailure: lasting('device', 'minor'),
  NetworkDisconnected: lasting('network', 'major'),
  IpConflict: lasting('network', 'major'),
  MacConflict: lasting('network', 'major'),
  BandwidthExceeded: lasting('network', 'minor'),
  NetworkAbnormal: lasting('network', 'minor'),
  PoeOverload: lasting('network', 'major'),
  IllegalLogin: instant('security', 'major'),
  AccountLocked: instant('security', 'major'),
  CertificateExpired: lasting('security', 'minor'),
  WeakPassword: lasting('security', 'minor'),
  AttackDetected: instant('security', 'critical'),
  SignalTampered: lasting('security', 'critical'),
  ArmingChanged: instant('security', 'info'),
  ManualAlarm: instant('other', 'major'),
  SystemAlarm: lasting('other', 'minor'),
  Unknown: lasting('other', 'info'),
} as const satisfies Record<string, AlarmTypeRow>;

type Rows = typeof RAISED_ALARM_TYPES;
export type RaisedAlarmType = keyof Rows;
type LastingAlarmType = { [T in RaisedAlarmType]: Rows[T]['hasCleared'] extends true ? T : never }[RaisedAlarmType];
export type ClearedAlarmType = `${LastingAlarmType}Cleared`;
export type AlarmType = RaisedAlarmType | ClearedAlarmType;

export const RAISED_ALARM_TYPE_NAMES = Object.keys(RAISED_ALARM_TYPES) as [RaisedAlarmType, ...RaisedAlarmType[]];

/** The type that ends an alarm of this type; null where it has no end of its own. */
export function clearedBy(type: RaisedAlarmType): AlarmType | null {
  if (type === 'Offline') return 'Online';
  return RAISED_ALARM_TYPES[type].hasCleared ? (`${type}Cleared` as ClearedAlarmType) : null;
}

export function isRaisedAlarmType(name: string): name is RaisedAlarmType {
  return Object.hasOwn(RAISED_ALARM_TYPES, name);
}

/** Seconds after which an alarm without an end of its own is over; each repeat restarts them. */
export const ALARM_HOLD_S = 10;

/** Why an alarm ended. */
export const ALARM_END_REASONS = ['cleared', 'held', 'offline'] as const;
export type AlarmEndReason = (typeof ALARM_END_REASONS)[number];
