// The addresses that a link for somebody else can begin with, the best one first.

/** Names that mean the reader's own machine. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/u;

export interface KnownAddresses {
  /** Origin of this page. */
  readonly pageOrigin: string;
  /** Set by the operator; empty where none is set. */
  readonly publicAddress: string;
  /** Origins of the server in its networks. */
  readonly addressList: readonly string[];
}

export function isOnlyThisMachine(origin: string): boolean {
  return LOOPBACK.test(new URL(origin).hostname);
}

/** Never empty: without any other address it is the one of the page, even where that is this machine alone. */
export function linkOrigins({ pageOrigin, publicAddress, addressList }: KnownAddresses): readonly string[] {
  const known = [...(publicAddress === '' ? [] : [publicAddress]), pageOrigin, ...addressList];
  const origins = [...new Set(known.map((address) => new URL(address).origin))];
  const reachable = origins.filter((origin) => !isOnlyThisMachine(origin));
  return reachable.length === 0 ? [pageOrigin] : reachable;
}
