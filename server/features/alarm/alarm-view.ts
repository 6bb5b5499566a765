// Converts alarm rows to the contract's Alarm.
import { RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import type { Alarm, AlarmState } from '@vedette/contract/calls/alarm.ts';
import { type AlarmWithNames, userNames } from '../../database/alarm/alarm-read.queries.ts';
import type { Database } from '../../database/connection.ts';

export async function toAlarms(database: Database, rows: readonly AlarmWithNames[]): Promise<Alarm[]> {
  const commenters = rows.flatMap((row) => row.comments.map((comment) => comment.accountId));
  const names = await userNames(database, commenters);
  return rows.map((row) => toAlarm(row, names));
}

function toAlarm(row: AlarmWithNames, names: ReadonlyMap<string, string>): Alarm {
  const { group, severity } = RAISED_ALARM_TYPES[row.type];
  return {
    alarmId: row.alarm_id,
    type: row.type,
    group,
    severity,
    state: stateOf(row),
    deviceSerial: row.device_serial,
    deviceName: row.device_name,
    channelNo: row.channel_no,
    channelName: row.channel_name ?? '',
    organizationId: row.organization_id ?? '0',
    organizationName: row.organization_name ?? '',
    time: row.start_time,
    endTime: row.end_time,
    endReason: row.end_reason,
    deviceTime: row.device_at,
    topic: row.topic,
    source: row.source,
    data: row.data,
    repeatCount: row.repeat_count,
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: row.acknowledger_name ?? '',
    assignedTo: row.assignee_name ?? '',
    closedAt: row.closed_at,
    closedBy: row.closer_name ?? '',
    commentList: row.comments.map(({ accountId, text, time }) => ({
      userName: names.get(accountId) ?? '',
      text,
      time,
    })),
    pictureTime: row.picture_at,
  };
}

function stateOf(row: Pick<AlarmWithNames, 'closed_at' | 'assigned_to' | 'acknowledged_at'>): AlarmState {
  if (row.closed_at !== null) return 'closed';
  if (row.assigned_to !== null) return 'assigned';
  return row.acknowledged_at === null ? 'new' : 'acknowledged';
}
