// Detects that a device stopped or resumed sending audio while its video goes on.

/** Devices with voice detection pause between words; a microphone that was switched off stays away. */
const AWAY_AFTER_MS = 5000;
/** Without pictures nothing is learnt of the sound. */
const PICTURES_APART_MS = 1000;

export class SoundPresence {
  #quietMs = 0;
  #lastPictureMs: number | null = null;
  /** Of a device that sends sound; false once it has sent none beside its pictures for long. */
  isThere = true;

  /** `nowMs` is monotonic. */
  picture(nowMs: number): void {
    const passed = nowMs - (this.#lastPictureMs ?? nowMs);
    this.#lastPictureMs = nowMs;
    if (passed < PICTURES_APART_MS) this.#quietMs += passed;
    if (this.#quietMs >= AWAY_AFTER_MS) this.isThere = false;
  }

  /** True when it comes back. */
  sound(): boolean {
    const isBack = !this.isThere;
    this.#quietMs = 0;
    this.isThere = true;
    return isBack;
  }
}
