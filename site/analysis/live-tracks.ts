// What edge intelligence follows now, for whoever watches the channel live; nothing is made where nobody asks.
import type { LiveTrack, LiveTracks } from '@vedette/contract/media-wire.ts';
import type { Scene } from '@vedette/rules/scene/scene.ts';
import type { Track } from '@vedette/rules/scene/tracking/track.ts';

type Listener = (tracks: LiveTracks) => void;

/** Of a score and of shares of the picture: a quarter of a pixel in 2048. */
const DIGITS = 1e4;

export class TrackFollowers {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #current: (channelId: string) => LiveTracks | null;

  /** `current`: what stands in the newest frame of a channel; null before the first. */
  constructor(current: (channelId: string) => LiveTracks | null) {
    this.#current = current;
  }

  /** The listener is told at once what stands in view, since nothing may move for hours. The answer ends it. */
  follow(channelId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(channelId) ?? new Set();
    this.#listeners.set(channelId, listeners.add(listener));
    const current = this.#current(channelId);
    if (current !== null) listener(current);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(channelId) === listeners) this.#listeners.delete(channelId);
    };
  }

  /** Null without a channel. */
  of(channelId: string | null): ((listener: Listener) => () => void) | null {
    return channelId === null ? null : (listener) => this.follow(channelId, listener);
  }

  /** A frame was looked at, or the channel is not watched any more. */
  changed(channelId: string): void {
    const listeners = this.#listeners.get(channelId);
    const current = listeners && this.#current(channelId);
    if (!current) return;
    for (const listener of listeners) listener(current);
  }
}

/** Of the frame that was captured at `at`, ms. What was there from the first and never moved is part of the place. */
export function liveTracks(scene: Pick<Scene, 'tracks'> | null, at: number): LiveTracks {
  const tracks = (scene?.tracks ?? []).filter(({ isBackground }) => !isBackground);
  return { at, tracks: tracks.map(liveTrack) };
}

function liveTrack({ trackId, objectClass, medianScore, box, isStationary }: Track): LiveTrack {
  const { x, y, width, height } = box;
  const edges = [rounded(x), rounded(y), rounded(width), rounded(height)] as const;
  return { trackId, objectClass, score: rounded(medianScore), box: edges, isStill: isStationary };
}

function rounded(share: number): number {
  return Math.round(share * DIGITS) / DIGITS;
}
