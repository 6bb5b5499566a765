// Another server of the database: keeps a line to it, dialling it again for as long as it is among the servers.
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import { ForeignCertificate, type TlsIdentity } from '@vedette/foundation/network/pinned-tls.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import type { ServerNodeRow } from '../database/schema/server-node-schema.ts';
import { AskingLine } from './asking-line.ts';
import { dialNode, NodeRefused } from './dial-node.ts';
import type { HeldSites } from './held-sites.ts';
import type { ChangeCount } from './missed-changes.ts';

export type NodeState = 'connecting' | 'connected' | 'unreachable' | 'foreign' | 'refused';

export interface NodePeerOptions {
  readonly node: ServerNodeRow;
  readonly identity: TlsIdentity;
  readonly clock: Clock;
  readonly log: Logger;
  readonly held: HeldSites;
  readonly hello: () => ChangeCount;
}

const AGAIN = { firstMs: 200, maxMs: 3000 };
/** A server that starts is refused for a moment by those that have not looked since. */
const TOLD_AFTER = 4;

export class NodePeer {
  readonly #options: NodePeerOptions;
  readonly #backoff = new Backoff(AGAIN, randomFraction);
  #line: AskingLine | null = null;
  #state: NodeState = 'connecting';
  #failures = 0;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(options: NodePeerOptions) {
    this.#options = options;
    void this.#dial();
  }

  get node(): ServerNodeRow {
    return this.#options.node;
  }

  /** Null while it is not connected. */
  get line(): AskingLine | null {
    return this.#line;
  }

  get state(): NodeState {
    return this.#state;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#line?.close();
  }

  async #dial(): Promise<void> {
    const { node, identity } = this.#options;
    try {
      const socket = await dialNode(node, identity);
      if (this.#isClosed) socket.terminate();
      else this.#connected(socket);
    } catch (error) {
      this.#failed(error);
    }
  }

  #connected(socket: Awaited<ReturnType<typeof dialNode>>): void {
    const { node, clock, log, held, hello } = this.#options;
    const { node_id: nodeId, address } = node;
    this.#failures = 0;
    this.#backoff.reset();
    this.#state = 'connected';
    log.info({ node: nodeId, address }, 'another server is connected');
    this.#line = new AskingLine({
      socket,
      clock,
      hello: hello(),
      onSites: (sites) => held.replace(nodeId, sites),
      onSite: (site) => held.set(nodeId, site),
      onSiteGone: (siteId) => held.remove(nodeId, siteId),
      onClose: () => {
        this.#line = null;
        this.#state = 'connecting';
        held.drop(nodeId);
        if (this.#isClosed) return;
        log.warn({ node: nodeId, address }, 'the line to another server is lost');
        this.#again();
      },
    });
  }

  #failed(error: unknown): void {
    const { node, log } = this.#options;
    if (this.#isClosed) return;
    this.#failures += 1;
    const state = stateOf(error);
    if (this.#failures >= TOLD_AFTER && state !== this.#state) {
      this.#state = state;
      log.warn({ err: error, node: node.node_id, address: node.address }, `another server is not reached: ${state}`);
    }
    this.#again();
  }

  #again(): void {
    this.#cancel = this.#options.clock.after(this.#backoff.next(), () => void this.#dial());
  }
}

function stateOf(error: unknown): NodeState {
  if (error instanceof ForeignCertificate) return 'foreign';
  return error instanceof NodeRefused ? 'refused' : 'unreachable';
}
