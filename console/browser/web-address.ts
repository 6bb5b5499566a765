// Lets an address of others become a link only where it leads to a page: no script and no data.

/** Undefined: a link without an address. Addresses of this origin may be relative. */
export function webAddress(address: string): string | undefined {
  const url = URL.parse(address, location.href);
  return url !== null && /^https?:$/.test(url.protocol) ? address : undefined;
}
