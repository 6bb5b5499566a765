// Whether a browser's request comes from a page of another host (SE-48, SE-83); callers that are no browsers name no origin.

/** `headers`: Origin and Host as they came. A page of another host may neither call nor open a socket. */
export function isForeignOrigin({ origin, host }: { origin?: string | undefined; host?: string | undefined }): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
