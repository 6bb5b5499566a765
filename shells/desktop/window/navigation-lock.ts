// Which documents a window of the shell may show: those of its own server, and nothing else.

/** `url`: of a document that is asked for, in a window or in a frame of it. */
export function isOwnDocument(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/** Of a document that is shown: also an empty window of our page, and the start page of the shell. */
export function mayBeShown(url: string, origin: string, startPages: ReadonlySet<string>): boolean {
  if (url === '' || url === 'about:blank' || startPages.has(url)) return true;
  return isOwnDocument(url.startsWith('blob:') ? url.slice('blob:'.length) : url, origin);
}

/** The page below our server that somebody asked for from outside, a further start of the shell for instance; null for any other. */
export function ownAddress(given: string, origin: string): string | null {
  if (!URL.canParse(given, origin)) return null;
  const { href } = new URL(given, origin);
  return isOwnDocument(href, origin) ? href : null;
}
