// A program of somebody else: signs in at a Vedette server, shows the cameras that were allowed, and is told of alarms.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { beginSignIn, discover, endSignIn } from './oauth.js';
import { readWebhook } from './webhook.js';

const { VEDETTE_URL, CLIENT_ID: clientId, WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
const page = readFileSync(new URL('page.html', import.meta.url), 'utf8').replaceAll('VEDETTE_URL', VEDETTE_URL);
/** What the player needs of a policy: its own files as scripts and workers, and the server for calls and video. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  'media-src blob:',
  `connect-src 'self' ${VEDETTE_URL} ${VEDETTE_URL.replace(/^http/, 'ws')}`,
].join('; ');
const TYPES = { '.js': 'text/javascript', '.css': 'text/css' };
const endpoints = await discover(VEDETTE_URL);
let redirectUri = '';

/** By the cookie of a browser: `pending` until it is back, then `token`. */
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
  '/': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(page);
  },
  '/page.js': (_request, response) => sendFile(response, 'page.js'),
  '/page.css': (_request, response) => sendFile(response, 'page.css'),
  '/sign-in': (_request, response) => {
    const { address, pending } = beginSignIn({ endpoints, clientId, redirectUri });
    const id = randomUUID();
    sessions.set(id, { pending });
    response.setHeader('set-cookie', `app=${id}; HttpOnly; SameSite=Lax; Path=/`);
    response.writeHead(303, { location: address }).end();
  },
  '/callback': async (_request, response, { session, url }) => {
    const { pending } = session;
    session.token = await endSignIn({ endpoints, clientId, redirectUri, pending, answer: url.searchParams });
    response.writeHead(303, { location: '/' }).end();
  },
  // For the player on the page: a token opens no more than its scopes, and the page's origin is listed with the app.
  '/token': (_request, response, { session }) => {
    if (session?.token === undefined) return response.writeHead(401).end();
    return response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(session.token);
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

/** A file of this folder. */
function sendFile(response, name) {
  const file = readFileSync(new URL(name, import.meta.url));
  response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' }).end(file);
}

/** `/player/<name>`: the files of `@vedette/player`. */
function playerFile(_request, response, { url }) {
  const [, name] = /^\/player\/([\w.-]+\.js)$/.exec(url.pathname) ?? [];
  if (name === undefined) return response.writeHead(404).end();
  return sendFile(response, `node_modules/@vedette/player/${name}`);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, redirectUri);
  const session = sessions.get(/\bapp=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]);
  const route = url.pathname.startsWith('/player/') ? playerFile : routes[url.pathname];
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
