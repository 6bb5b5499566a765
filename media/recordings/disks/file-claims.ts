// Which recorded files are being copied to elsewhere or moved: two that read or move the same one would miss each other's changes.
import type { TrackKey } from '../recording-path.ts';

export class FileClaims {
  readonly #claimed = new Set<string>();

  /** False if it is claimed already; else call `release` at the end. */
  take(key: TrackKey, startMs: number): boolean {
    const name = nameOf(key, startMs);
    if (this.#claimed.has(name)) return false;
    this.#claimed.add(name);
    return true;
  }

  release(key: TrackKey, startMs: number): void {
    this.#claimed.delete(nameOf(key, startMs));
  }
}

function nameOf({ channelId, quality }: TrackKey, startMs: number): string {
  return `${channelId}/${quality}/${startMs}`;
}
