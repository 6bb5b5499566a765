// Alarm windows of the live wall: where the camera of an alarm is shown, and when what was there comes back. Pure.
import {
  type AlarmWindow,
  alarmWindowAt,
  cellOf,
  coolWall,
  endAlarmWindow,
  shownCells,
  type WallChannel,
  wallChannelKey,
  type WallState,
} from './wall-model.ts';

export interface ShownAlarm extends WallChannel, Pick<AlarmWindow, 'alarmId' | 'type' | 'until'> {}

/** What the wall itself does not know of its windows. */
export interface WallUse {
  /** Whether somebody works with what a cell shows. */
  readonly isUsed: (cell: number) => boolean;
  /** Cells by when somebody last did something with them, the latest last. */
  readonly touched: readonly number[];
}

/** A window in use at the end of its time is asked again after so long, ms. */
const USED_AGAIN_MS = 5000;

/**
 * Shows the camera in the first free window, else in the one untouched longest, else in that of the oldest alarm.
 * The wall stays as it is where the camera is in sight already, or every window is in use.
 */
export function showAlarm(present: WallState, alarm: ShownAlarm, use: WallUse): WallState {
  const inSight = cellOf(present, alarm);
  if (inSight !== null) return renewed(present, inSight, alarm);
  const key = wallChannelKey(alarm);
  const outOfSight = present.alarms.find(({ cell }) => keyIn(present, cell) === key);
  const calm = coolWall(outOfSight === undefined ? present : endAlarmWindow(present, outOfSight.cell));
  const cell = windowFor(calm, use);
  if (cell === null) return present;
  const wall = endAlarmWindow(calm, cell);
  const found = wall.cells.findIndex((_channel, at) => keyIn(wall, at) === key);
  const from = found < 0 ? null : found;
  const { deviceSerial, channelNo, alarmId, type, until } = alarm;
  const before = wall.cells[cell] ?? null;
  const cells = wall.cells.map((channel, at) =>
    at === cell ? { deviceSerial, channelNo } : at === from ? null : channel,
  );
  return { ...wall, cells, alarms: [...wall.alarms, { cell, before, from, alarmId, type, until }] };
}

/** Ends the alarm windows whose time is over, but none that somebody works with. */
export function endAlarmsUntil(wall: WallState, now: number, isUsed: WallUse['isUsed']): WallState {
  const over = wall.alarms.filter(({ until }) => until <= now);
  return over.reduce((next, window) => {
    if (!isBusy(next, window.cell, isUsed)) return endAlarmWindow(next, window.cell);
    const later = { ...window, until: now + USED_AGAIN_MS };
    return { ...next, alarms: next.alarms.map((one) => (one.cell === window.cell ? later : one)) };
  }, wall);
}

function windowFor(wall: WallState, { isUsed, touched }: WallUse): number | null {
  const cells = shownCells(wall);
  const free = cells.find((cell) => !wall.cells[cell]);
  if (free !== undefined) return free;
  const rank = (cell: number): number => {
    const alarm = wall.alarms.findIndex((window) => window.cell === cell);
    return alarm < 0 ? touched.indexOf(cell) : touched.length + alarm;
  };
  return cells.filter((cell) => !isBusy(wall, cell, isUsed)).toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

function isBusy(wall: WallState, cell: number, isUsed: WallUse['isUsed']): boolean {
  return wall.maximised === cell || wall.audible === cell || isUsed(cell);
}

/** A later alarm of a camera that an alarm shows already. */
function renewed(wall: WallState, cell: number, { alarmId, type, until }: ShownAlarm): WallState {
  const window = alarmWindowAt(wall, cell);
  if (window === null) return wall;
  const others = wall.alarms.filter((one) => one !== window);
  return { ...wall, alarms: [...others, { ...window, alarmId, type, until: Math.max(window.until, until) }] };
}

function keyIn(wall: WallState, cell: number): string | null {
  const channel = wall.cells[cell];
  return channel ? wallChannelKey(channel) : null;
}
