// Alarm windows of the live wall: where the camera of an alarm is shown, and when what was there comes back. Pure.
import {
  type AlarmWindow,
  alarmWindowAt,
  cellOf,
  coolWall,
  endAlarmWindow,
  openAlarmWindow,
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
  const outOfSight = present.alarms.find(({ channel }) => wallChannelKey(channel) === key);
  const wall = coolWall(outOfSight === undefined ? present : endAlarmWindow(present, outOfSight.cell));
  const cell = windowFor(wall, use);
  if (cell === null) return present;
  const { deviceSerial, channelNo, alarmId, type, until } = alarm;
  return openAlarmWindow(wall, { cell, channel: { deviceSerial, channelNo }, alarmId, type, until });
}

/** Ends the alarm windows whose time is over, but none that somebody works with. */
export function endAlarmsUntil(wall: WallState, now: number, isUsed: WallUse['isUsed']): WallState {
  const over = wall.alarms.filter(({ until }) => until <= now);
  return over.reduce((next, window) => {
    if (!isNeeded(next, window, isUsed)) return endAlarmWindow(next, window.cell);
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

/** Also while somebody works with another alarm window, which would end with it. */
function isNeeded(wall: WallState, { cell }: AlarmWindow, isUsed: WallUse['isUsed']): boolean {
  const channel = wall.arranged[cell];
  const elsewhere = channel ? cellOf(wall, channel) : null;
  return isBusy(wall, cell, isUsed) || (elsewhere !== null && isBusy(wall, elsewhere, isUsed));
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
