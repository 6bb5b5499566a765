// Routes what comes to the port: own pages, redirects to TLS, live video, and everything else to server or site by its path.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';
import type { Peer } from './client/peer.ts';
import { boundBody } from './forwarding/body-limits.ts';
import { hasBody, requestHeaders } from './forwarding/headers.ts';
import type { Proxy, Upstream } from './forwarding/proxy.ts';
import { dialSocket, passUpgrade } from './forwarding/upgrade.ts';
import type { Listener } from './listener/listener.ts';
import { LIVE_PATH, type LiveVideo } from './live/live-video.ts';
import type { KnownNodes } from './node/known-nodes.ts';
import type { NodeDialler } from './node/node-dialler.ts';
import { nodeOfRequest } from './node/node-route.ts';
import { safeHost, type TrustPages } from './pages/trust.ts';
import { type Settings, socketPaths } from './settings.ts';

export interface GatewayOptions {
  readonly settings: Settings;
  readonly listener: Pick<Listener, 'known'>;
  readonly readPeer: (request: IncomingMessage) => Peer;
  readonly proxy: Pick<Proxy, 'pass'>;
  readonly trustPages: Pick<TrustPages, 'answer'>;
  readonly liveVideo: Pick<LiveVideo, 'serve'>;
  /** Null where the installation has one server. */
  readonly elsewhere: NodesElsewhere | null;
}

export interface NodesElsewhere {
  readonly nodes: Pick<KnownNodes, 'isOwn'>;
  readonly dialler: Pick<NodeDialler, 'dialSocket' | 'agentOf'>;
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #sockets: ReturnType<typeof socketPaths>;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#sockets = socketPaths(options.settings);
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    const { settings, readPeer, trustPages, proxy } = this.#options;
    boundBody(request, settings.bodyLimits);
    const peer = readPeer(request);
    const target = request.url ?? '';
    // RFC 6797 7.2: on secure answers alone. Subdomains are other machines.
    if (settings.hsts === true && peer.secure) response.setHeader('strict-transport-security', 'max-age=31536000');
    if (!target.startsWith('/')) response.writeHead(400, { connection: 'close' }).end();
    else if (trustPages.answer(pathOf(target), request, response)) return;
    else if (!peer.plainAllowed && !peer.secure) redirect(request, response);
    else proxy.pass(request, response, peer, this.#upstreamFor(request));
  }

  upgrade(request: IncomingMessage, viewer: Duplex, head: Buffer): void {
    const peer = this.#options.readPeer(request);
    const target = request.url ?? '';
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket' && !hasBody(request);
    const { listener, liveVideo } = this.#options;
    const onAnswer = (): void => listener.known(viewer);
    if (!target.startsWith('/') || !isWebSocket) refuseUpgrade(viewer, '400 Bad Request');
    else if (!peer.plainAllowed && !peer.secure) refuseUpgrade(viewer, '403 Forbidden');
    else if (pathOf(target) === LIVE_PATH) void liveVideo.serve(request, viewer, head, { peer, onAnswer });
    else {
      const headers = requestHeaders(request, peer);
      passUpgrade(request, viewer, head, { headers, dial: () => this.#dialFor(request), onAnswer });
    }
  }

  #upstreamFor(request: IncomingMessage): Upstream {
    const other = this.#otherNode(request);
    return other === null ? { socketPath: this.#socketFor(request) } : { agent: other.dialler.agentOf(other.nodeId) };
  }

  async #dialFor(request: IncomingMessage): Promise<Duplex> {
    const other = this.#otherNode(request);
    return await (other === null ? dialSocket(this.#socketFor(request)) : other.dialler.dialSocket(other.nodeId));
  }

  /** Null for what is served on this machine. */
  #otherNode(
    request: IncomingMessage,
  ): { readonly nodeId: string; readonly dialler: NodesElsewhere['dialler'] } | null {
    const { elsewhere } = this.#options;
    const nodeId = elsewhere === null ? null : nodeOfRequest(request);
    if (elsewhere === null || nodeId === null || elsewhere.nodes.isOwn(nodeId)) return null;
    return { nodeId, dialler: elsewhere.dialler };
  }

  #socketFor({ url: target = '' }: IncomingMessage): string {
    return target.startsWith('/media/') ? this.#sockets.site : this.#sockets.server;
  }
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? '';
}

/** To TLS, on the same port. */
function redirect(request: IncomingMessage, response: ServerResponse): void {
  const host = safeHost(request);
  if (host === null) response.writeHead(400, { connection: 'close' }).end();
  else response.writeHead(307, { location: `https://${host}${request.url}`, 'cache-control': 'no-store' }).end();
}
