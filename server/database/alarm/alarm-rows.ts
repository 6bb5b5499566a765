// Row types that alarm writes take: new alarms, changed alarms, open alarms.
import type { AlarmEndReason, RaisedAlarmType } from '@vedette/contract/alarm-types.ts';

/** Place of an alarm; `sourceKey` distinguishes several sources of one channel (rule, input, disk …). */
export interface AlarmSource {
  readonly deviceId: string;
  /** 0: the device itself. */
  readonly channelNo: number;
  readonly sourceKey: string;
}

/** Prefix of source keys for alarms raised by the server, to keep them apart from the device's own of the same type. */
export const DETECTED = 'noticed';

/** Key of an open alarm. */
export interface OpenAlarmKey extends AlarmSource {
  readonly type: RaisedAlarmType;
}

export interface OpenAlarm extends OpenAlarmKey {
  readonly startTime: number;
  readonly alarmId: string;
  /** Time at which a pulse ends unless repeated; null if the device reports the end. */
  readonly holdUntil: number | null;
}

/** For lasting alarms. */
export interface OpenChanges {
  /** New at places without a stored alarm. */
  readonly begun: readonly OpenAlarm[];
  /** Replaces the stored alarm. */
  readonly changed: readonly OpenAlarm[];
  readonly gone: readonly OpenAlarmKey[];
}

/** Content of an alarm beside place and time. */
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

/** For a stored alarm. */
export interface AlarmChange {
  readonly alarmId: string;
  readonly startTime: number;
  /** End and reason replace the stored ones. */
  isEndSet: boolean;
  endTime: number | null;
  endReason: AlarmEndReason | null;
  /** Added to the stored count. */
  repeats: number;
}
