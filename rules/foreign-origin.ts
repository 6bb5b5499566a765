// Whether a browser's request has a foreign Origin (SE-48, SE-83); other clients send none.

/** `headers`: Origin and Host as they came. A page of another host may neither call nor open a socket. */
export function isForeignOrigin({ origin, host }: { origin?: string | undefined; host?: string | undefined }): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
