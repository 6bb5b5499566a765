// Names of the cookies that bind a browser to what an app asked; apart from the provider, which a start does not load.

/** Over TLS browsers hold to the prefix: no page over plain HTTP can set or replace such a cookie (RFC 6265bis, 4.1.3.1). */
export function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Secure-' : ''}vedette_${name}`;
}

export function interactionCookie(isSecure: boolean): string {
  return cookieName('interaction', isSecure);
}
