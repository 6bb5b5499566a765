// Parses the segment index of the media engine (`/media/fragments/<ticket>/index.json`).

export interface SegmentEntry {
  /** Of the segment's bytes; changes while the segment grows. */
  readonly name: string;
  /** The same while it grows. */
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  /** `<base><init>.mp4` */
  readonly init: string;
  /** Address of the window, with a slash at its end. */
  readonly base: string;
}

/** Recordings that the device holds and the server fetches: they are in a later list. Wall clock, ms. */
export interface AwaitedStretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** The only error of the reader. */
export class FragmentIndexError extends Error {
  override readonly name = 'FragmentIndexError';
}

/** Oldest first. */
export function readFragmentIndex(text: string, base: string): SegmentEntry[] {
  const { segments } = JSON.parse(text) as { segments?: unknown };
  if (!Array.isArray(segments)) throw new FragmentIndexError('no list of segments');
  return segments.map((one: unknown) => readEntry(one, base)).toSorted((a, b) => a.startMs - b.startMs);
}

/** Oldest first; none where everything is there. */
export function readAwaited(text: string): AwaitedStretch[] {
  const { awaited = [] } = JSON.parse(text) as { awaited?: unknown };
  if (!Array.isArray(awaited)) throw new FragmentIndexError('no list of what is awaited');
  return awaited.map((one: unknown) => {
    const { startMs, endMs } = (one ?? {}) as Record<string, unknown>;
    if (typeof startMs !== 'number' || typeof endMs !== 'number')
      throw new FragmentIndexError('a stretch without time');
    return { startMs, endMs };
  });
}

function readEntry(one: unknown, base: string): SegmentEntry {
  const { name, wallMs, durationMs, init } = (one ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof init !== 'string') throw new FragmentIndexError('a segment without name');
  if (typeof wallMs !== 'number' || typeof durationMs !== 'number')
    throw new FragmentIndexError('a segment without time');
  const id = name.slice(0, name.lastIndexOf('-'));
  return { name, id, startMs: wallMs, endMs: wallMs + durationMs, init, base };
}
