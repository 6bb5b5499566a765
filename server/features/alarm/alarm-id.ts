// Alarm ids: start time first, so that the id alone names the partition of its row.
import { newId } from '@vedette/foundation/random/ids.ts';
import type { AlarmCursor } from '../../database/alarm/alarm-read.queries.ts';

const PATTERN = /^([0-9a-z]{9})([0-9a-f]{24})$/;

export function newAlarmId(startTime: number): string {
  return `${startTime.toString(36).padStart(9, '0')}${newId()}`;
}

/** Null for an invalid id. */
export function alarmCursorOf(alarmId: string): AlarmCursor | null {
  const [, time] = PATTERN.exec(alarmId) ?? [];
  return time === undefined ? null : { startTime: Number.parseInt(time, 36), alarmId };
}
