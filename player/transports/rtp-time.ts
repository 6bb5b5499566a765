// Tells when a frame that came by WebRTC was captured: from its RTP time and that of the newest tracks, in the clock of their site.

const TICKS_PER_MS = 90;

export class RtpTime {
  #known: { readonly at: number; readonly rtpTime: number } | null = null;

  /** The site states that the frame with this RTP time was captured at `at`, ms. */
  learn(at: number, rtpTime: number): void {
    this.#known = { at, rtpTime };
  }

  /** Null before the first statement, and in browsers that do not tell the RTP time. */
  captureMs(rtpTimestamp: number | undefined): number | null {
    if (this.#known === null || rtpTimestamp === undefined) return null;
    const { at, rtpTime } = this.#known;
    // 32 bits that wrap: right for six and a half hours in both directions.
    return at + ((rtpTimestamp - rtpTime) | 0) / TICKS_PER_MS;
  }
}
