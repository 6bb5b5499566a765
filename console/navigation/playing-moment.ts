// The moment that a page plays, which its address follows only where somebody went there: asked when a page is to be come back to.

let positionNow: () => number | null = () => null;

/** `position` in ms, null while nothing plays. Returns what ends it. */
export function keepMoment(position: () => number | null): () => void {
  positionNow = position;
  return () => {
    if (positionNow === position) positionNow = () => null;
  };
}

/** The parameters of an address with the moment that plays now. */
export function searchAtMoment(search: string): string {
  const at = positionNow();
  if (at === null) return search;
  const parameters = new URLSearchParams(search);
  parameters.set('time', String(Math.round(at)));
  return `?${parameters}`;
}
