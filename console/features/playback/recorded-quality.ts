// Which recorded stream of a channel is played: the main one in few windows, a smaller one in many where it is as complete (LM-02).
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import type { Caller } from '../../calls/caller.ts';
import { type PlaybackChannel, QUALITIES, type RecordedQuality } from './playback-channel.ts';
import { askSpans } from './record-queries.ts';

export type QualityRequest = 'main' | 'second' | 'third';

/** Streams of one camera do not begin and end at the same picture. */
const SLACK_MS = 4000;

export function qualityRequest(windows: number): QualityRequest {
  if (windows <= 4) return 'main';
  return windows <= 9 ? 'second' : 'third';
}

export interface QualityQuestion {
  readonly channel: PlaybackChannel;
  readonly range: { readonly startTime: number; readonly endTime: number };
  readonly wish: QualityRequest;
}

/** Qualities in the order to try them; one that leaves out what another has comes later. */
export async function qualitiesFor(
  caller: Caller,
  { channel, range: { startTime, endTime }, wish }: QualityQuestion,
  signal: AbortSignal,
): Promise<readonly RecordedQuality[]> {
  if (wish === 'main') return QUALITIES;
  const [main, second, third] = await Promise.all(
    QUALITIES.map(async (quality) => {
      // The device's own storage has one quality, whatever is asked.
      const own = { ...channel, quality, srcType: RECORD_SOURCE.cloud, startTime, endTime };
      const rows = await askSpans(caller, own, signal);
      return rows.reduce((sum, row) => sum + row.endTime - row.startTime, 0);
    }),
  );
  const isWhole = (covered = 0): boolean => covered > 0 && covered >= (main ?? 0) - SLACK_MS;
  if (wish === 'third' && isWhole(third)) return [2, 1, 0];
  return isWhole(second) ? [1, 0, 2] : QUALITIES;
}
