// Names below /media/fragments/<ticket>/: everything needed to serve one stands in it, and no list is kept per reader.

export interface FragmentRef {
  readonly fileStartMs: number;
  readonly firstRecord: number;
  readonly count: number;
}

export type FragmentName =
  /** The list of the window's segments as JSON. */
  | { readonly kind: 'index' }
  /** ftyp + moov with all tracks, G.711 too. */
  | { readonly kind: 'init'; readonly fileStartMs: number }
  /** A whole segment with its sound, as it was stored. */
  | ({ readonly kind: 'segment' } & FragmentRef)
  /** The first key picture of a segment alone. */
  | ({ readonly kind: 'key' } & FragmentRef);

const NAME = /^(\d{1,15})-(\d{1,7})-(\d{1,7})\.(m4s|key)$/;
const INIT = /^(\d{1,15})\.mp4$/;

export function fragmentName({ fileStartMs, firstRecord, count }: FragmentRef): string {
  return `${fileStartMs}-${firstRecord}-${count}`;
}

/** Null for a name that is not ours. */
export function parseFragmentName(name: string): FragmentName | null {
  if (name === 'index.json') return { kind: 'index' };
  const init = INIT.exec(name);
  if (init) return { kind: 'init', fileStartMs: Number(init[1]) };
  const match = NAME.exec(name);
  if (!match) return null;
  const [fileStartMs = 0, firstRecord = 0, count = 0] = match.slice(1, 4).map(Number);
  return { kind: match[4] === 'key' ? 'key' : 'segment', fileStartMs, firstRecord, count };
}
