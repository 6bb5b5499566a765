// Detects that a device stopped or resumed sending audio while its video goes on.

/** Longer than the pauses of voice activity detection; a microphone that was switched off stays silent. */
const AWAY_AFTER_MS = 5000;
/** Without video nothing is concluded about audio. */
const FRAMES_APART_MS = 1000;

export class AudioPresence {
  #silentMs = 0;
  #lastVideoMs: number | null = null;
  /** Whether the device sends audio; false after a long time without any while video continues. */
  isThere = true;

  /** `nowMs` is monotonic. */
  video(nowMs: number): void {
    const passed = nowMs - (this.#lastVideoMs ?? nowMs);
    this.#lastVideoMs = nowMs;
    if (passed < FRAMES_APART_MS) this.#silentMs += passed;
    if (this.#silentMs >= AWAY_AFTER_MS) this.isThere = false;
  }

  /** True when it resumes. */
  audio(): boolean {
    const isBack = !this.isThere;
    this.#silentMs = 0;
    this.isThere = true;
    return isBack;
  }
}
