// Retention locks: protected ranges per channel, merged and sorted, searched in logarithmic time.
import type { TimeRange } from './gaps/track-notes.ts';

export interface ChannelLocks {
  readonly channelId: string;
  readonly locks: readonly { readonly startTime: number; readonly endTime: number }[];
}

export class RetentionLocks {
  readonly #ranges = new Map<string, readonly TimeRange[]>();

  constructor(channels: readonly ChannelLocks[] = []) {
    for (const { channelId, locks } of channels) if (locks.length > 0) this.#ranges.set(channelId, joined(locks));
  }

  /** True when any instant of the range is locked. */
  isLocked(channelId: string, startMs: number, endMs: number): boolean {
    const ranges = this.#ranges.get(channelId);
    if (!ranges) return false;
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle] as TimeRange).endMs <= startMs) low = middle + 1;
      else high = middle;
    }
    const found = ranges[low];
    return found !== undefined && found.startMs < endMs;
  }
}

function joined(locks: ChannelLocks['locks']): TimeRange[] {
  const ranges: { startMs: number; endMs: number }[] = [];
  for (const { startTime, endTime } of [...locks].sort((a, b) => a.startTime - b.startTime)) {
    const last = ranges.at(-1);
    if (last && startTime <= last.endMs) last.endMs = Math.max(last.endMs, endTime);
    else ranges.push({ startMs: startTime, endMs: endTime });
  }
  return ranges;
}
