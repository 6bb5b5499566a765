// What playback follows: the address, the calendar, what covers it, and rights that change.
import type { PlaybackGroup } from '@vedette/player/playback/playback-group.ts';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { keepMoment } from '../../navigation/playing-moment.ts';
import { useServices } from '../../services/services.ts';
import type { TimelineDriver } from './timeline/timeline-driver.ts';
import { type CalendarDay, dayBounds, dayKey, dayOf } from '../calendar/zone-time.ts';

interface DriverRef {
  readonly current: TimelineDriver | null;
}

export interface PlaybackWish {
  /** Null while it is not known. */
  readonly at: number | null;
  /** Nobody said when: it is where the newest recording is. */
  readonly isNewest: boolean;
}

/** Plays where the address says, once for every new wish. The answer is told where somebody went here, which the address then follows. */
export function useFollowWish(
  group: PlaybackGroup | null,
  { at: wantedAt, isNewest }: PlaybackWish,
  driver: DriverRef,
): (at: number) => void {
  const sought = useRef<number | null>(null);
  const go = useEffectEvent((at: number) => {
    const here = group?.position ?? null;
    const isOwn = sought.current !== null && Math.round(sought.current) === at;
    sought.current = null;
    if (isOwn || (here !== null && Math.abs(here - at) < 2000)) return;
    group?.seek(at);
    group?.play();
    bringIntoSight(driver, at, isNewest);
  });
  useEffect(() => {
    if (group && wantedAt !== null) go(wantedAt);
  }, [group, wantedAt]);
  return useCallback((at) => {
    sought.current = at;
  }, []);
}

function bringIntoSight({ current }: DriverRef, at: number, isNewest: boolean): void {
  if (isNewest) current?.showLast(at);
  else current?.reveal(at);
}

/** Shows the day that was chosen elsewhere, whole, or what has passed of it. */
export function useFollowDay(day: CalendarDay, zone: string, driver: DriverRef): void {
  const { clock } = useServices();
  useEffect(() => {
    const timeline = driver.current;
    if (!timeline || dayKey(dayOf(zone, timeline.focus)) === dayKey(day)) return;
    const { start, end } = dayBounds(zone, day);
    timeline.show(start, Math.min(end, clock.wallMs()));
  }, [day, zone, driver, clock]);
}

/** Who has to sign in again comes back to what played. */
export function useKeepMoment(group: PlaybackGroup | null): void {
  useEffect(() => keepMoment(() => group?.position ?? null), [group]);
}

/** Nothing plays behind what stands in place of the pictures; it goes on afterwards. */
export function usePauseBehind(group: PlaybackGroup | null, isCovered: boolean): void {
  useEffect(() => {
    if (!group || !isCovered || !group.clock.isPlaying) return;
    group.pause();
    return () => group.play();
  }, [group, isCovered]);
}

export function useVerify(group: PlaybackGroup | null, rightsMark: number): void {
  useEffect(() => {
    // A refusal shows in the tile's state; a server that is away is no reason to stop.
    group?.verify().catch((failure: unknown) => console.warn('rights not checked', failure));
  }, [group, rightsMark]);
}
