// Entry and composition root of the gateway: one TCP port for HTTP and TLS, in front of server and site.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { createPeerReader, createProxyTest } from './client/peer.ts';
import { createProxy } from './forwarding/proxy.ts';
import { Gateway } from './gateway.ts';
import { CrowdGarbage } from './listener/crowd-garbage.ts';
import { listen, NODE_HINT } from './listener/listen.ts';
import { createListener } from './listener/listener.ts';
import { KnownNodes } from './node/known-nodes.ts';
import { NodeConnections } from './node/node-connections.ts';
import { NodeDialler } from './node/node-dialler.ts';
import { createNodeListener } from './node/node-listener.ts';
import { TrustPages } from './pages/trust.ts';
import { LiveVideo } from './live/live-video.ts';
import { readSettings, type Settings, socketPaths } from './settings.ts';

/** Viewers' sockets never end by themselves. */
const END_WITHIN_MS = 500;

const settings = readSettings(process.env);
const log = (line: string): void => void process.stderr.write(`gateway: ${line}\n`);
const { tls, trustedProxies, http } = settings;
const proxy = createProxy({ log });
const trustPages = new TrustPages(tls.ca);
// Only where Node was started with --expose-gc, as the launcher does.
const garbage = new CrowdGarbage({
  clock: systemClock,
  collect: () => globalThis.gc?.({ type: 'major', flavor: 'last-resort' }),
});
const listener = createListener({
  secureContext: () => ({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }),
  isProxy: createProxyTest(trustedProxies),
  onLeft: () => garbage.left(),
});
const sockets = socketPaths(settings);
const node = settings.node ? openNode(settings.node) : null;
const liveVideo = new LiveVideo({
  socketPath: sockets.feed,
  elsewhere: node && {
    isOwn: (nodeId) => node.nodes.isOwn(nodeId),
    isKnown: (nodeId) => node.dialler.isKnown(nodeId),
    dialFeed: (nodeId) => node.dialler.dialFeed(nodeId),
  },
  clock: systemClock,
  slabs: new SlabPool({ poison: settings.poisonsMemory }),
  log,
});
const gateway = new Gateway({
  settings,
  listener,
  readPeer: createPeerReader(trustedProxies, http),
  proxy,
  trustPages,
  liveVideo,
  elsewhere: node,
});
listener.server.on('request', (request, response) => gateway.request(request, response));
listener.server.on('upgrade', (request, viewer, head) => gateway.upgrade(request, viewer, head));

const nodeOutcome = node && (await listen(node.server, node.place, NODE_HINT));
const outcome = nodeOutcome?.event === 'failed' ? nodeOutcome : await listen(listener.server, settings);
process.stdout.write(`${JSON.stringify(outcome)}\n`);
if (outcome.event === 'failed') process.exit(1);

createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'reload-certificate') reloadCertificate();
  })
  // The launcher is gone.
  .on('close', end);
process.on('SIGTERM', end);

/** Whoever replaces the files may be half-way: the former certificate stays, and so does everything that is open. */
function reloadCertificate(): void {
  try {
    listener.reload();
    trustPages.reload();
  } catch (error) {
    log(`the certificate cannot be used, the former one stays: ${errorMessage(error)}`);
  }
}

/** The other servers of the database, where there are any. */
function openNode({ cert, key, ...place }: NonNullable<Settings['node']>) {
  const identity = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  const nodes = new KnownNodes(sockets.nodes, log);
  const connections = new NodeConnections();
  const dialler = new NodeDialler({ nodes, identity, connections });
  const server = createNodeListener({ secureContext: identity, sockets, nodes, proxy, connections });
  return { place, nodes, dialler, server, connections };
}

function end(): void {
  node?.server.close();
  node?.dialler.close();
  node?.connections.close();
  listener.server.close(() => process.exit());
  listener.server.closeIdleConnections();
  proxy.close();
  liveVideo.close();
  setTimeout(() => process.exit(), END_WITHIN_MS);
}
