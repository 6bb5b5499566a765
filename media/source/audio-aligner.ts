// Aligns audio with video: compares both tracks' sender reports and moves the audio timeline.
import type { SenderReport } from '@vedette/protocols/rtp/rtcp.ts';
import type { TrackTimeline } from './track-timeline.ts';

/** Noticeable offset between audio and video. */
const FIRST_TOLERANCE_MS = 60;
/** Later corrections are audible. */
const LATER_TOLERANCE_MS = 250;
/** A larger offset means a wrong clock in a report. */
const IMPLAUSIBLE_MS = 10_000;

export class AudioAligner {
  readonly #video: TrackTimeline;
  readonly #audio: TrackTimeline;
  #videoReport: SenderReport | null = null;
  #audioReport: SenderReport | null = null;
  #tolerance = FIRST_TOLERANCE_MS;

  constructor(video: TrackTimeline, audio: TrackTimeline) {
    this.#video = video;
    this.#audio = audio;
  }

  restart(): void {
    this.#videoReport = null;
    this.#audioReport = null;
    this.#tolerance = FIRST_TOLERANCE_MS;
  }

  report(isVideo: boolean, report: SenderReport): void {
    if (isVideo) this.#videoReport = report;
    else this.#audioReport = report;
    const [video, audio] = [this.#videoReport, this.#audioReport];
    if (!video || !audio || !this.#video.isAnchored || !this.#audio.isAnchored) return;
    const videoMs = this.#video.msAt(video.rtpTime) - video.ntpMs;
    const audioMs = this.#audio.msAt(audio.rtpTime) - audio.ntpMs;
    const skew = audioMs - videoMs;
    if (Math.abs(skew) > IMPLAUSIBLE_MS) return;
    if (Math.abs(skew) > this.#tolerance) this.#audio.shiftMs(-skew);
    this.#tolerance = LATER_TOLERANCE_MS;
  }
}
