// A program of somebody else: signs in at a Vedette server, shows the cameras that were allowed, and is told of alarms.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { beginSignIn, discover, endSignIn } from './oauth.js';
import { readWebhook } from './webhook.js';

const { VEDETTE_URL, CLIENT_ID: clientId, WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
const [page, player] = ['page.html', 'player.js'].map((name) => readFileSync(new URL(name, import.meta.url)));
const endpoints = await discover(VEDETTE_URL);
let redirectUri = '';

/** By the cookie of a browser: `pending` until it is back, then `token`, and where the playlists of cameras lie. */
const sessions = new Map();
/** Open pages, which hear of alarms. */
const pages = new Set();

async function call(session, path, input) {
  const response = await fetch(`${VEDETTE_URL}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session?.token ?? ''}` },
    body: JSON.stringify(input),
  });
  const { code, data } = await response.json();
  return code === 200 ? data : null;
}

const routes = {
  '/': (_request, response) => response.setHeader('content-type', 'text/html').end(page),
  '/player.js': (_request, response) => response.setHeader('content-type', 'text/javascript').end(player),
  '/sign-in': (_request, response) => {
    const { address, pending } = beginSignIn({ endpoints, clientId, redirectUri });
    const id = randomUUID();
    sessions.set(id, { pending, playlists: new Map() });
    response.setHeader('set-cookie', `app=${id}; HttpOnly; SameSite=Lax; Path=/`);
    response.writeHead(303, { location: address }).end();
  },
  '/callback': async (_request, response, { session, url }) => {
    const { pending } = session;
    session.token = await endSignIn({ endpoints, clientId, redirectUri, pending, answer: url.searchParams });
    response.writeHead(303, { location: '/' }).end();
  },
  '/cameras': async (_request, response, { session }) => {
    const answer = await call(session, 'device/list', { status: 1 });
    if (answer === null) return response.writeHead(401).end();
    const cameras = answer.deviceList.map(({ deviceSerial, deviceName }) => ({ deviceSerial, deviceName }));
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(cameras));
  },
  '/alarms': (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
    pages.add(response);
    request.once('close', () => pages.delete(response));
  },
  '/webhook': async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const message = readWebhook(WEBHOOK_SECRET, request.headers, body);
    if (message === null) return response.writeHead(401).end();
    for (const one of pages) one.write(`data: ${JSON.stringify(message.data)}\n\n`);
    return response.writeHead(204).end();
  },
};

/** `/live/<serial>/index.m3u8` and the files beside it. The browser gets them from here, so that the ticket stays here. */
async function live(response, { session, url }) {
  const [, , serial = '', name = ''] = url.pathname.split('/');
  if (name === 'index.m3u8') {
    const address = await call(session, 'media/url', { deviceSerial: serial, channelNo: 1, codecs: ['h264'] });
    if (address === null) return response.writeHead(401).end();
    session.playlists.set(serial, session.playlists.get(serial) ?? address.hlsUrl);
  }
  const answer = await fetch(new URL(name + url.search, session.playlists.get(serial)));
  if (!answer.ok) session.playlists.delete(serial);
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  return answer.body === null ? response.end() : Readable.fromWeb(answer.body).pipe(response);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, redirectUri);
  const session = sessions.get(/\bapp=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]);
  const route = url.pathname.startsWith('/live/') ? (_request, ...rest) => live(...rest) : routes[url.pathname];
  if (route === undefined) return response.writeHead(404).end();
  return Promise.resolve(route(request, response, { session, url })).catch((error) => {
    if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' });
    response.end(String(error.message));
  });
});

server.listen(Number(PORT), '127.0.0.1', () => {
  redirectUri = `http://127.0.0.1:${server.address().port}/callback`;
  process.stdout.write(`open ${new URL('/', redirectUri)}\n`);
});
