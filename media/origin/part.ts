// A partial segment as viewers get it: one fragment, laid out once.
import { AUDIO_LEAD_TICKS, layOutFragment } from '../recorder/fragment-bytes.ts';
import type { Fragment } from '../recorder/fragment.ts';
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';

export interface Part {
  /** Counted over the whole stream. */
  readonly number: number;
  readonly seconds: number;
  readonly isIndependent: boolean;
  readonly bytes: Buffer;
}

/** The bytes are a copy. A part that lasts longer than announced is announced as long as parts may be. */
export function partOf(fragment: Fragment, number: number, partTargetSeconds: number): Part {
  const played = fragment.run.audio === 'playable' ? fragment : { ...fragment, audio: null };
  // Each fragment takes two numbers, one for each track.
  const { buffers } = layOutFragment(played, -AUDIO_LEAD_TICKS, 2 * number + 1);
  const seconds = Math.min(fragment.durationTicks / VIDEO_TIMESCALE, partTargetSeconds);
  return { number, seconds, isIndependent: fragment.isKey, bytes: Buffer.concat(buffers) };
}

/** The usual part, and the least that a playlist may announce as the longest. */
const USUAL_SECONDS = 0.54;
const FRAGMENT_SECONDS = 0.5;
/** Pictures do not come at exactly even times. */
const SLACK = 1.02;

/**
 * How long parts of a stream are at most, told by its first fragment: fragments end nearest to half a second, so that slow
 * cameras make longer ones. All but the last part of a segment must reach 85 % of it (RFC 8216bis 4.4.4.9).
 */
export function partTargetOf({ durationTicks, video: { samples } }: Fragment): number {
  const frame = durationTicks / VIDEO_TIMESCALE / Math.max(1, samples.length);
  const frames = Math.floor(FRAGMENT_SECONDS / frame - 0.5) + 1;
  return Math.max(USUAL_SECONDS, Math.ceil(Math.max(1, frames) * frame * SLACK * 100) / 100);
}
