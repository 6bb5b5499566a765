// One playback session per channel, tied to the elements of the player view.
import { openHlsEngine } from '@vedette/player/hls-engine.ts';
import { PlaybackSession } from '@vedette/player/playback-session.ts';
import type { PlaybackJump, PlaybackState } from '@vedette/player/playback-state.ts';
import { browserClock } from '@vedette/player/player-clock.ts';
import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useServices } from '../../services/services.ts';
import { channelPlayback } from './channel-playback.ts';
import type { PlaybackChannel } from './playback-channel.ts';

export interface PlaybackView {
  readonly session: PlaybackSession | null;
  readonly state: PlaybackState;
  readonly jump: PlaybackJump | null;
  readonly rate: number;
  /** Wall clock of the picture on screen, ms. */
  readonly position: () => number | null;
}

export interface PlaybackElements {
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
}

const IDLE: PlaybackState = { kind: 'idle' };

/** A small store, so that the session, which needs elements, can be made after the first paint. */
class SessionHolder {
  #session: PlaybackSession | null = null;
  readonly #listeners = new Set<() => void>();

  get session(): PlaybackSession | null {
    return this.#session;
  }

  hold(session: PlaybackSession | null): void {
    this.#session = session;
    session?.onChange(() => this.#tell());
    this.#tell();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function usePlaybackSession(elements: PlaybackElements, channel: PlaybackChannel | null): PlaybackView {
  const { caller, clock } = useServices();
  const [holder] = useState(() => new SessionHolder());
  const { video, canvas } = elements;
  const rate = useRef(1);
  useEffect(() => {
    if (!channel || !video.current || !canvas.current) return;
    const made = new PlaybackSession({
      video: video.current,
      canvas: canvas.current,
      source: channelPlayback({ caller, channel, now: () => clock.now() }),
      clock: browserClock,
      openEngine: openHlsEngine,
    });
    made.setRate(rate.current);
    holder.hold(made);
    return () => {
      rate.current = made.rate;
      holder.hold(null);
      made.close();
    };
  }, [channel, caller, clock, holder, video, canvas]);
  const session = useSyncExternalStore(holder.subscribe, () => holder.session);
  const state = useSyncExternalStore(holder.subscribe, () => holder.session?.state ?? IDLE);
  const jump = useSyncExternalStore(holder.subscribe, () => holder.session?.jump ?? null);
  const shownRate = useSyncExternalStore(holder.subscribe, () => holder.session?.rate ?? 1);
  const position = useCallback(() => holder.session?.position ?? null, [holder]);
  return { session, state, jump, rate: shownRate, position };
}
