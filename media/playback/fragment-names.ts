// Names below /media/fragments/<ticket>/: each holds everything needed to serve it, so no list is kept per reader.

export interface FragmentRef {
  readonly fileStartMs: number;
  readonly firstRecord: number;
  readonly count: number;
}

/** Begins a name of what was fetched from the device's own storage. */
export const FETCHED = 'd';

export type FragmentName =
  /** The list of the window's segments as JSON. */
  | { readonly kind: 'index' }
  /** ftyp + moov with all tracks, G.711 too. */
  | { readonly kind: 'init'; readonly isFetched: boolean; readonly fileStartMs: number }
  /** A whole segment with its sound, as it was stored. */
  | ({ readonly kind: 'segment'; readonly isFetched: boolean } & FragmentRef)
  /** The first key picture of a segment alone. */
  | ({ readonly kind: 'key'; readonly isFetched: boolean } & FragmentRef);

const NAME = /^(d?)(\d{1,15})-(\d{1,7})-(\d{1,7})\.(m4s|key)$/;
const INIT = /^(d?)(\d{1,15})\.mp4$/;

export function fragmentName({ fileStartMs, firstRecord, count }: FragmentRef): string {
  return `${fileStartMs}-${firstRecord}-${count}`;
}

/** Null for a name that is not ours. */
export function parseFragmentName(name: string): FragmentName | null {
  if (name === 'index.json') return { kind: 'index' };
  const init = INIT.exec(name);
  if (init) return { kind: 'init', isFetched: init[1] === FETCHED, fileStartMs: Number(init[2]) };
  const match = NAME.exec(name);
  if (!match) return null;
  const [fileStartMs = 0, firstRecord = 0, count = 0] = match.slice(2, 5).map(Number);
  const isFetched = match[1] === FETCHED;
  return { kind: match[5] === 'key' ? 'key' : 'segment', isFetched, fileStartMs, firstRecord, count };
}
