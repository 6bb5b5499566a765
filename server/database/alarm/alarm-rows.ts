// Row types that alarm writes take: new alarms, changed alarms, open alarms.
import type { AlarmEndReason, RaisedAlarmType } from '@vedette/contract/alarm-types.ts';

/** Where an alarm stands; `sourceKey` tells several sources of one channel apart (rule, input, disk …). */
export interface AlarmSource {
  readonly deviceId: string;
  /** 0: the device itself. */
  readonly channelNo: number;
  readonly sourceKey: string;
}

/** Begins the source key of what the server notices by itself, apart from what the device tells of the same type. */
export const DETECTED = 'noticed';

/** What an open alarm is found by. */
export interface OpenAlarmKey extends AlarmSource {
  readonly type: RaisedAlarmType;
}

export interface OpenAlarm extends OpenAlarmKey {
  readonly startTime: number;
  readonly alarmId: string;
  /** Over then unless it comes again; null where the device tells the end. */
  readonly holdUntil: number | null;
}

/** Of what lasts. */
export interface OpenChanges {
  /** At places where nothing was stored. */
  readonly begun: readonly OpenAlarm[];
  /** In the place of what is stored. */
  readonly changed: readonly OpenAlarm[];
  readonly gone: readonly OpenAlarmKey[];
}

/** What an alarm says beside its place and time. */
export interface AlarmFacts {
  readonly ownerId: string;
  readonly topic: string;
  readonly source: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
  readonly deviceAt: number | null;
}

export interface NewAlarm extends AlarmSource, AlarmFacts {
  readonly type: RaisedAlarmType;
  readonly alarmId: string;
  readonly startTime: number;
  endTime: number | null;
  endReason: AlarmEndReason | null;
  repeatCount: number;
}

/** Of an alarm that is stored already. */
export interface AlarmChange {
  readonly alarmId: string;
  readonly startTime: number;
  /** End and reason replace what is stored. */
  isEndSet: boolean;
  endTime: number | null;
  endReason: AlarmEndReason | null;
  /** Added to what is stored. */
  repeats: number;
}
