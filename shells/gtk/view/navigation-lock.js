// Which documents a web view may show: those of one server, and empty ones that its page makes.

/**
 * WebKit hands over addresses as it has read them itself, so that of a document of the server begins with its origin and a slash.
 * @param {string} address
 * @param {string} origin
 */
export function isOwnDocument(address, origin) {
  return address.startsWith(`${origin}/`) || address.startsWith(`blob:${origin}/`);
}

/**
 * @param {string} address
 * @param {string} origin
 */
export function mayLoad(address, origin) {
  return isOwnDocument(address, origin) || ['', 'about:blank', 'about:srcdoc'].includes(address);
}
