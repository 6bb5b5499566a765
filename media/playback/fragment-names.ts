// Names below /media/fragments/<ticket>/: each contains everything needed to serve it, so the server keeps no list per reader.

export interface FragmentRef {
  readonly fileStartMs: number;
  readonly firstRecord: number;
  readonly count: number;
}

/** Prefix of names in the edge recording cache. */
export const EDGE_PREFIX = 'd';

export type FragmentName =
  /** The list of the window's segments as JSON. */
  | { readonly kind: 'index' }
  /** ftyp + moov with all tracks, G.711 too. */
  | { readonly kind: 'init'; readonly isEdge: boolean; readonly fileStartMs: number }
  /** A whole segment with its audio, as it was stored. */
  | ({ readonly kind: 'segment'; readonly isEdge: boolean } & FragmentRef)
  /** The first keyframe of a segment alone. */
  | ({ readonly kind: 'key'; readonly isEdge: boolean } & FragmentRef);

const NAME = /^(d?)(\d{1,15})-(\d{1,7})-(\d{1,7})\.(m4s|key)$/;
const INIT = /^(d?)(\d{1,15})\.mp4$/;

export function fragmentName({ fileStartMs, firstRecord, count }: FragmentRef): string {
  return `${fileStartMs}-${firstRecord}-${count}`;
}

/** Null for another name. */
export function parseFragmentName(name: string): FragmentName | null {
  if (name === 'index.json') return { kind: 'index' };
  const init = INIT.exec(name);
  if (init) return { kind: 'init', isEdge: init[1] === EDGE_PREFIX, fileStartMs: Number(init[2]) };
  const match = NAME.exec(name);
  if (!match) return null;
  const [fileStartMs = 0, firstRecord = 0, count = 0] = match.slice(2, 5).map(Number);
  const isEdge = match[1] === EDGE_PREFIX;
  return { kind: match[5] === 'key' ? 'key' : 'segment', isEdge, fileStartMs, firstRecord, count };
}
