// Times of a track's access units: decode timeline, capture time, and the device's own reports of both.
import type { SenderReport } from '@vedette/protocols/rtp/rtcp.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { TrackTimeline } from './track-timeline.ts';
import type { CaptureClock } from './capture-clock.ts';

/** A report further from the first packet belongs to another time line. */
const EARLY_REPORT_TICKS = 10 * 90_000;

export class TrackTimes {
  readonly timeline: TrackTimeline;
  readonly #wall: CaptureClock;
  readonly #clock: Clock;
  /** A report before the first packet: many devices send one early, and the next seconds later. */
  #early: SenderReport | null = null;

  constructor(timeline: TrackTimeline, wall: CaptureClock, clock: Clock) {
    this.timeline = timeline;
    this.#wall = wall;
    this.#clock = clock;
  }

  /** False while there is no time line to compare with. */
  report(report: SenderReport): boolean {
    const { timeline } = this;
    this.#early = timeline.isAnchored ? null : report;
    if (!timeline.isAnchored) return false;
    const now = this.#clock.monotonicMs();
    // Ignores delayed reports, which would make a correct clock look wrong.
    if (timeline.catchesUp(now)) return true;
    if (timeline.keepsPace(now)) this.#wall.report(timeline.msAt(report.rtpTime), report.ntpMs, this.#clock.wallMs());
    else this.#wall.forgetReport();
    return true;
  }

  /** Sets the time line at this RTP time, also after a jump; returns an early report that belongs to it. */
  lay(timestamp: number, now: number, isJump: boolean): SenderReport | null {
    this.#wall.forgetReport();
    if (isJump) this.timeline.rejoin(timestamp, now);
    else this.timeline.anchor(timestamp, now);
    const early = this.#early;
    this.#early = null;
    return early && Math.abs((early.rtpTime - timestamp) | 0) < EARLY_REPORT_TICKS ? early : null;
  }

  /** See `CaptureClock.leadMs`. */
  get leadMs(): number | null {
    return this.#wall.leadMs;
  }

  /** Of the last unit. */
  wallMs(now: number): number {
    const { mediaMs } = this.timeline;
    const steady = this.timeline.catchesUp(now) ? this.#wall.steadyMs(mediaMs) : null;
    if (!this.timeline.keepsPace(now)) this.#wall.loosen();
    return Math.round(steady ?? this.#wall.wallMs(mediaMs, this.#clock.wallMs()));
  }
}
