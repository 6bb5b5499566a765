// Connects to the gateways of other servers: HTTP for what a ticket names, and the feed of live video.
import http from 'node:http';
import type { Duplex } from 'node:stream';
import { dialPinned, type PinnedPlace, type TlsIdentity } from '@vedette/foundation/network/pinned-tls.ts';
import type { KnownNodes } from './known-nodes.ts';
import type { NodeConnections } from './node-connections.ts';

/** The server that a ticket names is not among those of the database. */
export class NodeUnknown extends Error {
  override readonly name = 'NodeUnknown';
}

export interface NodeDiallerOptions {
  readonly nodes: Pick<KnownNodes, 'placeOf'>;
  readonly identity: TlsIdentity;
  readonly connections: Pick<NodeConnections, 'keep' | 'look'>;
}

/** Path of the feed between gateways. */
export const FEED_PATH = '/feed';
/** Not a WebSocket: the bytes of the feed follow the answer. */
export const FEED_PROTOCOL = 'vedette-feed';

const FREE_CONNECTIONS_MAX = 64;

export class NodeDialler {
  readonly #options: NodeDiallerOptions;
  readonly #agents = new Map<string, http.Agent>();

  constructor(options: NodeDiallerOptions) {
    this.#options = options;
  }

  /** Rejects with NodeUnknown, ForeignCertificate, or what the network says. */
  async dial(nodeId: string): Promise<Duplex> {
    const { nodes, identity, connections } = this.#options;
    const place = nodes.placeOf(nodeId);
    if (place === null) throw new NodeUnknown(`no server ${nodeId} works on this database`);
    const socket = await dialPinned(place, identity);
    connections.keep(socket, () => isSame(place, nodes.placeOf(nodeId)));
    return socket;
  }

  /** Keeps connections between requests. */
  agentOf(nodeId: string): http.Agent {
    // None is used again that has another server at its end by now.
    this.#options.connections.look();
    const known = this.#agents.get(nodeId);
    if (known !== undefined) return known;
    const agent = new NodeAgent(() => this.dial(nodeId));
    this.#agents.set(nodeId, agent);
    return agent;
  }

  /** Rejects as `dial`, and where the other gateway does not give its feed. What follows its answer is emitted as `data`. */
  async dialFeed(nodeId: string): Promise<Duplex> {
    const socket = await this.dial(nodeId);
    const request = http.request({
      createConnection: () => socket,
      path: FEED_PATH,
      headers: { host: 'node', connection: 'Upgrade', upgrade: FEED_PROTOCOL },
    });
    const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
    request.once('upgrade', (_answer, upgraded, head) => {
      if (head.length > 0) upgraded.unshift(head);
      resolve(upgraded);
    });
    request.once('response', ({ statusCode }) => {
      socket.destroy();
      reject(new Error(`the gateway of the server ${nodeId} answered ${statusCode}`));
    });
    request.once('error', reject);
    request.end();
    return await promise;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

function isSame(place: PinnedPlace, now: PinnedPlace | null): boolean {
  return now !== null && now.address === place.address && now.fingerprint === place.fingerprint;
}

class NodeAgent extends http.Agent {
  readonly #dial: () => Promise<Duplex>;

  constructor(dial: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: FREE_CONNECTIONS_MAX });
    this.#dial = dial;
  }

  override createConnection(
    _options: http.ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#dial().then(
      (socket) => callback?.(null, socket),
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return undefined;
  }
}
