// Passes HTTP requests on to their process, and answers itself while that process is down.
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Peer } from '../client/peer.ts';
import { busyPage, PAGE_POLICY } from '../pages/pages.ts';
import { UPLOADS } from './body-limits.ts';
import { hasBody, requestHeaders, responseHeaders } from './headers.ts';

/** Nothing in the interface takes more; the server's own limits per call are lower. */
const BODY_MAX_BYTES = 16 * 1024 * 1024;
/** The server has an upload endpoint for files of this size. */
const UPLOAD_MAX_BYTES = 130 * 1024 * 1024;
/** Longest wait for the first byte of an answer, once all of the request is there; a camera that is probed may need half a minute. */
const ANSWER_MS = 120_000;

/** A process of this machine, or the gateway of another server. */
export type Upstream = { readonly socketPath: string } | { readonly agent: http.Agent };

export interface Proxy {
  pass(request: IncomingMessage, response: ServerResponse, peer: Peer, to: Upstream): void;
  close(): void;
}

export function createProxy({ log }: { readonly log: (line: string) => void }): Proxy {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 64 });

  function pass(request: IncomingMessage, response: ServerResponse, peer: Peer, to: Upstream): void {
    const most = (request.url ?? '').startsWith(UPLOADS) ? UPLOAD_MAX_BYTES : BODY_MAX_BYTES;
    if (Number(request.headers['content-length'] ?? 0) > most) {
      refuseBody(response);
      return;
    }
    const upstream = http.request({
      agent,
      ...to,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: requestHeaders(request, peer),
      setDefaultHeaders: false,
    });
    const cancel = boundAnswer(request, upstream);
    upstream.on('response', (answer) => {
      cancel();
      response.writeHead(answer.statusCode ?? 502, responseHeaders(answer));
      pipeline(answer, response, () => undefined); // a viewer that leaves is no error
    });
    upstream.on('error', (error) => {
      cancel();
      if (request.destroyed && !request.complete) return;
      log(`${request.method} ${(request.url ?? '').split('?')[0]}: ${error.message}`);
      answerBusy(request, response);
    });
    response.on('close', () => {
      cancel();
      if (!response.writableFinished) upstream.destroy();
    });
    sendBody(request, upstream, response, most);
  }

  return { pass, close: () => agent.destroy() };
}

/** Ends a request that is not answered in time, counted from its last byte; the result cancels that. */
function boundAnswer(request: IncomingMessage, upstream: ClientRequest): () => void {
  let timer: NodeJS.Timeout | undefined;
  const awaitAnswer = (): void => {
    timer = setTimeout(() => upstream.destroy(new Error('no answer in time')), ANSWER_MS);
  };
  if (hasBody(request)) request.once('end', awaitAnswer);
  else awaitAnswer();
  return () => {
    request.removeListener('end', awaitAnswer);
    clearTimeout(timer);
  };
}

/** @param most bytes */
function sendBody(request: IncomingMessage, upstream: ClientRequest, response: ServerResponse, most: number): void {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) return;
    request.unpipe(upstream);
    upstream.destroy();
    refuseBody(response);
  });
  request.pipe(upstream);
}

function refuseBody(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(413, { connection: 'close', 'content-type': 'text/plain' }).end('body too large\n');
}

/** The wire's own envelope for calls, a page that tries again for people. */
function answerBusy(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const wantsPage =
    request.method === 'GET' &&
    (request.headers.accept ?? '').includes('text/html') &&
    !(request.url ?? '').startsWith('/api/');
  const base = { 'cache-control': 'no-store', 'retry-after': '2' };
  if (wantsPage) {
    response.writeHead(502, {
      ...base,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
    });
    response.end(busyPage(request.headers['accept-language']));
    return;
  }
  response.writeHead(502, { ...base, 'content-type': 'application/json' });
  response.end(JSON.stringify({ code: 1012, message: 'serviceBusy', data: null }));
}
