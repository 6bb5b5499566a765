// Draws alarms over the timeline: a bar as long as each lasted on the lower edge of its channel; a press on it goes there.
import { ALARM_SEVERITIES } from '@vedette/contract/alarm-types.ts';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { playbackChannelKey } from '../playback/playback-channel.ts';
import type { TimelineLayerArea, TimelineLayer } from '../playback/timeline/timeline-layers.ts';
import type { PlacedRow } from '../playback/timeline/timeline-rows.ts';

const BAR_PX = 4;
const LEAST_PX = 3;
const REACH_PX = 5;

/** Alarms of a device as a whole stand on all its channels. */
function isOn(alarm: Alarm, row: string): boolean {
  if (alarm.channelNo > 0) return row === playbackChannelKey(alarm);
  return row.startsWith(playbackChannelKey({ ...alarm, channelNo: 1 }).slice(0, -1));
}

export function createAlarmLayer(
  alarms: readonly Alarm[],
  options: {
    readonly nameOf: (alarm: Alarm) => string;
    readonly onJump: (at: number) => void;
    /** What goes on is drawn to here. */
    readonly now: () => number;
  },
): TimelineLayer {
  let scene: TimelineLayerArea | null = null;
  const ordered = alarms.toSorted(
    (one, other) => ALARM_SEVERITIES.indexOf(one.severity) - ALARM_SEVERITIES.indexOf(other.severity),
  );
  const alarmAt = (x: number, row: string | null): Alarm | null => {
    if (scene === null) return null;
    const { xOf } = scene;
    return (
      ordered.findLast(
        (alarm) =>
          x >= xOf(alarm.time) - REACH_PX &&
          x <= xOf(alarm.endTime ?? alarm.time) + REACH_PX &&
          (row === null || isOn(alarm, row)),
      ) ?? null
    );
  };
  return {
    words: ordered.map((alarm) => ({ at: alarm.time, text: options.nameOf(alarm) })),
    paint: (context, painted, colours) => {
      scene = painted;
      for (const row of painted.layout.rows) {
        for (const alarm of ordered) {
          if (!isOn(alarm, row.key)) continue;
          context.fillStyle = isGrave(alarm) ? colours.spans.alarm : colours.textDim;
          paintAlarm(context, painted, row, endedBy(alarm, options.now()));
        }
      }
    },
    pointer: ({ kind, x, y }) => {
      if (kind !== 'down' || scene === null) return false;
      const row = scene.layout.rows.find(({ top, height }) => y >= top + height - BAR_PX - 1 && y <= top + height + 1);
      const alarm = row === undefined ? null : alarmAt(x, row.key);
      if (alarm !== null) options.onJump(alarm.time);
      return alarm !== null;
    },
    hint: (at, row) => {
      const alarm = scene === null ? null : alarmAt(scene.xOf(at), row);
      return alarm === null ? null : options.nameOf(alarm);
    },
  };
}

interface ShownAlarm extends Alarm {
  readonly endTime: number;
}

function endedBy(alarm: Alarm, now: number): ShownAlarm {
  return { ...alarm, endTime: alarm.endTime ?? Math.max(alarm.time, now) };
}

function isGrave({ severity }: Alarm): boolean {
  return severity === 'major' || severity === 'critical';
}

function paintAlarm(
  context: CanvasRenderingContext2D,
  { xOf, width }: TimelineLayerArea,
  row: PlacedRow,
  alarm: ShownAlarm,
): void {
  const [left, right] = [xOf(alarm.time), xOf(alarm.endTime)];
  if (right < 0 || left > width) return;
  const from = Math.max(-4, left);
  const height = isGrave(alarm) ? BAR_PX : BAR_PX - 1;
  context.fillRect(from, row.top + row.height - height, Math.max(LEAST_PX, Math.min(right, width + 4) - from), height);
}
