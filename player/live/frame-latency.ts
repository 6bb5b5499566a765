// How long a live frame took from its capture to the screen.
import type { ShownFrame } from '../transports/transport.ts';

/** Null if unknown, and for a frame shown as a placeholder. */
export function captureTimeOf({ isPast, wallMs }: ShownFrame): number | null {
  return isPast ? null : wallMs;
}

/** Capture time by the clock of the tile's tracks, ms; null if unknown. */
export function tracksTimeOf({ tracksMs, wallMs }: ShownFrame): number | null {
  return tracksMs === undefined ? wallMs : tracksMs;
}

/** Measured by the transport, else by the site's clock, which is `clockOffsetMs` ahead of ours. */
export function latencyOf(frame: ShownFrame, clockOffsetMs: number | null): number | null {
  if (frame.delayMs !== undefined) return frame.delayMs;
  const takenMs = captureTimeOf(frame);
  return takenMs === null || clockOffsetMs === null ? null : frame.shownAtMs + clockOffsetMs - takenMs;
}
