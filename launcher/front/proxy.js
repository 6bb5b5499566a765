// Proxies HTTP requests to their process, and answers itself while that process is down.

import http from 'node:http';
import { pipeline } from 'node:stream';
import { uploads } from './body-limits.js';
import { hasBody, requestHeaders, responseHeaders } from './headers.js';
import { busyPage, pagePolicy } from './pages.js';

/** Nothing in the interface takes more; the server's own limits per call are lower. */
const largestBody = 16 * 1024 * 1024;
/** The server has an upload endpoint for files of this size. */
const largestUpload = 130 * 1024 * 1024;
/** Longest wait for the first byte of an answer, once all of the request is there; a camera that is probed may need half a minute. */
const answerMs = 120_000;

/**
 * @param {{ log: (line: string) => void }} options
 */
export function createProxy({ log }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 64 });

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {import('./peer.js').Peer} peer
   * @param {string} socketPath
   */
  function pass(request, response, peer, socketPath) {
    const most = (request.url ?? '').startsWith(uploads) ? largestUpload : largestBody;
    if (Number(request.headers['content-length'] ?? 0) > most) return refuseBody(response);
    const upstream = http.request({
      agent,
      socketPath,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: requestHeaders(request, peer),
      setDefaultHeaders: false,
    });
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const awaitAnswer = () => {
      timer = setTimeout(() => upstream.destroy(new Error('no answer in time')), answerMs);
    };
    if (hasBody(request)) request.once('end', awaitAnswer);
    else awaitAnswer();
    upstream.on('response', (answer) => {
      request.removeListener('end', awaitAnswer);
      clearTimeout(timer);
      response.writeHead(answer.statusCode ?? 502, responseHeaders(answer));
      pipeline(answer, response, () => undefined); // a viewer that leaves is no error
    });
    upstream.on('error', (error) => {
      clearTimeout(timer);
      if (request.destroyed && !request.complete) return;
      log(`${request.method} ${(request.url ?? '').split('?')[0]}: ${error.message}`);
      answerBusy(request, response);
    });
    response.on('close', () => {
      clearTimeout(timer);
      if (!response.writableFinished) upstream.destroy();
    });
    sendBody(request, upstream, response, most);
  }

  return { pass, close: () => agent.destroy() };
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ClientRequest} upstream
 * @param {import('node:http').ServerResponse} response
 * @param {number} most bytes
 */
function sendBody(request, upstream, response, most) {
  let size = 0;
  request.on('data', (/** @type {Buffer} */ chunk) => {
    size += chunk.length;
    if (size <= most) return;
    request.unpipe(upstream);
    upstream.destroy();
    refuseBody(response);
  });
  request.pipe(upstream);
}

/** @param {import('node:http').ServerResponse} response */
function refuseBody(response) {
  if (response.headersSent) return;
  response.writeHead(413, { connection: 'close', 'content-type': 'text/plain' }).end('body too large\n');
}

/**
 * The wire's own envelope for calls, a page that tries again for people.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function answerBusy(request, response) {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const wantsPage =
    request.method === 'GET' &&
    (request.headers.accept ?? '').includes('text/html') &&
    !(request.url ?? '').startsWith('/api/');
  const common = { 'cache-control': 'no-store', 'retry-after': '2' };
  if (wantsPage) {
    response.writeHead(502, {
      ...common,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy,
    });
    response.end(busyPage(request.headers['accept-language']));
    return;
  }
  response.writeHead(502, { ...common, 'content-type': 'application/json' });
  response.end(JSON.stringify({ code: 1012, message: 'serviceBusy', data: null }));
}
