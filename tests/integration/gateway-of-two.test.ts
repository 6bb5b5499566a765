// Gateways of two servers: viewers at one watch a camera of the other, by one copy of the stream between them; strangers get nothing.
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { NODE_LIST_FILE, type NodeList } from '@vedette/contract/node-list.ts';
import { ticketOn } from '@vedette/contract/node-ticket.ts';
import { ensureNodeCertificate } from '../../launcher/tls/node-certificate.js';
import { KEYFRAME_EVERY } from '../../media/stream/numbered-frames.fixture.ts';
import { type GatewayProcess, makeCertificate, startGateway } from '../harness/gateway-process.ts';
import { NumberedFeed, type NumberedViewer, seesOn, watchNumbered } from '../harness/numbered-feed.ts';
import { waitFor } from '../harness/wait-for.ts';
import { freePort } from '../harness/free-port.ts';

const SECRET = 'x'.repeat(43);

interface Machine {
  readonly nodeId: string;
  readonly run: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly feed: NumberedFeed;
  /** Of the site: tells what it was asked for. */
  readonly site: Server;
  gateway: GatewayProcess;
}

let folder: string;
let near: Machine;
let far: Machine;
const viewers: NumberedViewer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateways-'));
  await makeCertificate(folder, ['127.0.0.1']);
  [near, far] = await Promise.all([startMachine('a'.repeat(24)), startMachine('b'.repeat(24))]);
  tellOf(near, [far]);
  tellOf(far, [near]);
}, 60_000);
afterEach(() => {
  for (const { socket } of viewers.splice(0)) socket.terminate();
});
afterAll(async () => {
  for (const machine of [near, far]) {
    await machine?.gateway.stop();
    await machine?.feed.stop();
    machine?.site.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function startMachine(nodeId: string): Promise<Machine> {
  const run = join(folder, nodeId.slice(0, 4));
  mkdirSync(run);
  const files = ensureNodeCertificate(run, new Date());
  const [cert, key] = [readFileSync(files.cert, 'utf8'), readFileSync(files.key, 'utf8')];
  const fingerprint = new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();
  const site = createServer(({ url, headers }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ nodeId, url, client: headers['x-forwarded-for'], cookie: headers.cookie ?? null }));
  }).listen(join(run, 'site.sock'));
  const port = await freePort();
  const gateway = await startGateway(folder, { run, node: { host: '127.0.0.1', port, ...files } });
  return { nodeId, run, port, cert, key, fingerprint, site, gateway, feed: await NumberedFeed.start(run) };
}

/** As the server of the machine does. */
function tellOf({ nodeId, run }: Machine, others: readonly Machine[]): void {
  const places = others.map((one) => ({
    nodeId: one.nodeId,
    address: `127.0.0.1:${one.port}`,
    fingerprint: one.fingerprint,
  }));
  const list: NodeList = { nodeId, others: places };
  writeFileSync(join(run, 'new'), JSON.stringify(list));
  renameSync(join(run, 'new'), join(run, NODE_LIST_FILE));
}

async function watch(at: Machine, of: Machine): Promise<NumberedViewer> {
  const ticket = ticketOn(of.nodeId, SECRET);
  const viewer = await watchNumbered({ base: `ws://127.0.0.1:${at.gateway.port}`, ticket });
  viewers.push(viewer);
  return viewer;
}

/** As somebody with this key would ask the port between servers; answers the status. */
async function askNodePort(at: Machine, path: string, identity: { cert?: string; key?: string } = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const upgrade = path === '/feed' ? { connection: 'Upgrade', upgrade: 'vedette-feed' } : {};
  const asked = request({
    host: '127.0.0.1',
    port: at.port,
    path,
    headers: upgrade,
    rejectUnauthorized: false,
    agent: false,
    ...identity,
  });
  asked.on('response', (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  });
  asked.on('upgrade', (_answer, socket) => {
    socket.destroy();
    resolve(101);
  });
  asked.on('error', reject);
  asked.end();
  return await promise;
}

it('many viewers at one watch a camera of the other by one copy, whole, beside those of its own', async () => {
  const ofFar = await Promise.all(Array.from({ length: 8 }, () => watch(near, far)));
  const own = await watch(near, near);
  const before = far.feed.feed.counters.units;
  const from = ofFar.map(({ seen }) => seen.length);
  await Promise.all([...ofFar, own].map((viewer) => seesOn(viewer, 3 * KEYFRAME_EVERY)));
  const sent = far.feed.feed.counters.units - before;
  for (const [nth, { seen }] of ofFar.entries())
    expect(Math.abs(seen.length - (from[nth] ?? 0) - sent)).toBeLessThan(20);
  expect(far.feed.sockets.length).toBe(1);
}, 60_000);

it('a right that ends at the site of the other ends what is watched here, and nothing else', async () => {
  const [ended, own] = [await watch(near, far), await watch(near, near)];
  expect(far.feed.feed.endWhere(() => true, 1017)).toBe(1);
  await waitFor('the end', () => ended.endedWith === 1017);
  await seesOn(own, KEYFRAME_EVERY);
}, 30_000);

it('what a ticket of the other names is asked for there, with the address of the client', async () => {
  const path = `/media/hls/${ticketOn(far.nodeId, SECRET)}/index.m3u8?x=1`;
  const answer = await fetch(`http://127.0.0.1:${near.gateway.port}${path}`, {
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });
  expect(await answer.json()).toMatchObject({ nodeId: far.nodeId, url: path, client: '127.0.0.1' });
  const own = await fetch(`http://127.0.0.1:${near.gateway.port}/media/hls/${ticketOn(near.nodeId, SECRET)}/x`);
  expect(await own.json()).toMatchObject({ nodeId: near.nodeId });
  const nobody = ticketOn(createHash('sha256').digest('hex').slice(0, 24), SECRET);
  expect((await fetch(`http://127.0.0.1:${near.gateway.port}/media/hls/${nobody}/x`)).status).toBe(502);
  await expect(watchNumbered({ base: `ws://127.0.0.1:${near.gateway.port}`, ticket: nobody })).rejects.toThrow(
    'ended with 1012',
  );
  expect(near.gateway.log.filter((line) => line.includes('live video failed'))).toEqual([]);
});

it('strangers get neither feed nor media, and servers that are gone get none any more', async () => {
  const stranger = ensureNodeCertificate(mkdtempSync(join(folder, 'stranger-')), new Date());
  const other = { cert: readFileSync(stranger.cert, 'utf8'), key: readFileSync(stranger.key, 'utf8') };
  for (const identity of [{}, other]) {
    expect(await askNodePort(far, '/feed', identity)).toBe(403);
    expect(await askNodePort(far, `/media/hls/${SECRET}/x`, identity)).toBe(403);
  }
  const known = { cert: near.cert, key: near.key };
  expect(await askNodePort(far, '/feed', known)).toBe(101);
  expect(await askNodePort(far, `/media/hls/${SECRET}/x`, known)).toBe(200);
  expect(await askNodePort(far, '/api/v1/account/login', known)).toBe(404);
  const watching = await watch(near, far);
  tellOf(far, []);
  try {
    expect(await askNodePort(far, '/feed', known)).toBe(403);
    await waitFor('the end of what it watched', () => watching.endedWith === 1012, 10_000);
  } finally {
    tellOf(far, [near]);
  }
}, 30_000);

it('somebody else at the address of the other is sent nothing', async () => {
  tellOf(near, [{ ...far, fingerprint: near.fingerprint }]);
  try {
    const path = `/media/hls/${ticketOn(far.nodeId, SECRET)}/x`;
    expect((await fetch(`http://127.0.0.1:${near.gateway.port}${path}`)).status).toBe(502);
  } finally {
    tellOf(near, [far]);
  }
});

it('a gateway that is gone ends what was watched there with 1012, and what is watched here goes on', async () => {
  const [lost, own] = [await watch(near, far), await watch(near, near)];
  await far.gateway.stop();
  await waitFor('the end', () => lost.endedWith === 1012, 10_000);
  await seesOn(own, KEYFRAME_EVERY);
  expect(own.closedWith).toBeNull();
  const files = { cert: join(far.run, 'node.pem'), key: join(far.run, 'node.key') };
  far.gateway = await startGateway(folder, { run: far.run, node: { host: '127.0.0.1', port: far.port, ...files } });
  await seesOn(await watch(near, far), KEYFRAME_EVERY);
}, 60_000);
