// Interprets device events before storing: sanitized, bounded in time, mapped to alarm types and sources.
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import { type EventMeaning, isInstant, type TopicTable } from '@vedette/rules/alarm/topic-table.ts';
import type { AlarmSource, OpenAlarmKey } from '../../database/alarm/alarm-rows.ts';
import type { DeviceFacts } from '../../database/device/device.queries.ts';
import { sanitizeEvent } from './sanitize-event.ts';

export interface ReportedEvent {
  readonly device: DeviceFacts;
  readonly report: DeviceEventReport;
}

/** Allowed times of stored alarms. */
export interface TimeBounds {
  readonly oldest: number;
  readonly newest: number;
}

export interface InterpretedEvent {
  readonly eventId: string;
  readonly report: DeviceEventReport;
  readonly meaning: EventMeaning;
  readonly source: AlarmSource;
  readonly at: number;
  /** Alarms that it could end or repeat. */
  readonly open: readonly OpenAlarmKey[];
}

export function clampTime(at: number, { oldest, newest }: TimeBounds): number {
  return Math.min(Math.max(at, oldest), newest);
}

/** By original report; invalid events, and those too old to store, are omitted. */
export function interpretEvents(
  reported: readonly ReportedEvent[],
  { topics, bounds }: { readonly topics: TopicTable; readonly bounds: TimeBounds },
): ReadonlyMap<DeviceEventReport, InterpretedEvent> {
  const found = new Map<DeviceEventReport, InterpretedEvent>();
  for (const { device, report: given } of reported) {
    const report = sanitizeEvent(given);
    // Retention would delete it at once.
    if (report === null || report.at < bounds.oldest) continue;
    const meaning = topics.meaningOf(report);
    const { raises, ends } = meaning;
    const sourceKey =
      raises.includes('Unknown') || ends.includes('Unknown') ? `${report.topic} ${report.key}` : report.key;
    const source = { deviceId: device.deviceId, channelNo: report.channelNo, sourceKey };
    const types = [...ends, ...raises.filter((type) => !isInstant(type))];
    const open = types.map((type) => ({ ...source, type }));
    found.set(given, { eventId: report.eventId, report, meaning, source, at: clampTime(report.at, bounds), open });
  }
  return found;
}
