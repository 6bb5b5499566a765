// Topic table: each rule leads to an existing type; states, pulses, levels and words are interpreted correctly.
import { TOPIC_RULES } from '@vedette/contract/alarm-topics.ts';
import {
  clearedBy,
  isRaisedAlarmType,
  RAISED_ALARM_TYPE_NAMES,
  RAISED_ALARM_TYPES,
} from '@vedette/contract/alarm-types.ts';
import { describe, expect, it, test } from 'vitest';
import { type EventMeaning, TopicTable } from './topic-table.ts';

const table = new TopicTable();
const meaningOf = (topic: string, data: Record<string, string> = {}, phase: 'start' | 'end' | 'pulse' = 'start') =>
  table.meaningOf({ topic, phase, source: {}, data });

test('[EN-06] at least 120 types with the names of the specification, and their pairs', () => {
  expect(RAISED_ALARM_TYPE_NAMES.length).toBeGreaterThanOrEqual(120);
  const named =
    'MotionAlarm VideoLossAlarm Online Offline InputAlarm SDCardRemoved LineDetectorCrossed HumanShapeDetect FaceRecognitionMatchlist IllegalLogin FireAlarm DoorOpenAlarm CryDetection PeoplePresent CrowdDensityLow CrowdDensityMiddle CrowdDensityHigh RaidFailed DiskError';
  for (const name of named.split(' ')) expect(isRaisedAlarmType(name), name).toBe(true);
  expect(clearedBy('MotionAlarm')).toBe('MotionAlarmCleared');
  expect(clearedBy('Offline')).toBe('Online');
  expect(clearedBy('IllegalLogin')).toBeNull();
  for (const name of RAISED_ALARM_TYPE_NAMES) expect(RAISED_ALARM_TYPE_NAMES, name).not.toContain(`${name}Cleared`);
});

test('[EN-06] every rule names an existing type, and every type has a topic at least from virtual devices', () => {
  const types = new Set(TOPIC_RULES.map(({ type }) => type));
  for (const type of types) expect(type === null || isRaisedAlarmType(type), String(type)).toBe(true);
  for (const name of RAISED_ALARM_TYPE_NAMES) expect(types.has(name), name).toBe(true);
  // A rule that nothing can reach is a slip.
  for (const rule of TOPIC_RULES) {
    const first = TOPIC_RULES.find((one) => one.topic === rule.topic && one.when === undefined) ?? rule;
    expect(TOPIC_RULES.indexOf(rule), rule.topic).toBeLessThanOrEqual(TOPIC_RULES.indexOf(first));
  }
});

describe('the meaning of an event', () => {
  const cases: readonly (readonly [
    string,
    Record<string, string>,
    'start' | 'end' | 'pulse',
    Partial<EventMeaning>,
  ])[] = [
    [
      'tns1:RuleEngine/CellMotionDetector/Motion',
      { IsMotion: 'true' },
      'start',
      { raises: ['MotionAlarm'], isPulse: false },
    ],
    ['tns1:RuleEngine/CellMotionDetector/Motion', { IsMotion: 'false' }, 'end', { raises: [], ends: ['MotionAlarm'] }],
    [
      'tns1:RuleEngine/LineDetector/Crossed',
      { ObjectId: '7' },
      'pulse',
      { raises: ['LineDetectorCrossed'], isPulse: true },
    ],
    ['tnsaxis:CameraApplicationPlatform/VMD/Camera1ProfileANY', { active: '1' }, 'start', { raises: ['MotionAlarm'] }],
    // A link that is there is the end of one that was not.
    ['tns1:Monitoring/LinkStatus', { Link: 'false' }, 'end', { raises: ['NetworkDisconnected'] }],
    ['tns1:Monitoring/LinkStatus', { Link: 'true' }, 'start', { raises: [], ends: ['NetworkDisconnected'] }],
    ['tns1:Door/State/DoorPhysicalState', { State: 'Open' }, 'pulse', { raises: ['DoorOpenAlarm'], isPulse: false }],
    ['tns1:Door/State/DoorPhysicalState', { State: 'Closed' }, 'pulse', { raises: [], ends: ['DoorOpenAlarm'] }],
    ['tns1:Monitoring/ProcessorUsage', { Value: '40' }, 'pulse', { raises: [], ends: ['ProcessorOverload'] }],
    ['tns1:Monitoring/ProcessorUsage', { Value: '97.5' }, 'pulse', { raises: ['ProcessorOverload'], isPulse: false }],
    ['tns1:RecordingConfig/JobState', { State: 'Active' }, 'start', { raises: [], ends: [] }],
    ['{http://example.com/topics}Any/Thing', {}, 'start', { raises: ['Unknown'] }],
    ['{http://example.com/topics}Any/Thing', {}, 'end', { raises: [], ends: ['Unknown'] }],
  ];
  it.each(cases)('%s %j %s', (topic, data, phase, meaning) => {
    expect(meaningOf(topic, data, phase)).toMatchObject(meaning);
  });

  it('ends the previous class when another takes its place; no class ends all', () => {
    const topic = 'tns1:RuleEngine/ObjectDetection/Object';
    const human = meaningOf(topic, { ClassTypes: 'Human Vehicle' });
    expect(human.raises).toEqual(['HumanShapeDetect', 'VehicleDetect']);
    expect(human.ends).not.toContain('VehicleDetect');
    const vehicle = meaningOf(topic, { ClassTypes: 'Vehicle' });
    expect(vehicle.raises).toEqual(['VehicleDetect']);
    expect(vehicle.ends).toContain('HumanShapeDetect');
    expect(meaningOf(topic, { ClassTypes: '' }).ends).toEqual(
      expect.arrayContaining(['HumanShapeDetect', 'VehicleDetect']),
    );
  });

  const SMART = 'tns1:RuleEngine/CellMotionDetector/TpSmartEvent';
  const GUARDS = 'tnsaxis:CameraApplicationPlatform';
  it.each<[string, Record<string, string>, string[]]>([
    ['tns1:RuleEngine/ObjectDetection/Object', { ClassTypes: 'Human Animal' }, ['HumanShapeDetect', 'PetDetect']],
    [SMART, { IsPeople: 'true', IsVehicle: 'true' }, ['VehicleDetect', 'HumanShapeDetect']],
    [SMART, { IsNotPerson: 'true' }, []],
    ['tns1:RuleEngine/MyRuleDetector/Package', { State: 'true' }, ['PackageDetect']],
    ['tns1:RuleEngine/MotionDetector/Detection', { State: 'true' }, ['MotionAlarm']],
    ['tns1:RuleEngine/LineDetector/Crossing', { State: 'true' }, ['LineDetectorCrossed']],
    [`${GUARDS}/FenceGuard/Camera1Profile1`, { active: '1' }, ['LineDetectorCrossed']],
    [`${GUARDS}/MotionGuard/Camera1ProfileANY`, { active: '1' }, ['MotionAlarm']],
    [`${GUARDS}/LoiteringGuard/Camera1Profile1`, { active: '1' }, ['LoiteringAlarm']],
    [`${GUARDS}/ObjectAnalytics/Device1Scenario1`, { active: '1' }, ['IntrusionAlarm']],
    [`${GUARDS}/ObjectAnalytics/Device1Scenario1`, { active: '1', classTypes: 'vehicle' }, ['VehicleDetect']],
    ['tns1:RuleEngine/tnsaxis:VMD3/vmd3_video_1', { active: '1' }, ['MotionAlarm']],
    ['tnsaxis:Storage/Alert', { alert: '1' }, ['StorageAbnormal']],
    ['tns1:Device/tnsaxis:Light/Status', { state: 'ON' }, []],
    // The same path in the namespace of a vendor, and in other letters.
    ['{http://vendor.example/topics}RuleEngine/CellMotionDetector/Motion', { IsMotion: 'true' }, ['MotionAlarm']],
    ['tns1:RuleEngine/FieldDetector/{http://vendor.example/topics}objectsInside', {}, ['IntrusionAlarm']],
  ])('[EN-06] by its path: %s %j', (topic, data, raises) => {
    expect(meaningOf(topic, data).raises).toEqual(raises);
  });

  it('ends only the class that is gone', () => {
    const { raises, ends } = meaningOf('tns1:RuleEngine/ObjectDetection/Object', { ClassTypes: 'Animal' });
    expect(raises).toEqual(['PetDetect']);
    expect(ends).toContain('HumanShapeDetect');
    expect(ends).not.toContain('PetDetect');
  });

  it('[EN-06] maps the number of people to a level of crowd density', () => {
    const crowd = (count: number) =>
      meaningOf('tns1:RuleEngine/CountAggregation/OccupancyCounter', { Count: String(count) });
    expect([60, 30, 12, 3].map((count) => crowd(count).raises[0])).toEqual([
      'CrowdDensityHigh',
      'CrowdDensityMiddle',
      'CrowdDensityLow',
      undefined,
    ]);
    expect(crowd(30).ends).toEqual(['CrowdDensityHigh', 'CrowdDensityLow']);
  });

  it('overrides topics by installation settings, including custom topics', () => {
    const own = new TopicTable([
      { topic: 'tns1:VideoSource/MotionAlarm', type: null },
      { topic: '{http://example.com/topics}*', type: 'GlassBreak' },
    ]);
    const raises = (topic: string) => own.meaningOf({ topic, phase: 'start', source: {}, data: {} }).raises;
    expect(raises('tns1:VideoSource/MotionAlarm')).toEqual([]);
    expect(raises('{http://example.com/topics}Any/Thing')).toEqual(['GlassBreak']);
  });
});

test('each type has a severity and a group', () => {
  for (const row of Object.values(RAISED_ALARM_TYPES)) {
    expect(row.group).not.toBe('');
    expect(['info', 'minor', 'major', 'critical']).toContain(row.severity);
  }
});
