// Where playback is at an instant: a few numbers that page and worker read alike. Pure.

/** Wall clock of the recordings as a line over the time of the machine. Immutable: every change is a new one. */
export interface ClockState {
  /** Wall clock of the recordings at `atMs`, ms. */
  readonly wallMs: number;
  /** `epochNow()` when this state began. */
  readonly atMs: number;
  /** Negative plays backwards. */
  readonly rate: number;
  /** False while paused and while tiles are waited for. */
  readonly isRunning: boolean;
  /** What was asked for: true also while tiles are waited for. */
  readonly isPlaying: boolean;
  /** Counts the jumps: what was prepared for an earlier one is void. */
  readonly jump: number;
}

/** Above this speed only keyframes are shown. */
export const ALL_FRAMES_UP_TO = 4;

/** The same in the page and in its workers (High Resolution Time, section 4). */
export function epochNow(): number {
  return performance.timeOrigin + performance.now();
}

export function positionAt({ wallMs, atMs, rate, isRunning }: ClockState, now: number): number {
  return isRunning ? wallMs + (now - atMs) * rate : wallMs;
}

/**
 * Whole microseconds of an instant in ms. A double of today's date in ms is exact to a quarter of a microsecond only,
 * so that rounding down would name the picture before the one that begins there.
 */
export function microseconds(ms: number): number {
  return Math.round(ms * 1000);
}
