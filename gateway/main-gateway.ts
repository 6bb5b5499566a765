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
const liveVideo = new LiveVideo({
  socketPath: socketPaths(settings).feed,
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
});
listener.server.on('request', (request, response) => gateway.request(request, response));
listener.server.on('upgrade', (request, viewer, head) => gateway.upgrade(request, viewer, head));

const nodeListener = settings.node ? openNodeListener(settings.node) : null;
const nodeOutcome = nodeListener && (await listen(nodeListener.server, nodeListener.place, NODE_HINT));
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

function openNodeListener({ cert, key, ...place }: NonNullable<Settings['node']>) {
  const secureContext = { cert: readFileSync(cert), key: readFileSync(key) };
  return { place, server: createNodeListener({ secureContext, socketPath: socketPaths(settings).server }) };
}

function end(): void {
  nodeListener?.server.close();
  listener.server.close(() => process.exit());
  listener.server.closeIdleConnections();
  proxy.close();
  liveVideo.close();
  setTimeout(() => process.exit(), END_WITHIN_MS);
}
