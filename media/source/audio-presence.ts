// Detects that a device stopped or resumed sending audio while its video goes on.

/** Devices with voice detection pause between words; a microphone that was switched off stays away. */
const AWAY_AFTER_MS = 5000;
/** Without pictures nothing is learned of the audio. */
const FRAMES_APART_MS = 1000;

export class AudioPresence {
  #silentMs = 0;
  #lastVideoMs: number | null = null;
  /** Of a device that sends sound; false once it has sent none beside its pictures for long. */
  isThere = true;

  /** `nowMs` is monotonic. */
  video(nowMs: number): void {
    const passed = nowMs - (this.#lastVideoMs ?? nowMs);
    this.#lastVideoMs = nowMs;
    if (passed < FRAMES_APART_MS) this.#silentMs += passed;
    if (this.#silentMs >= AWAY_AFTER_MS) this.isThere = false;
  }

  /** True when it comes back. */
  audio(): boolean {
    const isBack = !this.isThere;
    this.#silentMs = 0;
    this.isThere = true;
    return isBack;
  }
}
