// Maps event topics of devices to alarm types as data; an installation may override each topic.
import { RAISED_ALARM_TYPE_NAMES, type RaisedAlarmType } from './alarm-types.ts';

export interface TopicRule {
  /**
   * As in `DeviceEvent.topic`; a `*` at its end stands for any rest. Vendors put the same path into namespaces of their own
   * and write it in capitals or not: where a topic is not listed as it is, its path alone decides.
   */
  readonly topic: string;
  /** Null: a known topic that raises no alarm. */
  readonly type: RaisedAlarmType | null;
  /** Matches only if the item has one of these values (case ignored), or a number of at least `atLeast`. */
  readonly when?: { readonly item: string; readonly words?: readonly string[]; readonly atLeast?: number };
  /** Holds beside others of its kind: each class that an event names raises an alarm of its own. */
  readonly isOneOfMany?: true;
  /** Raised while the item has one of these words, over while it has another: for states that are not plainly true or false. */
  readonly raisedBy?: { readonly item: string; readonly words: readonly string[] };
}

/** Virtual devices have one topic per type below this one; so every type can come from a device. */
export const VIRTUAL_ALARM_TOPIC = 'tnsvdt:Alarm';

const FALSE = ['false', '0', 'inactive', 'off'];

function same(type: RaisedAlarmType | null, topics: readonly string[]): TopicRule[] {
  return topics.map((topic) => ({ topic, type }));
}

const VIDEO_SIGNAL: readonly TopicRule[] = [
  ...same('MotionAlarm', [
    'tns1:VideoSource/MotionAlarm',
    'tns1:RuleEngine/CellMotionDetector/Motion',
    'tns1:RuleEngine/MotionRegionDetector/Motion',
    'tnsaxis:CameraApplicationPlatform/VMD/*',
    'tns1:VideoAnalytics/tnsaxis:MotionDetection',
    'tns1:RuleEngine/tnsaxis:VMD3/*',
    'tnsaxis:CameraApplicationPlatform/MotionGuard/*',
    'tns1:RuleEngine/MotionDetector/Detection',
  ]),
  ...same('VideoLossAlarm', ['tns1:VideoSource/SignalLoss', 'tns1:VideoSource/ConnectionFailed']),
  ...same('ShieldAlarm', [
    'tns1:RuleEngine/TamperDetector/Tamper',
    'tns1:RuleEngine/CellMotionDetector/Tamper',
    'tns1:VideoSource/ImpairedVisibility',
    'tns1:VideoSource/tnsaxis:Tampering',
  ]),
  ...same('SceneChange', ['tns1:VideoSource/GlobalSceneChange/*']),
  ...same('ImageTooDark', ['tns1:VideoSource/ImageTooDark/*', 'tns1:VideoSource/ImageTooDark']),
  ...same('ImageTooBright', ['tns1:VideoSource/ImageTooBright/*', 'tns1:VideoSource/ImageTooBright']),
  ...same('ImageTooBlurry', ['tns1:VideoSource/ImageTooBlurry/*', 'tns1:VideoSource/ImageTooBlurry']),
];

const OBJECT_CLASSES = 'tns1:RuleEngine/ObjectDetection/Object';
const SMART_EVENTS = [
  'tns1:RuleEngine/TPSmartEventDetector/TPSmartEvent',
  'tns1:RuleEngine/CellMotionDetector/TpSmartEvent',
];
/** Says an area was entered or a line crossed, and with newer firmware by what. */
const OBJECT_ANALYTICS = 'tnsaxis:CameraApplicationPlatform/ObjectAnalytics/*';
const RECOGNISED_FACE = 'tns1:RuleEngine/Recognition/Face';
const RECOGNISED_PLATE = 'tns1:RuleEngine/Recognition/LicensePlate';

const OBJECTS: readonly TopicRule[] = [
  ...[OBJECT_CLASSES, OBJECT_ANALYTICS].flatMap(classes),
  ...SMART_EVENTS.flatMap(smartEvent),
  ...same('HumanShapeDetect', [
    'tns1:RuleEngine/MyRuleDetector/PeopleDetect',
    'tns1:RuleEngine/PeopleDetector/People',
    'tns1:RuleEngine/CellMotionDetector/People',
    'tns1:UserAlarm/IVA/HumanShapeDetect',
  ]),
  ...same('VehicleDetect', ['tns1:RuleEngine/MyRuleDetector/VehicleDetect']),
  ...same('PetDetect', ['tns1:RuleEngine/MyRuleDetector/DogCatDetect']),
  ...same('PackageDetect', ['tns1:RuleEngine/MyRuleDetector/PackageDetect', 'tns1:RuleEngine/MyRuleDetector/Package']),
  ...same('FaceDetect', ['tns1:RuleEngine/MyRuleDetector/FaceDetect', 'tns1:RuleEngine/FaceDetector/*']),
  ...same('VisitorCall', ['tns1:RuleEngine/MyRuleDetector/Visitor']),
  { topic: RECOGNISED_FACE, type: 'FaceRecognitionStranger', when: { item: 'ListType', words: ['Stranger', 'None'] } },
  { topic: RECOGNISED_FACE, type: 'FaceRecognitionBlocklist', when: { item: 'ListType', words: ['Black', 'Block'] } },
  { topic: RECOGNISED_FACE, type: 'FaceRecognitionMatchlist' },
  {
    topic: RECOGNISED_PLATE,
    type: 'LicensePlateMatchlist',
    when: { item: 'ListType', words: ['Black', 'Block', 'Match'] },
  },
  { topic: RECOGNISED_PLATE, type: 'LicensePlateRecognition' },
  ...same('LineDetectorCrossed', [
    'tns1:RuleEngine/LineDetector/Crossed',
    'tns1:RuleEngine/LineDetector/Crossing',
    'tnsaxis:CameraApplicationPlatform/FenceGuard/*',
    'tns1:RuleEngine/CellMotionDetector/LineCross',
    'tns1:RuleEngine/LineCrossDetector/LineCross',
  ]),
  ...same('IntrusionAlarm', [
    'tns1:RuleEngine/FieldDetector/ObjectsInside',
    'tns1:RuleEngine/CellMotionDetector/Intrusion',
    'tns1:RuleEngine/IntrusionDetector/Intrusion',
    OBJECT_ANALYTICS,
  ]),
  ...same('LoiteringAlarm', [
    'tns1:RuleEngine/LoiteringDetector/ObjectIsLoitering',
    'tns1:RuleEngine/LoiteringDetector/*',
    'tnsaxis:CameraApplicationPlatform/LoiteringGuard/*',
  ]),
  ...same('ObjectLeft', ['tns1:RuleEngine/ObjectAbandoned', 'tns1:RuleEngine/AbandonedObjectDetector/*']),
  ...same('ObjectRemoved', ['tns1:RuleEngine/ObjectRemoved', 'tns1:RuleEngine/RemovedObjectDetector/*']),
  ...same('PeopleCount', ['tns1:RuleEngine/CountAggregation/Counter']),
  ...occupancy('tns1:RuleEngine/CountAggregation/OccupancyCounter'),
];

function classes(topic: string): TopicRule[] {
  const named = (type: RaisedAlarmType, ...words: string[]): TopicRule => {
    return { topic, type, when: { item: 'ClassTypes', words }, isOneOfMany: true };
  };
  return [
    named('HumanShapeDetect', 'Human', 'Person'),
    named('FaceDetect', 'Face'),
    named('VehicleDetect', 'Vehicle', 'Vehical', 'Car', 'Truck', 'Bus'),
    named('NonMotorDetect', 'Bike', 'Bicycle'),
    named('PetDetect', 'Animal', 'Dog', 'Cat'),
  ];
}

function smartEvent(topic: string): TopicRule[] {
  const named = (type: RaisedAlarmType, item: string): TopicRule => {
    return { topic, type, when: { item, words: ['true', '1'] }, isOneOfMany: true };
  };
  return [named('VehicleDetect', 'IsVehicle'), named('PetDetect', 'IsPet'), named('HumanShapeDetect', 'IsPeople')];
}

/** People at once from which a crowd counts as low, middle and high; fewer are no crowd. */
function occupancy(topic: string): TopicRule[] {
  return [
    { topic, type: 'CrowdDensityHigh', when: { item: 'Count', atLeast: 50 } },
    { topic, type: 'CrowdDensityMiddle', when: { item: 'Count', atLeast: 25 } },
    { topic, type: 'CrowdDensityLow', when: { item: 'Count', atLeast: 10 } },
  ];
}

const AUDIO_AND_FIRE: readonly TopicRule[] = [
  ...same('CryDetection', ['tns1:RuleEngine/MyRuleDetector/BabyCryingDetect']),
  {
    topic: 'tns1:AudioAnalytics/Audio/DetectedSound',
    type: 'GunshotDetect',
    when: { item: 'Class', words: ['gun_shot', 'gunshot'] },
  },
  {
    topic: 'tns1:AudioAnalytics/Audio/DetectedSound',
    type: 'ScreamDetect',
    when: { item: 'Class', words: ['scream', 'screaming'] },
  },
  {
    topic: 'tns1:AudioAnalytics/Audio/DetectedSound',
    type: 'GlassBreak',
    when: { item: 'Class', words: ['glass_break', 'glassbreak'] },
  },
  { topic: 'tns1:AudioAnalytics/Audio/DetectedSound', type: 'AudioAnomaly' },
  {
    topic: 'tns1:RuleEngine/AudioDetector/Class',
    type: 'CryDetection',
    when: { item: 'Class', words: ['cry', 'baby_cry'] },
  },
  { topic: 'tns1:RuleEngine/AudioDetector/Class', type: 'AudioAnomaly' },
  ...same('SoundLevelHigh', ['tns1:AudioSource/tnsaxis:TriggerLevel']),
  ...same('TemperatureAlarm', ['tns1:RuleEngine/Radiometry/TemperatureAlarm', 'tns1:VideoSource/RadiometryAlarm']),
  ...same('FireAlarm', ['tns1:RuleEngine/FireDetector/*', 'tns1:RuleEngine/FlameDetector/*']),
  ...same('SmokeAlarm', ['tns1:RuleEngine/SmokeDetector/*']),
];

const INPUT_AND_ACCESS: readonly TopicRule[] = [
  ...same('InputAlarm', [
    'tns1:Device/Trigger/DigitalInput',
    'tns1:Device/Trigger/tnshik:AlarmIn',
    'tns1:Device/tnsaxis:IO/Port',
    'tns1:Device/IO/VirtualInput',
  ]),
  ...same('OutputAlarm', ['tns1:Device/Trigger/Relay']),
  ...same('PirAlarm', ['tns1:Device/tnsaxis:Sensor/PIR']),
  {
    topic: 'tns1:Door/State/DoorPhysicalState',
    type: 'DoorOpenAlarm',
    raisedBy: { item: 'State', words: ['Open', 'true', '1'] },
  },
  { topic: 'tns1:Door/State/DoorAlarm', type: 'DoorHeldOpen', when: { item: 'State', words: ['DoorOpenTooLong'] } },
  {
    topic: 'tns1:Door/State/DoorAlarm',
    type: 'DoorForced',
    when: { item: 'State', words: ['DoorForcedOpen', 'true', '1'] },
  },
  { topic: 'tns1:Door/State/DoorTamper', type: 'DoorTamper', raisedBy: { item: 'State', words: ['TamperDetected'] } },
  { topic: 'tns1:Door/State/DoorFault', type: 'DoorFault', raisedBy: { item: 'State', words: ['FaultDetected'] } },
  {
    topic: 'tns1:Door/State/LockPhysicalState',
    type: 'DoorUnlocked',
    raisedBy: { item: 'State', words: ['Unlocked'] },
  },
  ...same('AccessGranted', ['tns1:AccessControl/AccessGranted/*']),
  ...same('AccessDenied', ['tns1:AccessControl/Denied/*']),
  ...same('AccessDuress', ['tns1:AccessControl/Duress']),
];

const HARDWARE: readonly TopicRule[] = [
  ...same('StorageAbnormal', ['tns1:Device/HardwareFailure/StorageFailure', 'tns1:Storage/tnsaxis:Alert']),
  ...same('SDCardRemoved', ['tns1:Storage/tnsaxis:Disruption', 'tnsaxis:Storage/Disruption']),
  ...same('FanFailure', ['tns1:Device/HardwareFailure/FanFailure']),
  ...same('PowerFailure', ['tns1:Device/HardwareFailure/PowerSupplyFailure']),
  ...same('DeviceOverheat', [
    'tns1:Device/HardwareFailure/TemperatureCritical',
    'tns1:Device/tnsaxis:Status/Temperature/Above',
  ]),
  ...same('DeviceTamper', ['tns1:Device/tnsaxis:Casing/Open', 'tns1:Device/HardwareFailure/tnsaxis:Casing']),
  { topic: 'tns1:Monitoring/LinkStatus', type: 'NetworkDisconnected', raisedBy: { item: 'Link', words: FALSE } },
  { topic: 'tns1:Device/tnsaxis:Network/Lost', type: 'NetworkDisconnected' },
  { topic: 'tns1:Monitoring/BatteryCapacity', type: null },
  { topic: 'tns1:Monitoring/ProcessorUsage', type: 'ProcessorOverload', when: { item: 'Value', atLeast: 95 } },
  ...same('DeviceReboot', ['tns1:Monitoring/OperatingTime/LastReboot']),
  ...same('IllegalLogin', ['tns1:Device/SecurityPolicy/AuthFailed']),
  ...same('AccountLocked', ['tns1:Device/SecurityPolicy/AccountLocked']),
  ...same('FirmwareUpgraded', ['tns1:Device/OperationMode/FirmwareUpdated']),
  ...same('RecordingFailed', ['tns1:RecordingHistory/Recording/Error']),
];

/** Routine topics that devices send all day; they raise no alarm. */
const NO_ALARM = same(null, [
  'tns1:Monitoring/OperatingTime/*',
  'tns1:RecordingConfig/*',
  'tns1:RecordingHistory/Recording/State',
  'tns1:RecordingHistory/Track/State',
  'tns1:Media/ProfileChanged',
  'tns1:Media/ConfigurationChanged',
  'tns1:Configuration/*',
  'tns1:PTZController/*',
  'tns1:VideoSource/tnsaxis:LiveStreamAccessed',
  'tns1:VideoSource/tnsaxis:DayNightVision',
  'tns1:Device/tnsaxis:Light/*',
  'tns1:UserAlarm/tnsaxis:Recurring/*',
  'tns1:Device/OperationMode/*',
]);

/** The first matching rule decides; exact topics are tried before those with `*`, longer before shorter. */
export const TOPIC_RULES: readonly TopicRule[] = [
  ...VIDEO_SIGNAL,
  ...OBJECTS,
  ...AUDIO_AND_FIRE,
  ...INPUT_AND_ACCESS,
  ...HARDWARE,
  ...NO_ALARM,
  ...RAISED_ALARM_TYPE_NAMES.map((type) => ({ topic: `${VIRTUAL_ALARM_TOPIC}/${type}`, type })),
];
