// Everything that buttons and keys of playback do, as one object.
import type { PlaybackSession } from '@vedette/player/playback-session.ts';
import type { RefObject } from 'react';
import { neighbourStart, type RecordedSpan } from './recorded-spans.ts';
import type { TimelineDriver } from './timeline-driver.ts';
import { type ClockTime, dayOf, instantOf } from './zone-time.ts';

export interface PlaybackCommands {
  seek(at: number): void;
  toggle(): void;
  /** Seconds from here. */
  skip(seconds: number): void;
  step(direction: 1 | -1): void;
  setRate(rate: number): void;
  next(): void;
  previous(): void;
  /** The newest picture that is recorded. */
  latest(): void;
  goToTime(time: ClockTime): void;
  toggleSound(): void;
  zoom(factor: number): void;
}

export interface CommandContext {
  readonly session: PlaybackSession | null;
  readonly driver: RefObject<TimelineDriver | null>;
  readonly spans: readonly RecordedSpan[];
  readonly zone: string;
  readonly now: () => number;
  /** An instant of the day in sight, for times that are typed before anything plays. */
  readonly dayAt: number;
  readonly onSought: (at: number) => void;
  readonly toggleSound: () => void;
}

/** The recorder needs a moment before the newest picture can be fetched. */
const LATEST_BEFORE_NOW_MS = 5000;

export function playbackCommands(context: CommandContext): PlaybackCommands {
  const { session, driver, spans, zone, now, dayAt, onSought, toggleSound } = context;
  const here = (): number => session?.position ?? dayAt;
  const seek = (at: number): void => {
    const bounded = Math.min(at, now() - LATEST_BEFORE_NOW_MS);
    session?.seek(bounded);
    driver.current?.reveal(bounded);
    onSought(bounded);
  };
  const neighbour = (direction: 1 | -1): void => {
    const at = neighbourStart(spans, here(), direction);
    if (at !== null) seek(at);
  };
  return {
    seek,
    toggle: () => {
      if (session?.state.kind === 'paused' || session?.state.kind === 'failed') session.play();
      else if (session?.state.kind === 'ended') session.seek(here() - 10_000);
      else session?.pause();
    },
    skip: (seconds) => seek(here() + seconds * 1000),
    step: (direction) => session?.step(direction),
    setRate: (rate) => session?.setRate(rate),
    next: () => neighbour(1),
    previous: () => neighbour(-1),
    latest: () => seek(now()),
    goToTime: (time) => seek(instantOf(zone, dayOf(zone, here()), time)),
    toggleSound,
    zoom: (factor) => driver.current?.zoom(factor),
  };
}
