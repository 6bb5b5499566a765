// Gateway process: one TCP port for HTTP and TLS, proxying to the unix sockets of server and site.

import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { boundBody } from './front/body-limits.js';
import { hasBody } from './front/headers.js';
import { createListener } from './front/listener.js';
import { pagePolicy, trustPage } from './front/pages.js';
import { createPeerReader, createProxyTest } from './front/peer.js';
import { createProxy } from './front/proxy.js';
import { passUpgrade, refuseUpgrade } from './front/upgrade.js';
import { readLines } from './process/lines.js';

/**
 * @typedef {object} FrontOptions
 * @property {number} port
 * @property {string} host empty means every address
 * @property {string} run folder of the sockets
 * @property {{ ca: string | null, cert: string, key: string }} tls
 * @property {boolean} http
 * @property {boolean} [hsts]
 * @property {string[]} trustedProxies
 * @property {import('./front/body-limits.js').BodyLimits} [bodyLimits] for tests
 */

/** @type {FrontOptions} */
const options = JSON.parse(process.env['VEDETTE_FRONT'] ?? '{}');
/** @type {ReturnType<typeof authorityOf> | null} */
let authority = null;
const log = (/** @type {string} */ line) => process.stderr.write(`front: ${line}\n`);
const readPeer = createPeerReader(options.trustedProxies, options.http);
const proxy = createProxy({ log });
const listener = createListener({
  secureContext: () => ({ cert: fs.readFileSync(options.tls.cert), key: fs.readFileSync(options.tls.key) }),
  isProxy: createProxyTest(options.trustedProxies),
});

listener.server.on('request', (request, response) => {
  boundBody(request, options.bodyLimits);
  const peer = readPeer(request);
  const target = request.url ?? '';
  const place = target.split('?')[0];
  // RFC 6797 7.2: on secure answers alone. Subdomains are other machines.
  if (options.hsts === true && peer.secure) response.setHeader('strict-transport-security', 'max-age=31536000');
  if (!target.startsWith('/')) return response.writeHead(400, { connection: 'close' }).end();
  if (place === '/ca.pem' || place === '/trust') return answerTrust(place, request, response);
  if (!peer.plainAllowed && !peer.secure) return redirect(request, response);
  proxy.pass(request, response, peer, socketFor(target));
});

listener.server.on('upgrade', (request, viewer, head) => {
  const peer = readPeer(request);
  const target = request.url ?? '';
  const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket' && !hasBody(request);
  if (!target.startsWith('/') || !isWebSocket) return refuseUpgrade(viewer, 400, 'Bad Request');
  if (!peer.plainAllowed && !peer.secure) return refuseUpgrade(viewer, 403, 'Forbidden');
  passUpgrade(request, viewer, head, { peer, socketPath: socketFor(target), onAnswer: () => listener.known(viewer) });
});

listen(options.host === '' ? '::' : options.host);

/** @param {string} host */
function listen(host) {
  listener.server.once('error', (error) => {
    const code = /** @type {{ code?: string }} */ (error).code ?? error.message;
    // A machine without IPv6 cannot open the dual-stack socket.
    if (host === '::' && code === 'EAFNOSUPPORT') listen('0.0.0.0');
    else giveUp(code);
  });
  listener.server.listen({ port: options.port, host }, () => {
    const address = listener.server.address();
    say({ event: 'ready', port: typeof address === 'object' && address ? address.port : options.port });
  });
}

/** @param {string} code */
function giveUp(code) {
  const where = options.host === '' ? `port ${options.port}` : `${options.host} port ${options.port}`;
  const hint = 'Choose another with --port N (0 takes any free one).';
  if (code === 'EADDRINUSE')
    say({ event: 'failed', code: 'portInUse', message: `${where} is in use by another program.`, hint });
  else if (code === 'EACCES')
    say({ event: 'failed', code: 'portForbidden', message: `this user may not listen on ${where}.`, hint });
  else say({ event: 'failed', code: 'portUnusable', message: `cannot listen on ${where} (${code}).`, hint });
  process.exitCode = 1;
  process.stdin.destroy();
}

/** @param {string} target */
function socketFor(target) {
  return path.join(options.run, target.startsWith('/media/') ? 'site.sock' : 'server.sock');
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function redirect(request, response) {
  const host = request.headers.host ?? '';
  if (!/^[\w.:[\]-]{1,260}$/.test(host)) return response.writeHead(400, { connection: 'close' }).end();
  response.writeHead(307, { location: `https://${host}${request.url}`, 'cache-control': 'no-store' }).end();
}

/**
 * @param {string} place
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function answerTrust(place, request, response) {
  const { certificate: authority, fingerprint } = readAuthority();
  if (place === '/ca.pem') {
    if (authority === null) return response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': 'application/x-x509-ca-cert',
      'content-disposition': 'attachment; filename="vedette-ca.pem"',
    });
    return response.end(authority);
  }
  const host = request.headers.host ?? '';
  const address = /^[\w.:[\]-]{1,260}$/.test(host) ? `https://${host}/` : '/';
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy,
    'cache-control': 'no-store',
  });
  return response.end(trustPage(request.headers['accept-language'], { fingerprint, address }));
}

/** Read once: anybody may ask as often as they like. */
function readAuthority() {
  authority ??= authorityOf(options.tls.ca);
  return authority;
}

/** @param {string | null} file */
function authorityOf(file) {
  if (file === null) return { certificate: null, fingerprint: null };
  const certificate = fs.readFileSync(file);
  return { certificate, fingerprint: new X509Certificate(certificate).fingerprint256 };
}

/** @param {unknown} message */
function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function end() {
  listener.server.close(() => process.exit());
  listener.server.closeIdleConnections();
  proxy.close();
  // Viewers' sockets never end by themselves.
  setTimeout(() => process.exit(), 500);
}

readLines(process.stdin, (line) => {
  if (line !== 'reload-certificate') return;
  authority = null;
  listener.reload();
});
process.stdin.on('end', end); // the launcher is gone
process.on('SIGTERM', end);
