// Files of a track on storage folders that cannot be reached: none of them is played or removed, and the timeline says where they are.
import { SPAN_GAP_MS } from './joined-spans.ts';
import type { TimeRange } from './track-notes.ts';

type AwayFile = TimeRange & { readonly folder: string | undefined };

export class AwayFiles<File extends AwayFile = AwayFile> {
  readonly #files = new Map<string, readonly File[]>();
  /** By folder, joined. */
  readonly #ranges = new Map<string, readonly TimeRange[]>();

  add(folder: string, files: readonly File[]): void {
    const all = [...(this.#files.get(folder) ?? []), ...files].sort((a, b) => a.startMs - b.startMs);
    this.#files.set(folder, all);
    this.#ranges.set(folder, joined(all));
  }

  /** What was written of an open file before its folder went. */
  update(file: AwayFile): void {
    const { folder, startMs } = file;
    const found = this.#files.get(folder ?? '')?.find((one) => one.startMs === startMs);
    if (found) Object.assign(found, file);
  }

  /** Only their ranges are known. */
  set(folder: string, ranges: readonly TimeRange[]): void {
    this.#ranges.set(folder, ranges);
  }

  /** Removes the folder; returns its files. */
  take(folder: string): readonly File[] {
    const files = this.#files.get(folder) ?? [];
    this.#files.delete(folder);
    this.#ranges.delete(folder);
    return files;
  }

  rangesOf(folder: string): readonly TimeRange[] {
    return this.#ranges.get(folder) ?? [];
  }

  /** Those of all folders that touch the range, joined, oldest first. */
  within(from: number, to: number): readonly TimeRange[] {
    const touching = [...this.#ranges.values()].flatMap((ranges) =>
      ranges.filter(({ startMs, endMs }) => endMs > from && startMs < to),
    );
    return joined(touching.sort((a, b) => a.startMs - b.startMs));
  }
}

/** `ranges` by start; merged where the gap is below 2 s. */
export function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const merged: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of ranges) {
    const last = merged.at(-1);
    if (last && startMs - last.endMs < SPAN_GAP_MS) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged;
}

/** Of tracks whose ranges are by time; null without any. */
export function extentOf(tracks: readonly { readonly ranges: readonly TimeRange[] }[]) {
  const oldest = tracks.flatMap(({ ranges }) => ranges[0]?.startMs ?? []);
  const newest = tracks.flatMap(({ ranges }) => ranges.at(-1)?.endMs ?? []);
  return {
    oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
    newestAt: newest.length === 0 ? null : Math.max(...newest),
  };
}
