// Whether a browser's request has a foreign Origin (SE-48, SE-83); other clients send none.

interface OriginHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
}

/** `headers`: Origin and Host as they came. A page of another host may neither call nor open a socket. */
export function isForeignOrigin({ origin, host }: OriginHeaders): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}

/** That Origin where it is foreign, else null. */
export function foreignOrigin(headers: OriginHeaders): string | null {
  return isForeignOrigin(headers) ? (headers.origin ?? null) : null;
}
