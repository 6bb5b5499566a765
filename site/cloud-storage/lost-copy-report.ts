// A recording that its object store has lost, as an event of its device: the owner gets an alarm.
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { DeviceAssignment, DeviceEventReport } from '@vedette/contract/site/site.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';
import type { LostCopy } from './copy-scrub.ts';

export interface ReportedChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export function reportedChannels(devices: readonly DeviceAssignment[]): ReadonlyMap<string, ReportedChannel> {
  const rows = devices.flatMap(({ deviceSerial, channels }) =>
    channels.map(({ channelId, channelNo }) => [channelId, { deviceSerial, channelNo }] as const),
  );
  return new Map(rows);
}

/** `recording`: when it begins, in UTC (ISO 8601). */
export function lostCopyReport(
  { track, startMs }: LostCopy,
  { deviceSerial, channelNo }: ReportedChannel,
  at: number,
): DeviceEventReport {
  return {
    kind: 'deviceEvent',
    deviceSerial,
    eventId: newTimedId(at),
    topic: `${VIRTUAL_ALARM_TOPIC}/RecordingLost`,
    phase: 'pulse',
    channelNo,
    key: `copy ${track.quality} ${startMs}`,
    at,
    deviceAt: null,
    source: { detector: 'Vedette' },
    data: { recording: new Date(startMs).toISOString() },
  };
}
