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

/** As many sockets of viewers as may be open to one server already are. */
export class NodeBusy extends Error {
  override readonly name = 'NodeBusy';
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

/** To one server: further requests wait. */
const REQUESTS_MAX = 512;
const FREE_CONNECTIONS_MAX = 64;
/** To one server: further ones are refused. */
const SOCKETS_MAX = 512;

export class NodeDialler {
  readonly #options: NodeDiallerOptions;
  /** Of servers that live, or did: whoever asks for made-up ones shares one. */
  readonly #agents = new Map<string, http.Agent>();
  readonly #nobody = new NodeAgent(() => Promise.reject(new NodeUnknown('no such server works on this database')));
  readonly #sockets = new Map<string, number>();

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

  /** For a WebSocket. Rejects as `dial`, and with NodeBusy. */
  async dialSocket(nodeId: string): Promise<Duplex> {
    const open = this.#sockets.get(nodeId) ?? 0;
    if (open >= SOCKETS_MAX) throw new NodeBusy(`${open} sockets are open to the server ${nodeId}`);
    if (!this.isKnown(nodeId)) throw new NodeUnknown(`no server ${nodeId} works on this database`);
    this.#count(nodeId, 1);
    try {
      const socket = await this.dial(nodeId);
      socket.once('close', () => this.#count(nodeId, -1));
      return socket;
    } catch (error) {
      this.#count(nodeId, -1);
      throw error;
    }
  }

  isKnown(nodeId: string): boolean {
    return this.#options.nodes.placeOf(nodeId) !== null;
  }

  /** Keeps connections between requests. */
  agentOf(nodeId: string): http.Agent {
    if (!this.isKnown(nodeId)) return this.#nobody;
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

  #count(nodeId: string, change: 1 | -1): void {
    this.#sockets.set(nodeId, (this.#sockets.get(nodeId) ?? 0) + change);
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
    super({ keepAlive: true, maxSockets: REQUESTS_MAX, maxFreeSockets: FREE_CONNECTIONS_MAX });
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
