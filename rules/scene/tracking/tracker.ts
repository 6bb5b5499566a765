// Follows objects from frame to frame, at half a frame a second or at ten (after ByteTrack, Zhang et al. 2022: weak detections continue tracks, strong ones begin them).
import { bestDetections, OBJECTS_MAX, sharedArea, type Detection } from '../detection/detection.ts';
import { matchTracks } from './track-matching.ts';
import { FollowedTrack, type Track, type TrackMoment } from './track.ts';

export interface SceneFrame {
  /** Capture time, ms. */
  readonly atMs: number;
  readonly detections: readonly Detection[];
  /** Width over height of the frame; 16 / 9 where it is absent. */
  readonly aspect?: number;
}

/** Scores from which a detection continues a track (a model need not give lower ones), does so before weak ones, and begins a track; chosen on PETS 2009 S2.L1. */
export const WEAK_SCORE = 0.35;
const STRONG = 0.45;
const BEGIN = 0.5;
/** Time unseen after which a track ends; one that stood still may be missed longer, sixty times as long while something is before it. */
const LOST_MS = 2500;
const STATIONARY_LOST_MS = 5000;
const HIDDEN_WEIGHT = 1 / 60;
/** Of one frame: after a pause, a missed object was missed in one frame. */
const MISSED_MS_MAX = 2000;
/** Share of a box behind other boxes from which an object is hidden. */
const HIDDEN_SHARE = 0.3;
/** After a longer pause, only what stood still is expected to be there. */
const PAUSE_MS = 5000;
/** What is first seen so soon after the start may have been there before. */
const START_MS = 10_000;
/** Later frames start anew: the clock was set, or nobody looked. */
const GAP_MS = 600_000;
/** Frames that are older by less come out of order and are left out. */
const DISORDER_MS = 1000;
const USUAL_ASPECT = 16 / 9;

export type FrameOrder = 'next' | 'late' | 'anew';

/** How a frame follows the one before: `late` is to be left out, with `anew` everything starts over. */
export function frameOrder(beforeMs: number | null, atMs: number): FrameOrder {
  if (!Number.isFinite(atMs)) return 'late';
  if (beforeMs === null) return 'next';
  const passed = atMs - beforeMs;
  if (passed < -DISORDER_MS || passed > GAP_MS) return 'anew';
  return passed > 0 ? 'next' : 'late';
}

/** Width over height of a frame. */
export function aspectOf({ aspect }: SceneFrame): number {
  return aspect !== undefined && Number.isFinite(aspect) && aspect > 0 ? aspect : USUAL_ASPECT;
}

export class Tracker {
  #tracks: FollowedTrack[] = [];
  #lastMs: number | null = null;
  #startMs = 0;
  #nextId = 1;

  /** All tracks that live, by ascending id, at most `OBJECTS_MAX`; some of them are not seen in the newest frame. */
  get tracks(): readonly Track[] {
    return this.#tracks;
  }

  /** Where the clock jumps backwards or by more than ten minutes, all tracks end; ids are never given twice. */
  step(frame: SceneFrame): readonly Track[] {
    const order = frameOrder(this.#lastMs, frame.atMs);
    if (order === 'late') return this.#tracks;
    if (order === 'anew') this.#tracks = [];
    const passedMs = order === 'next' && this.#lastMs !== null ? frame.atMs - this.#lastMs : null;
    if (passedMs === null) this.#startMs = frame.atMs;
    if (passedMs !== null && passedMs > PAUSE_MS) this.#tracks = this.#tracks.filter((track) => track.isStationary);
    this.#lastMs = frame.atMs;
    this.#follow(bestDetections(frame.detections), { atMs: frame.atMs, aspect: aspectOf(frame) });
    this.#endLost(passedMs ?? 0);
    return this.#tracks;
  }

  #follow(detections: readonly Detection[], moment: TrackMoment): void {
    for (const track of this.#tracks) track.isSeen = false;
    const strong = detections.filter(({ score }) => score >= STRONG);
    const weak = detections.filter(({ score }) => score >= WEAK_SCORE && score < STRONG);
    const first = matchTracks(this.#tracks, strong, moment);
    const second = matchTracks(first.tracks, weak, moment);
    for (const { track, detection } of [...first.matched, ...second.matched]) track.see(detection, moment);
    for (const detection of first.detections) {
      if (detection.score >= BEGIN && this.#tracks.length < OBJECTS_MAX) this.#begin(detection, moment.atMs);
    }
  }

  #begin(detection: Detection, atMs: number): void {
    const isOfStart = atMs - this.#startMs < START_MS;
    this.#tracks.push(new FollowedTrack(this.#nextId, detection, { atMs, isOfStart }));
    this.#nextId += 1;
  }

  #endLost(passedMs: number): void {
    const seen = this.#tracks.filter((track) => track.isSeen);
    this.#tracks = this.#tracks.filter((track) => {
      if (track.isSeen) return true;
      if (!track.isConfirmed) return false;
      const weight = track.isStationary && isHidden(track, seen) ? HIDDEN_WEIGHT : 1;
      track.missedMs += Math.min(MISSED_MS_MAX, passedMs) * weight;
      return track.missedMs <= (track.isStationary ? STATIONARY_LOST_MS : LOST_MS);
    });
  }
}

function isHidden({ box }: Track, seen: readonly Track[]): boolean {
  const area = box.width * box.height;
  return seen.some((other) => sharedArea(box, other.box) > HIDDEN_SHARE * area);
}
