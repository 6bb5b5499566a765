// Formats an alarm as a message: in the language of the account, with times in its time zone.
import { RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import { LANGUAGE } from '@vedette/contract/enumerations.ts';
import { alarmTypes as englishTypes } from '@vedette/phrases/en/alarm-types.ts';
import { alarmRules as englishRules } from '@vedette/phrases/en/alarm-rules.ts';
import { alarms as english } from '@vedette/phrases/en/alarms.ts';
import { alarmTypes as chineseTypes } from '@vedette/phrases/zh-CN/alarm-types.ts';
import { alarmRules as chineseRules } from '@vedette/phrases/zh-CN/alarm-rules.ts';
import { alarms as chinese } from '@vedette/phrases/zh-CN/alarms.ts';
import { fill } from '@vedette/phrases/translate.ts';
import type { AlarmWithNames } from '../database/alarm/alarm-read.queries.ts';
import type { AlarmMessage } from '../notifiers/kit/notifier.ts';

const WORDS = {
  en: { ...english, ...englishRules, ...englishTypes },
  'zh-CN': { ...chinese, ...chineseRules, ...chineseTypes },
} as const;

export interface MessageFacts {
  readonly deliveryId: string;
  readonly foldedCount: number;
  /** EN-23: the number that the account keeps; null: not chosen. */
  readonly language: number | null;
  readonly timeZone: string;
  /** Where the console opens, without a path; null: unknown. */
  readonly consoleUrl: string | null;
  readonly isTest: boolean;
}

export type MessageAlarm = Pick<
  AlarmWithNames,
  | 'alarm_id'
  | 'type'
  | 'device_type'
  | 'device_serial'
  | 'device_name'
  | 'channel_no'
  | 'start_time'
  | 'end_time'
  | 'data'
> & { readonly channel_name: string | null; readonly organization_name: string | null };

export function alarmMessage(row: MessageAlarm, facts: MessageFacts): AlarmMessage {
  const language = facts.language === LANGUAGE.zhCN ? 'zh-CN' : 'en';
  const t = WORDS[language];
  const { group, severity } = RAISED_ALARM_TYPES[row.type];
  const channelName = row.channel_name ?? '';
  const device = row.device_name === '' ? t['alarms.installation'] : row.device_name;
  const place = channelName === '' || channelName === row.device_name ? device : `${device} · ${channelName}`;
  const heading = fill(t['alarms.toast'], { type: t[`alarmType_${row.type}`], place });
  const lines: (readonly [string, string])[] = [
    [t['alarms.severity'], t[`severity_${severity}`]],
    [t['alarms.place'], place],
    [t['alarms.organization'], row.organization_name ?? ''],
    [t['alarms.time'], localText(row.start_time, facts.timeZone)],
    [t['alarms.reported'], facts.foldedCount === 0 ? '' : fill(t['alarms.repeats'], { count: facts.foldedCount + 1 })],
  ];
  return {
    deliveryId: facts.deliveryId,
    title: facts.isTest ? `${t['alarmRules.testTitle']} ${heading}` : heading,
    facts: lines.filter(([, value]) => value !== ''),
    severity,
    link: linkTo(facts.consoleUrl, row.alarm_id),
    language,
    isTest: facts.isTest,
    foldedCount: facts.foldedCount,
    alarm: {
      alarmId: row.alarm_id,
      type: row.type,
      group,
      deviceSerial: row.device_serial,
      deviceName: row.device_name,
      channelNo: row.channel_no,
      channelName,
      organizationName: row.organization_name ?? '',
      time: row.start_time,
      endTime: row.end_time,
      data: row.data,
    },
  };
}

function linkTo(consoleUrl: string | null, alarmId: string): string | null {
  return consoleUrl === null ? null : `${consoleUrl}/homepage/alarmMsg?${new URLSearchParams({ alarm: alarmId })}`;
}

function localText(at: number, timeZone: string): string {
  return `${new Date(at).toLocaleString('sv-SE', { timeZone })} (${timeZone})`;
}
