// Burst tuning: by camera values and rule pauses that are valid.
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { ALARM_RULE_LIMITS } from '@vedette/contract/limits.ts';
import { expect, test } from 'vitest';
import { longerPause, lowerSensitivity, sectionDetecting } from './burst-tuning.ts';

test('only types detected by a camera section are tuned there', () => {
  const tuned = RAISED_ALARM_TYPE_NAMES.filter((type) => sectionDetecting(type) !== null);
  expect(tuned.map((type) => [type, sectionDetecting(type)])).toEqual([
    ['MotionAlarm', 'motion'],
    ['SmartMotionAlarm', 'motion'],
    ['HumanShapeDetect', 'humanShape'],
    ['PeoplePresent', 'humanShape'],
  ]);
});

test.each([
  [60, { min: 0, max: 100 }, 40],
  [6, { min: 1, max: 6 }, 5],
  [100, { min: 0, max: 100, step: 50 }, 50],
  [50, { min: 0, max: 100, step: 50 }, null],
  [10, { min: 0, max: 100 }, null],
  [0, { min: 0, max: 100 }, null],
])('sensitivity %j within %j becomes %j', (now, limits, calmer) => {
  expect(lowerSensitivity(now, limits)).toBe(calmer);
});

test('lengthens the pause of a rule up to its limit', () => {
  expect([0, 60, 300, 600].map(longerPause)).toEqual([300, 300, 600, 1800]);
  expect(longerPause(ALARM_RULE_LIMITS.pauseS)).toBe(null);
});
