// The topics a virtual device knows: those of ONVIF with the items cameras send, and one of our own for every alarm type.

import { TOPIC_RULES, VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';

export interface EventTopic {
  /** With prefixes of `topicNamespaces`. */
  readonly topic: string;
  /** False: something that happens and has no end. */
  readonly isProperty: boolean;
  /** Item that names the channel; null for topics of the device itself. */
  readonly channelItem: 'VideoSourceConfigurationToken' | 'Source' | null;
  /** Item that names the source besides. */
  readonly keyItem: string | null;
  /** Item that holds the state. */
  readonly stateItem: string;
}

const picture = (topic: string, stateItem = 'State'): EventTopic => ({
  topic: `tns1:VideoSource/${topic}`,
  isProperty: true,
  channelItem: 'Source',
  keyItem: null,
  stateItem,
});

const rule = (topic: string, stateItem: string, isProperty = true): EventTopic => ({
  topic: `tns1:RuleEngine/${topic}`,
  isProperty,
  channelItem: 'VideoSourceConfigurationToken',
  keyItem: 'Rule',
  stateItem,
});

const box = (topic: string, keyItem: string | null, stateItem: string, isProperty = true): EventTopic => ({
  topic: topic.startsWith('tns1:') ? topic : `tns1:Device/${topic}`,
  isProperty,
  channelItem: null,
  keyItem,
  stateItem,
});

export const MOTION = rule('CellMotionDetector/Motion', 'IsMotion');
export const LINE_CROSSED = rule('LineDetector/Crossed', 'ObjectId', false);
export const OBJECTS_INSIDE = rule('FieldDetector/ObjectsInside', 'IsInside');
export const REGION_MOTION = rule('MotionRegionDetector/Motion', 'State');
export const OBJECT_SEEN = rule('ObjectDetection/Object', 'ClassTypes');

const standard: readonly EventTopic[] = [
  MOTION,
  LINE_CROSSED,
  OBJECTS_INSIDE,
  REGION_MOTION,
  rule('TamperDetector/Tamper', 'State'),
  rule('LoiteringDetector/ObjectIsLoitering', 'State'),
  OBJECT_SEEN,
  rule('ObjectAbandoned', 'ObjectId', false),
  rule('ObjectRemoved', 'ObjectId', false),
  rule('CountAggregation/Counter', 'Count'),
  rule('CountAggregation/OccupancyCounter', 'Count'),
  rule('Recognition/Face', 'Likelihood', false),
  rule('Recognition/LicensePlate', 'PlateNumber', false),
  rule('Radiometry/TemperatureAlarm', 'State'),
  rule('MyRuleDetector/PeopleDetect', 'State'),
  rule('MyRuleDetector/VehicleDetect', 'State'),
  rule('MyRuleDetector/DogCatDetect', 'State'),
  rule('MyRuleDetector/FaceDetect', 'State'),
  rule('MyRuleDetector/BabyCryingDetect', 'State'),
  rule('MyRuleDetector/Visitor', 'State'),
  picture('MotionAlarm'),
  picture('SignalLoss'),
  picture('GlobalSceneChange/ImagingService'),
  picture('ImageTooDark/ImagingService'),
  picture('ImageTooBright/ImagingService'),
  picture('ImageTooBlurry/ImagingService'),
  picture('ImpairedVisibility'),
  picture('RadiometryAlarm'),
  { ...picture('x'), topic: 'tns1:AudioAnalytics/Audio/DetectedSound', stateItem: 'isSoundDetected' },
  {
    ...picture('x'),
    topic: 'tns1:AudioSource/tnsaxis:TriggerLevel',
    channelItem: null,
    keyItem: 'channel',
    stateItem: 'triggered',
  },
  box('Trigger/DigitalInput', 'InputToken', 'LogicalState'),
  box('Trigger/Relay', 'RelayToken', 'LogicalState'),
  box('HardwareFailure/StorageFailure', 'Token', 'Failed'),
  box('HardwareFailure/FanFailure', 'Token', 'Failed'),
  box('HardwareFailure/PowerSupplyFailure', 'Token', 'Failed'),
  box('HardwareFailure/TemperatureCritical', 'Token', 'Critical'),
  box('SecurityPolicy/AuthFailed', null, 'UserName', false),
  box('tns1:Monitoring/LinkStatus', 'Token', 'Link'),
  box('tns1:Monitoring/ProcessorUsage', 'Token', 'Value'),
  box('tns1:Monitoring/BatteryCapacity', 'Token', 'Value'),
  box('tns1:Monitoring/OperatingTime/LastReboot', null, 'Status'),
  box('tns1:RecordingConfig/JobState', 'RecordingJobToken', 'State'),
  box('tns1:Door/State/DoorPhysicalState', 'DoorToken', 'State'),
  box('tns1:Door/State/DoorAlarm', 'DoorToken', 'State'),
  box('tns1:Door/State/DoorTamper', 'DoorToken', 'State'),
  box('tns1:Door/State/DoorFault', 'DoorToken', 'State'),
  box('tns1:AccessControl/Denied/Credential', 'AccessPointToken', 'Reason', false),
  box('tns1:AccessControl/Duress', 'AccessPointToken', 'Reason', false),
];

const ours: readonly EventTopic[] = TOPIC_RULES.filter(({ topic }) => topic.startsWith(`${VIRTUAL_ALARM_TOPIC}/`)).map(
  ({ topic }) => ({ topic, isProperty: true, channelItem: 'Source', keyItem: null, stateItem: 'State' }),
);

export const eventTopics: readonly EventTopic[] = [...standard, ...ours];

/** A topic that is not in the list is a property of the device with the usual items: vendors have topics nobody knows. */
export function eventTopic(topic: string): EventTopic {
  const known = eventTopics.find((one) => one.topic === topic);
  return known ?? { topic, isProperty: true, channelItem: 'Source', keyItem: null, stateItem: 'State' };
}
