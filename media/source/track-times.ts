// Times of a track's access units: decode timeline, capture time, and the device's own reports of both.
import type { SenderReport } from '@vedette/protocols/rtp/rtcp.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { TrackTimeline } from './track-timeline.ts';
import type { CaptureClock } from './capture-clock.ts';

/** A report further from the first packet speaks of another time line. */
const EARLY_REPORT_TICKS = 10 * 90_000;

export class TrackTimes {
  readonly timeline: TrackTimeline;
  readonly #wall: CaptureClock;
  readonly #clock: Clock;
  /** Reported before the track had a time line: many devices report ahead of the first packet, and then not for seconds. */
  #early: SenderReport | null = null;

  constructor(timeline: TrackTimeline, wall: CaptureClock, clock: Clock) {
    this.timeline = timeline;
    this.#wall = wall;
    this.#clock = clock;
  }

  /** False while there is no time line that it could be held against. */
  report(report: SenderReport): boolean {
    const { timeline } = this;
    this.#early = timeline.isAnchored ? null : report;
    if (!timeline.isAnchored) return false;
    const now = this.#clock.monotonicMs();
    // One that waited itself would make a clock that is right look wrong.
    if (timeline.catchesUp(now)) return true;
    if (timeline.keepsPace(now)) this.#wall.report(timeline.msAt(report.rtpTime), report.ntpMs, this.#clock.wallMs());
    else this.#wall.forgetReport();
    return true;
  }

  /** Lays the line, or after a jump lays it anew, at this RTP time; answers the early report that speaks of it. */
  lay(timestamp: number, now: number, isJump: boolean): SenderReport | null {
    this.#wall.forgetReport();
    if (isJump) this.timeline.rejoin(timestamp, now);
    else this.timeline.anchor(timestamp, now);
    const early = this.#early;
    this.#early = null;
    return early && Math.abs((early.rtpTime - timestamp) | 0) < EARLY_REPORT_TICKS ? early : null;
  }

  /** Of the unit that was placed last. */
  wallMs(now: number): number {
    const { mediaMs } = this.timeline;
    const steady = this.timeline.catchesUp(now) ? this.#wall.steadyMs(mediaMs) : null;
    if (!this.timeline.keepsPace(now)) this.#wall.loosen();
    return Math.round(steady ?? this.#wall.wallMs(mediaMs, this.#clock.wallMs()));
  }
}
