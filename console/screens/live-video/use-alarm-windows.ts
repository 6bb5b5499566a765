// Shows on this page's wall what alarm rules ask for, and ends it in time; a tour waits meanwhile.
import { useEffect } from 'react';
import { useReplays } from '../../features/instant-replay/replay-store.ts';
import { useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { isRecordedByHand } from '../../features/live/channel/manual-recording.ts';
import { useTour, wallTour } from '../../features/live/tour/tour-store.ts';
import { endAlarmsUntil, showAlarm } from '../../features/live/wall/alarm-windows.ts';
import { wallChannelKey } from '../../features/live/wall/wall-model.ts';
import { changeWallForNow, touchedCells, useWall } from '../../features/live/wall/wall-store.ts';
import { zoomOf } from '../../features/live/zoom/zoom-store.ts';
import { isZoomed } from '../../features/live/zoom/zoom-view.ts';
import { isControlled } from '../../features/ptz/ptz-control.ts';
import { isOpen, isTalkingTo, useTalk } from '../../features/talk/talk-store.ts';
import { askedAlarmWindows, useAskedAlarmWindows } from '../../realtime/alarm-window-store.ts';
import { useServices } from '../../services/services.ts';

export function useAlarmWindows(): void {
  useShownAlarms();
  useEndOfAlarms();
  const isShown = useWall((wall) => wall.alarms.length > 0);
  const isTouring = useTour((tour) => tour.kind !== 'off');
  useEffect(() => {
    if (!isTouring || !isShown) return;
    wallTour.hold('alarm');
    return () => wallTour.release('alarm');
  }, [isTouring, isShown]);
}

function useShownAlarms(): void {
  const { clock } = useServices();
  const asked = useAskedAlarmWindows((state) => state.list);
  const isLoaded = useChannelFacts((facts) => facts.isLoaded);
  useEffect(() => {
    if (!isLoaded || asked.length === 0) return;
    const now = clock.wallMs();
    const isUsed = (cell: number): boolean => isWorkedWith(cell, now);
    const { byKey } = useChannelFacts.getState();
    for (const alarm of askedAlarmWindows()) {
      if (alarm.until <= now || byKey.get(wallChannelKey(alarm))?.canWatch !== true) continue;
      changeWallForNow((wall) => showAlarm(wall, alarm, { isUsed, touched: touchedCells() }));
    }
  }, [asked, isLoaded, clock]);
}

function useEndOfAlarms(): void {
  const { clock } = useServices();
  const alarms = useWall((wall) => wall.alarms);
  useEffect(() => {
    if (alarms.length === 0) return;
    const first = Math.min(...alarms.map(({ until }) => until));
    return clock.after(Math.max(0, first - clock.wallMs()), () => {
      const now = Math.max(first, clock.wallMs());
      changeWallForNow((wall) => endAlarmsUntil(wall, now, (cell) => isWorkedWith(cell, now)));
    });
  }, [alarms, clock]);
}

/** Moved, talked to, recorded by hand, replayed or magnified. */
function isWorkedWith(cell: number, now: number): boolean {
  const channel = useWall.getState().cells[cell];
  if (!channel) return false;
  const { present } = useTalk.getState();
  return (
    isControlled(channel) ||
    (isOpen(present) && isTalkingTo(present, channel)) ||
    isRecordedByHand(channel, now) ||
    useReplays.getState()[wallChannelKey(channel)] !== undefined ||
    isZoomed(zoomOf(cell))
  );
}
