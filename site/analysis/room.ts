// How many further cameras a machine has room for, by what a frame costs on it.

/** Of one processor, percent: decoding the keyframes of a quiet camera, and all its frames while something moves (640 × 360, 15 a second). */
const QUIET_PERCENT = 0.6;
const DECODING_PERCENT = 1.9;
/** Assumed of a further camera. */
const MOVING_SHARE = 0.2;
const FRAMES_PER_S = 4;

export interface Room {
  /** Null before the first. */
  readonly msPerPicture: number | null;
  /** Of all processors. */
  readonly usedPercent: number;
  readonly capPercent: number;
  readonly processors: number;
}

export function roomFor({ msPerPicture, usedPercent, capPercent, processors }: Room): number | null {
  if (msPerPicture === null) return null;
  const moving = DECODING_PERCENT + (FRAMES_PER_S * msPerPicture) / 10;
  const ofCamera = QUIET_PERCENT + MOVING_SHARE * moving;
  return Math.max(0, Math.floor(((capPercent - usedPercent) * processors) / ofCamera));
}
