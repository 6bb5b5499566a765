// Matching of alarm rules, and alarm suppression. Pure.
import { ALARM_SEVERITIES, type AlarmGroup, type AlarmSeverity } from '@vedette/contract/alarm-types.ts';
import type { AlarmSuppression, AlarmRuleDefinition } from '@vedette/contract/calls/alarm-rule.ts';
import { PlanClock } from '../time-plan/plan-clock.ts';

export interface RaisedAlarm {
  readonly type: string;
  readonly group: AlarmGroup;
  readonly severity: AlarmSeverity;
  readonly deviceSerial: string;
  /** 0: the device itself. */
  readonly channelNo: number;
  /** From the root to the organisation of the device. */
  readonly organizationPath: readonly string[];
  readonly time: number;
}

export function ruleMatches(rule: AlarmRuleDefinition, alarm: RaisedAlarm): boolean {
  return rule.isEnabled && isWanted(rule, alarm) && isFrom(rule, alarm) && isPlanned(rule, alarm.time);
}

/** Types and groups add up: either will do. */
function isWanted({ types, groups, leastSeverity }: AlarmRuleDefinition, alarm: RaisedAlarm): boolean {
  if (ALARM_SEVERITIES.indexOf(alarm.severity) < ALARM_SEVERITIES.indexOf(leastSeverity)) return false;
  if (types.length === 0 && groups.length === 0) return true;
  return types.some((type) => type === alarm.type) || groups.includes(alarm.group);
}

function isFrom({ sources }: AlarmRuleDefinition, alarm: RaisedAlarm): boolean {
  if (sources.length === 0) return true;
  return sources.some((source) => {
    if ('organizationId' in source) {
      return source.organizationId === '0' || alarm.organizationPath.includes(source.organizationId);
    }
    if (source.deviceSerial !== alarm.deviceSerial) return false;
    return source.channelNo === undefined || source.channelNo === alarm.channelNo;
  });
}

/** A zone that clocks here do not know is no reason to stay silent. */
export function isPlanned({ plan, timeZone }: Pick<AlarmRuleDefinition, 'plan' | 'timeZone'>, at: number): boolean {
  if (plan === null) return true;
  try {
    return new PlanClock({ days: plan, holidays: [], timeZone }).at(at).type !== null;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

export function isSuppressed(
  suppression: AlarmSuppression,
  { severity, type, deviceSerial }: Pick<RaisedAlarm, 'severity' | 'type' | 'deviceSerial'>,
  now: number,
): boolean {
  if (suppression.exceptCritical && severity === 'critical') return false;
  if (suppression.snoozed.some((one) => one.type === type && one.deviceSerial === deviceSerial && now < one.until))
    return true;
  if (suppression.mutedUntil !== null && now < suppression.mutedUntil) return true;
  return suppression.plan !== null && isPlanned(suppression, now);
}

/** What the pause of a rule counts together. */
export function deduplicationKeyOf({ type, deviceSerial, channelNo }: RaisedAlarm): string {
  return `${type} ${deviceSerial} ${channelNo}`;
}

const RETRY_S = [5, 15, 60, 300, 900, 3600];

/** Milliseconds to the next attempt after so many; null: no more. */
export function retryAfter(attempts: number): number | null {
  const seconds = RETRY_S[attempts - 1];
  return seconds === undefined ? null : seconds * 1000;
}
