// The sound of a virtual camera: a quiet beep at the start of each wall-clock second, silence between.

import { encodeG711, type G711Law } from '@vedette/protocols/g711/g711.ts';

export const AUDIO_RATE = 8000;
const BEEP_MS = 90;
const BEEP_HZ = 880;
const LOUDNESS = 2600;

/** Samples from a wall-clock instant on. */
export function beepSamples(law: G711Law, fromMs: number, count: number): Buffer {
  const samples = new Int16Array(count);
  for (let i = 0; i < count; i++) {
    const ms = (fromMs + (i * 1000) / AUDIO_RATE) % 1000;
    if (ms >= BEEP_MS) continue;
    // Rises and falls over 10 ms: an abrupt edge would click.
    const envelope = Math.min(1, ms / 10, (BEEP_MS - ms) / 10);
    samples[i] = Math.round(Math.sin((ms / 1000) * BEEP_HZ * 2 * Math.PI) * LOUDNESS * envelope);
  }
  return Buffer.from(encodeG711(law, samples));
}
