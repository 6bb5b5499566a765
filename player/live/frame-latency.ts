// How long a live frame took from its capture to the screen.
import type { ShownFrame } from '../transports/transport.ts';

/** Null where it is unknown, and for a frame that only stands in. */
export function captureTimeOf({ isPast, wallMs }: ShownFrame): number | null {
  return isPast ? null : wallMs;
}

/** As the transport measured it, else by the clock of the site, which is `clockOffsetMs` ahead of ours. */
export function latencyOf(frame: ShownFrame, clockOffsetMs: number | null): number | null {
  if (frame.delayMs !== undefined) return frame.delayMs;
  const takenMs = captureTimeOf(frame);
  return takenMs === null || clockOffsetMs === null ? null : frame.shownAtMs + clockOffsetMs - takenMs;
}
