// Everything that buttons and keys of playback do, as one object.
import type { PlaybackGroup } from '@vedette/player/playback/playback-group.ts';
import { PLAYBACK_RATES } from '@vedette/player/playback/hls/playback-state.ts';
import type { RefObject } from 'react';
import { neighbourStart, type RecordedSpan } from './timeline/recorded-spans.ts';
import type { TimelineDriver } from './timeline/timeline-driver.ts';
import { type ClockTime, dayBounds, dayOf, instantOf } from '../calendar/zone-time.ts';

export interface PlaybackCommands {
  seek(at: number): void;
  toggle(): void;
  /** Pauses. */
  pause(): void;
  /** Plays on or back; again in the same direction, twice as fast. */
  shuttle(direction: 1 | -1): void;
  /** Seconds from here. */
  skip(seconds: number): void;
  step(direction: 1 | -1): void;
  setRate(rate: number): void;
  /** The next speed up or down, in the direction of travel. */
  faster(by: 1 | -1): void;
  next(): void;
  previous(): void;
  /** The newest picture that is recorded. */
  latest(): void;
  dayStart(): void;
  goToTime(time: ClockTime): void;
  toggleSound(): void;
  zoom(factor: number): void;
}

export interface CommandContext {
  readonly group: PlaybackGroup | null;
  /** The tile that steps are counted by. */
  readonly tile: string | null;
  readonly driver: RefObject<TimelineDriver | null>;
  readonly spans: readonly RecordedSpan[];
  readonly zone: string;
  readonly now: () => number;
  /** An instant of the day in sight, for times that are typed before anything plays. */
  readonly dayAt: number;
  /** Backwards only where this browser can. */
  readonly canReverse: boolean;
  readonly onSought: (at: number) => void;
  readonly toggleSound: () => void;
}

/** The recorder needs a moment before the newest picture can be fetched. */
const LATEST_BEFORE_NOW_MS = 5000;
const FORWARD = PLAYBACK_RATES.filter((rate) => rate > 0);

export function playbackCommands(context: CommandContext): PlaybackCommands {
  const { group, tile, driver, spans, zone, now, dayAt, canReverse, onSought, toggleSound } = context;
  const here = (): number => group?.position ?? dayAt;
  const seek = (at: number): void => {
    const bounded = Math.min(at, now() - LATEST_BEFORE_NOW_MS);
    group?.seek(bounded);
    driver.current?.reveal(bounded);
    onSought(bounded);
  };
  const neighbour = (direction: 1 | -1): void => {
    const at = neighbourStart(spans, here(), direction);
    if (at !== null) seek(at);
  };
  const faster = (by: 1 | -1): void => {
    if (!group) return;
    const { rate } = group.clock;
    const at = FORWARD.indexOf(Math.abs(rate) as (typeof FORWARD)[number]) + by;
    const next = FORWARD[Math.min(FORWARD.length - 1, Math.max(0, at))] ?? 1;
    group.setRate(Math.sign(rate) * next);
  };
  return {
    seek,
    toggle: () => {
      if (!group) return;
      const isEnded = tile !== null && group.view(tile).state.kind === 'ended';
      if (isEnded) seek(here() - 10_000);
      else if (group.clock.isPlaying) group.pause();
      else group.play();
    },
    pause: () => group?.pause(),
    shuttle: (direction) => {
      if (!group || (direction === -1 && !canReverse)) return;
      const { isPlaying, rate } = group.clock;
      if (isPlaying && Math.sign(rate) === direction) return faster(1);
      group.setRate(direction);
      group.play();
    },
    skip: (seconds) => seek(here() + seconds * 1000),
    step: (direction) => {
      if (tile !== null) void group?.step(tile, direction);
    },
    setRate: (rate) => group?.setRate(rate),
    faster,
    next: () => neighbour(1),
    previous: () => neighbour(-1),
    latest: () => seek(now()),
    dayStart: () => seek(dayBounds(zone, dayOf(zone, here())).start),
    goToTime: (time) => seek(instantOf(zone, dayOf(zone, here()), time)),
    toggleSound,
    zoom: (factor) => driver.current?.zoom(factor),
  };
}
