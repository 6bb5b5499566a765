// Alarms whose cameras rules show on the wall, as the server pushed them, until a wall takes them.
import type { PushEvent } from '@vedette/contract/calls/page-events.ts';
import { create } from 'zustand';
import { systemClock } from '@vedette/foundation/time/clock.ts';

export interface AskedAlarmWindow extends Omit<Extract<PushEvent, { kind: 'alarmWindow' }>, 'kind' | 'at' | 'seconds'> {
  /** ms, by the clock of this browser. */
  readonly until: number;
}

/** The clocks of browser and server differ: what was asked for longer ago than this is over in any case, ms. */
const OLD_MS = 600_000;
/** As many as the largest wall has windows. */
const MOST = 64;

export const useAskedAlarmWindows = create<{ readonly list: readonly AskedAlarmWindow[] }>(() => ({ list: [] }));

export function takeAlarmWindow(event: Extract<PushEvent, { kind: 'alarmWindow' }>): void {
  const now = systemClock.wallMs();
  const { deviceSerial, channelNo, alarmId, type, at, seconds } = event;
  if (now - at > OLD_MS) return;
  const asked = { deviceSerial, channelNo, alarmId, type, until: now + seconds * 1000 };
  useAskedAlarmWindows.setState(({ list }) => ({ list: [...list, asked].slice(-MOST) }));
}

/** The answer is what was asked for since the last time. */
export function askedAlarmWindows(): readonly AskedAlarmWindow[] {
  const { list } = useAskedAlarmWindows.getState();
  if (list.length > 0) forgetAlarmWindows();
  return list;
}

export function forgetAlarmWindows(): void {
  useAskedAlarmWindows.setState({ list: [] });
}
