// What edge intelligence follows on a live channel, kept for some seconds, since the picture on screen may be older or newer. Pure.
import type { LiveTrack, LiveTracks } from '@vedette/contract/media-wire.ts';
import { objectAt, type ShownObject, type TrackSample } from './object-track.ts';

interface Followed {
  readonly newest: LiveTrack;
  readonly samples: readonly TrackSample[];
}

/** Pictures on screen are no older than this, and no trail is longer. */
const KEPT_MS = 12_000;
/** An object that was missed in some frames between two samples is taken to have gone on. */
const MISSED_MS = 2000;
/** A picture that is newer than the newest frame that was looked at still shows what was in that frame. */
const AHEAD_MS = 1000;
/** Over which an object's velocity is taken. */
const VELOCITY_MS = 1000;

export class LiveObjects {
  readonly #followed = new Map<number, Followed>();
  /** Capture times of the frames that were looked at. */
  #frames: readonly number[] = [];

  /** In the order of capture times; a time that goes back begins anew. */
  add({ at, tracks }: LiveTracks): void {
    if (at <= (this.#frames.at(-1) ?? at - 1)) this.clear();
    this.#frames = [...this.#frames.filter((frame) => frame > at - KEPT_MS), at];
    for (const newest of tracks) {
      const { trackId, box } = newest;
      const { samples = [] } = this.#followed.get(trackId) ?? {};
      const kept = samples.filter((sample) => sample.at > at - KEPT_MS);
      this.#followed.set(trackId, { newest, samples: [...kept, { at, box }] });
    }
    for (const [trackId, { samples }] of this.#followed) {
      if ((samples.at(-1)?.at ?? 0) <= at - KEPT_MS) this.#followed.delete(trackId);
    }
  }

  /** In the picture that was captured at `at`, ms. */
  at(at: number): readonly ShownObject[] {
    const looked = this.#frames.findLast((frame) => frame <= at);
    if (looked === undefined) return [];
    return [...this.#followed.values()]
      .filter((followed) => isInView(followed, looked, at))
      .map((followed) => {
        const { objectClass, score } = followed.newest;
        return objectAt({ objectClass, score, samples: withForeseen(followed, at) }, at);
      });
  }

  /** Nothing is known any more. */
  clear(): void {
    this.#followed.clear();
    this.#frames = [];
  }
}

/** `looked`: the newest frame up to the picture that was looked at. */
function isInView({ newest, samples }: Followed, looked: number, at: number): boolean {
  const before = samples.findLast((sample) => sample.at <= at);
  const after = samples.find((sample) => sample.at > at);
  if (before === undefined) return false;
  if (after !== undefined) return after.at - before.at <= MISSED_MS || before.at === looked;
  return before.at === looked && (newest.isStill || at - looked <= AHEAD_MS);
}

/** With where it is by now if it went on as in the last second: pictures on screen are often newer than the newest frame that was looked at. */
function withForeseen({ newest, samples }: Followed, at: number): readonly TrackSample[] {
  const last = samples.at(-1);
  if (last === undefined || newest.isStill || at <= last.at) return samples;
  const before = samples.find((sample) => sample.at >= last.at - VELOCITY_MS);
  if (before === undefined || before === last) return samples;
  const share = (at - last.at) / (last.at - before.at);
  const [x, y, width, height] = last.box;
  // The centre goes on; its size stays, since boxes breathe.
  const moved = (edge: number, size: number, edgeBefore: number, sizeBefore: number): number =>
    edge + (edge + size / 2 - edgeBefore - sizeBefore / 2) * share;
  const [xBefore, yBefore, widthBefore, heightBefore] = before.box;
  const box = [moved(x, width, xBefore, widthBefore), moved(y, height, yBefore, heightBefore), width, height] as const;
  return [...samples, { at, box }];
}
