// Lines to all other servers of the database: calls to the sites that they have, and what has to be told to all of them.
import type { TlsIdentity } from '@vedette/foundation/network/pinned-tls.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import { CallError } from '../core/call-error.ts';
import type { ServerNodeRow } from '../database/schema/server-node-schema.ts';
import type { AssignmentChange } from '../site-link/assignment-sync.ts';
import type { SitePort, SitesElsewhere } from '../site-link/site-port.ts';
import { type HeldSite, HeldSites } from './held-sites.ts';
import type { NodeDirectory } from './node-directory.ts';
import { NodePeer, type NodeState } from './node-peer.ts';

export interface NodeLinesOptions {
  readonly ownNodeId: string;
  readonly directory: NodeDirectory;
  readonly identity: TlsIdentity;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A change waits no longer than this for another server; bringing it goes on there. */
const TELL_WITHIN_MS = 1500;

export class NodeLines implements SitesElsewhere {
  readonly #options: NodeLinesOptions;
  readonly ownNodeId: string;
  readonly #peers = new Map<string, NodePeer>();
  readonly #changed: ((siteId: string, epoch: number | null) => void)[] = [];
  readonly #held = new HeldSites((siteId, site) => this.#siteChanged(siteId, site));
  /** Names this run of the process. */
  readonly #run = newId();
  /** How many changes it told of. */
  #changes = 0;
  #isClosed = false;

  constructor(options: NodeLinesOptions) {
    this.#options = options;
    this.ownNodeId = options.ownNodeId;
    options.directory.whenLooked((others) => this.#follow(others));
  }

  readonly at = (siteId: string): SitePort | null => {
    const site = this.#held.of(siteId);
    const line = site === null ? null : (this.#peers.get(site.nodeId)?.line ?? null);
    if (site === null || line === null) return null;
    return {
      isOnline: () => true,
      rtspPort: () => site.offers.rtspPort,
      canTranscode: () => site.offers.canTranscode,
      call: (name, input) => line.call(siteId, name, input),
    };
  };

  readonly nodeOf = (siteId: string): string | null => this.#held.of(siteId)?.nodeId ?? null;

  readonly siteIds = (): readonly string[] => this.#held.siteIds();

  readonly whenChanged = (callback: (siteId: string, epoch: number | null) => void): void => {
    this.#changed.push(callback);
  };

  /** One that is not reached now learns by the number that it missed something. */
  readonly publish = async (change: AssignmentChange): Promise<void> => {
    this.#changes += 1;
    const number = this.#changes;
    const lines = [...this.#peers.values()].flatMap(({ line }) => line ?? []);
    await Promise.all(
      lines.map(async (line) => {
        try {
          await line.tell(number, change, TELL_WITHIN_MS);
        } catch (error) {
          if (!(error instanceof CallError)) throw error;
        }
      }),
    );
  };

  states(): readonly { readonly node: ServerNodeRow; readonly state: NodeState }[] {
    return [...this.#peers.values()].map(({ node, state }) => ({ node, state }));
  }

  close(): void {
    this.#isClosed = true;
    for (const peer of this.#peers.values()) peer.close();
    this.#peers.clear();
  }

  #follow(others: readonly ServerNodeRow[]): void {
    if (this.#isClosed) return;
    const wanted = new Map(others.map((node) => [node.node_id, node]));
    for (const [nodeId, peer] of this.#peers) {
      const node = wanted.get(nodeId);
      if (node !== undefined && isSamePlace(node, peer.node)) continue;
      this.#peers.delete(nodeId);
      peer.close();
    }
    for (const node of others) if (!this.#peers.has(node.node_id)) this.#peers.set(node.node_id, this.#newPeer(node));
  }

  #newPeer(node: ServerNodeRow): NodePeer {
    const { identity, clock, log } = this.#options;
    const hello = () => ({ run: this.#run, changes: this.#changes });
    return new NodePeer({ node, identity, clock, log, held: this.#held, hello });
  }

  #siteChanged(siteId: string, site: HeldSite | null): void {
    for (const callback of this.#changed) callback(siteId, site?.epoch ?? null);
  }
}

function isSamePlace(one: ServerNodeRow, other: ServerNodeRow): boolean {
  return one.address === other.address && one.fingerprint === other.fingerprint;
}
