// Chooses the alarm for a test message: the newest that matches the rule, else a synthetic one.
import type { AlarmRuleDefinition } from '@vedette/contract/calls/alarm-rule.ts';
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { RAISED_ALARM_TYPE_NAMES, RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import { ruleMatches } from '@vedette/rules/alarm/rule-match.ts';
import { raisedAlarm } from '../../alarm-rule/rule-engine.ts';
import type { MessageAlarm } from '../../alarm-rule/alarm-message.ts';
import type { Rights } from '../../auth/rights.ts';
import { alarmPage } from '../../database/alarm/alarm-read.queries.ts';
import type { Database } from '../../database/connection.ts';

const SEARCHED_MAX = 50;

export async function sampleAlarm(
  database: Database,
  rights: Rights,
  asked: { readonly rule: AlarmRuleDefinition | null; readonly isWeb: boolean; readonly now: number },
): Promise<MessageAlarm> {
  const { rule, isWeb, now } = asked;
  const newest = await alarmPage(database, rights, { filter: {}, after: null, limit: SEARCHED_MAX, isWeb });
  const rehearsed = rule === null ? null : { ...rule, isEnabled: true, plan: null };
  const found = newest.find((row) => rehearsed === null || ruleMatches(rehearsed, raisedAlarm(row))) ?? newest[0];
  if (found !== undefined) return { ...found, start_time: now };
  return madeUp(rule, now);
}

function madeUp(rule: AlarmRuleDefinition | null, now: number): MessageAlarm {
  const ofGroup = RAISED_ALARM_TYPE_NAMES.find((type) => rule?.groups.includes(RAISED_ALARM_TYPES[type].group));
  return {
    alarm_id: '',
    type: rule?.types[0] ?? ofGroup ?? 'ManualAlarm',
    device_type: DEVICE_TYPE.IPC,
    device_serial: '',
    device_name: 'Vedette',
    channel_no: 0,
    start_time: now,
    end_time: null,
    data: {},
    channel_name: null,
    organization_name: null,
  };
}
