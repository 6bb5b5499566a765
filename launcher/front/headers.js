// Proxy headers: drops hop-by-hop and forged ones, sets ours.

/** RFC 9110 7.6.1; as in site/media-tunnel/relayed-headers.ts, which tests/project/hop-by-hop.test.ts holds. */
export const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @param {string} name lower case */
function isOurs(name) {
  return (
    name.startsWith('x-forwarded-') || name.startsWith('x-vedette-') || name === 'forwarded' || name === 'x-real-ip'
  );
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('./peer.js').Peer} peer
 * @returns {Record<string, string | string[]>} for the process behind front
 */
export function requestHeaders(request, peer) {
  const named = namedByConnection(request.headers.connection);
  /** @type {Record<string, string | string[]>} */
  const headers = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || hopByHop.has(name) || named.has(name) || isOurs(name)) continue;
    headers[name] = value;
  }
  Object.assign(headers, bodyFraming(request));
  headers['x-forwarded-for'] = peer.address;
  headers['x-forwarded-proto'] = peer.secure ? 'https' : 'http';
  headers['x-vedette-loopback'] = peer.loopback ? '1' : '0';
  return headers;
}

/**
 * How long the body is stands in the head that goes on, whatever the `connection` header names: a body without its
 * length would be read as the next request, without our headers.
 * @param {import('node:http').IncomingMessage} request
 * @returns {Record<string, string>}
 */
function bodyFraming({ headers }) {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  return headers['content-length'] === undefined ? {} : { 'content-length': headers['content-length'] };
}

/**
 * @param {import('node:http').IncomingMessage} request
 */
export function hasBody({ headers }) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/**
 * @param {import('node:http').IncomingMessage} response of the process behind front
 * @returns {string[]} name, value, name, value …
 */
export function responseHeaders(response) {
  const named = namedByConnection(response.headers.connection);
  /** @type {string[]} */
  const headers = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = response.rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (!hopByHop.has(lower) && !named.has(lower)) headers.push(name, response.rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** @param {string | undefined} connection */
function namedByConnection(connection) {
  return new Set(
    (connection ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim()),
  );
}
