// What a rule saw, as the event of a device: topic, key and data, which alarms show in words.
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';
import type { Box } from '@vedette/rules/scene/detection/detection.ts';
import type { SceneEvent } from '@vedette/rules/scene/rules/scene-event.ts';

export interface ReportPlace {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** Digits after the point of a share of the frame: a quarter of a pixel in 2048. */
const DIGITS = 4;

export function reportOf(
  event: SceneEvent,
  { deviceSerial, channelNo }: ReportPlace,
  orders: readonly AnalysisOrder[],
): DeviceEventReport {
  const order = orders.find(({ taskId }) => taskId === event.taskId);
  const region = order?.regions.find(({ regionId }) => regionId === event.regionId);
  return {
    kind: 'deviceEvent',
    deviceSerial,
    eventId: newTimedId(event.atMs),
    topic: `${VIRTUAL_ALARM_TOPIC}/${event.type}`,
    phase: event.phase,
    channelNo,
    key: `task ${event.key}`,
    at: Math.floor(event.atMs),
    deviceAt: null,
    source: { detector: 'Vedette', task: event.taskId },
    data: { ...trackData(event), ...countData(event), ...(region && { region: region.regionName }) },
  };
}

function trackData({ track, direction }: SceneEvent): Record<string, string> {
  if (track === null) return direction === null ? {} : { direction };
  return {
    class: track.objectClass,
    score: track.score.toFixed(2),
    track: String(track.trackId),
    box: boxText(track.box),
    ...(direction !== null && { direction }),
  };
}

function countData({ count }: SceneEvent): Record<string, string> {
  return count === null ? {} : { in: String(count.in), out: String(count.out) };
}

/** `x y width height` in shares of the frame. */
function boxText({ x, y, width, height }: Box): string {
  return [x, y, width, height].map((share) => share.toFixed(DIGITS)).join(' ');
}
