// A rule while it is edited: as it is saved, with its sources and kinds as the texts that lists choose by.
import type { AlarmGroup, RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { AlarmRule, AlarmRuleAction, AlarmRuleSource } from '@vedette/contract/calls/alarm-rule.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { ALARM_WINDOW_S } from '@vedette/contract/limits.ts';
import { cameraOfKey } from '@vedette/rules/camera-key.ts';

export type RuleDraft = CallInput<'alarm/rule/save'>;

/** Why a rule is opened: so many alarms at once. */
export interface RuleBurst {
  readonly count: number;
  /** What would be calmer; null: nothing. */
  readonly pauseS: number | null;
}

const PAUSE_USUAL_S = 60;
const RECORD_USUAL_S = 60;

export function newRule(timeZone: string): RuleDraft {
  return {
    name: '',
    isEnabled: true,
    types: [],
    groups: [],
    leastSeverity: 'minor',
    sources: [],
    plan: null,
    timeZone,
    pauseS: PAUSE_USUAL_S,
    actions: [],
  };
}

export function draftOf({ lastTime: _lastTime, ...rule }: AlarmRule): RuleDraft {
  return rule;
}

/** `group:motion`, `type:MotionAlarm`. */
export function kindsOf({ groups, types }: RuleDraft): string[] {
  return [...groups.map((group) => `group:${group}`), ...types.map((type) => `type:${type}`)];
}

export function withKinds(draft: RuleDraft, kinds: readonly string[]): RuleDraft {
  const named = (prefix: string) =>
    kinds.flatMap((kind) => (kind.startsWith(prefix) ? [kind.slice(prefix.length)] : []));
  return { ...draft, groups: named('group:') as AlarmGroup[], types: named('type:') as RaisedAlarmType[] };
}

/** `org:<id>`, `dev:<serial>`, `dev:<serial>:<channel>`. */
export function sourceKey(source: AlarmRuleSource): string {
  if ('organizationId' in source) return `org:${source.organizationId}`;
  return source.channelNo === undefined
    ? `dev:${source.deviceSerial}`
    : `dev:${source.deviceSerial}:${source.channelNo}`;
}

export function sourceOf(key: string): AlarmRuleSource {
  const [kind, name = '', channel] = key.split(':');
  if (kind === 'org') return { organizationId: name };
  return channel === undefined ? { deviceSerial: name } : { deviceSerial: name, channelNo: Number(channel) };
}

export function newAction(kind: AlarmRuleAction['kind'], camera: string): AlarmRuleAction {
  const place = cameraOfKey(camera);
  switch (kind) {
    case 'notify':
      return { kind, channelIds: [] };
    case 'record':
      return { kind, seconds: RECORD_USUAL_S };
    case 'snapshot':
      return { kind };
    case 'preset':
      return { kind, ...place, presetIndex: 1 };
    case 'output':
      return { kind, ...place, output: '', isOn: true };
    case 'wall':
      return { kind, seconds: ALARM_WINDOW_S.usual, walls: 'own' };
  }
}

export function isRuleWhole({ name, actions }: RuleDraft): boolean {
  if (name.trim() === '' || /[<>]/.test(name) || actions.length === 0) return false;
  return actions.every((action) => {
    if (action.kind === 'notify') return action.channelIds.length > 0;
    if (action.kind === 'preset') return action.deviceSerial !== '';
    return action.kind !== 'output' || (action.deviceSerial !== '' && action.output !== '');
  });
}
