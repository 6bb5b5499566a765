// Alarm rules match what they name, in their hours; suppression applies except to critical alarms.
import type { AlarmSuppression, AlarmRuleDefinition } from '@vedette/contract/calls/alarm-rule.ts';
import { describe, expect, it } from 'vitest';
import { type RaisedAlarm, retryAfter, ruleMatches, isSuppressed } from './rule-match.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const alarm: RaisedAlarm = {
  type: 'MotionAlarm',
  group: 'motion',
  severity: 'minor',
  deviceSerial: 'CAM1',
  channelNo: 2,
  organizationPath: ['site', 'yard'],
  time: NOON,
};
const rule = (part: Partial<AlarmRuleDefinition> = {}): AlarmRuleDefinition => ({
  name: 'R',
  isEnabled: true,
  types: [],
  groups: [],
  leastSeverity: 'info',
  sources: [],
  plan: null,
  timeZone: 'UTC',
  pauseS: 60,
  actions: [{ kind: 'notify', channelIds: ['c'] }],
  ...part,
});
const hours = (StartTime: string, EndTime: string) => [
  { day: 1, entryList: [{ StartTime, EndTime, Type: 1 as const }] },
];

describe('events × sources × weekly plan', () => {
  it.each<[string, Partial<AlarmRuleDefinition>, boolean]>([
    ['everything', {}, true],
    ['switched off', { isEnabled: false }, false],
    ['its type', { types: ['MotionAlarm'] }, true],
    ['another type', { types: ['FireAlarm'] }, false],
    ['its group beside another type', { types: ['FireAlarm'], groups: ['motion'] }, true],
    ['its severity', { leastSeverity: 'minor' }, true],
    ['a higher severity', { leastSeverity: 'major' }, false],
    ['its device', { sources: [{ deviceSerial: 'CAM1' }] }, true],
    ['another channel of it', { sources: [{ deviceSerial: 'CAM1', channelNo: 1 }] }, false],
    ['one of several sources', { sources: [{ deviceSerial: 'X' }, { deviceSerial: 'CAM1', channelNo: 2 }] }, true],
    ['an organisation above it', { sources: [{ organizationId: 'site' }] }, true],
    ['another organisation', { sources: [{ organizationId: 'office' }] }, false],
    ['the root', { sources: [{ organizationId: '0' }] }, true],
    ['hours it is in', { plan: hours('11:00:00', '13:00:00') }, true],
    ['hours it is not in', { plan: hours('13:00:00', '23:59:59') }, false],
    ['the same hours of another zone', { plan: hours('11:00:00', '13:00:00'), timeZone: 'Asia/Shanghai' }, false],
    ['a plan without hours', { plan: [] }, false],
  ])('%s', (_name, part, isMatching) => {
    expect(ruleMatches(rule(part), alarm)).toBe(isMatching);
  });
});

describe('suppression', () => {
  const snooze = (deviceSerial: string, until: number) => ({ deviceSerial, type: 'MotionAlarm' as const, until });
  const quiet = (part: Partial<AlarmSuppression>): AlarmSuppression => ({
    mutedUntil: null,
    plan: null,
    timeZone: 'UTC',
    exceptCritical: true,
    snoozed: [],
    ...part,
  });
  it.each<[string, Partial<AlarmSuppression>, 'minor' | 'critical', boolean]>([
    ['is not wanted by itself', {}, 'minor', false],
    ['while muted', { mutedUntil: NOON + 1 }, 'minor', true],
    ['no longer', { mutedUntil: NOON }, 'minor', false],
    ['in quiet hours', { plan: hours('11:00:00', '13:00:00') }, 'minor', true],
    ['out of quiet hours', { plan: hours('13:00:00', '14:00:00') }, 'minor', false],
    ['not over what is critical', { mutedUntil: NOON + 1 }, 'critical', false],
    ['while its kind is snoozed at its device', { snoozed: [snooze('CAM1', NOON + 1)] }, 'minor', true],
    ['no longer than that', { snoozed: [snooze('CAM1', NOON)] }, 'minor', false],
    ['not for another device', { snoozed: [snooze('CAM2', NOON + 1)] }, 'minor', false],
    ['not over what is critical, snoozed or not', { snoozed: [snooze('CAM1', NOON + 1)] }, 'critical', false],
    ['over what is critical where that is wanted', { mutedUntil: NOON + 1, exceptCritical: false }, 'critical', true],
  ])('%s', (_name, part, severity, isSilent) => {
    expect(isSuppressed(quiet(part), { severity, type: 'MotionAlarm', deviceSerial: 'CAM1' }, NOON)).toBe(isSilent);
  });
});

it('retries at growing intervals, then stops', () => {
  const waits = [1, 2, 3, 4, 5, 6].map(retryAfter);
  expect(waits).toEqual([...waits].sort((a, b) => Number(a) - Number(b)));
  expect(retryAfter(7)).toBeNull();
});
