// The other servers of the database: who they are, the lines to them, and their lines to this one.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Environment } from '../core/environment.ts';
import type { ServersHealth } from '../features/system-health/server-entries.ts';
import type { NodeGate } from '../http/websocket-upgrades.ts';
import { NodeDirectory } from '../node-line/node-directory.ts';
import { NodeEndpoint } from '../node-line/node-endpoint.ts';
import { keyCheckOf } from '../node-line/node-judge.ts';
import { NodeLines } from '../node-line/node-lines.ts';
import { NodeListWriter } from '../node-line/node-list-writer.ts';
import type { AssignmentChange, AssignmentSync } from '../site-link/assignment-sync.ts';
import type { Sites } from '../site-link/sites.ts';
import type { SitesElsewhere } from '../site-link/site-port.ts';
import type { Core } from './core.ts';

export interface NodeModule {
  readonly elsewhere: SitesElsewhere;
  /** To all other servers. */
  readonly publish: (change: AssignmentChange) => Promise<void>;
  /** Null without lines to others. */
  readonly gate: (sites: { readonly site: Sites; readonly assignmentSync: AssignmentSync }) => NodeGate | null;
  /** Null without lines to others. */
  readonly health: () => ServersHealth | null;
  start(): void;
  close(): void;
}

const ALONE: NodeModule = {
  elsewhere: {
    ownNodeId: null,
    nodeOf: () => null,
    at: () => null,
    siteIds: () => [],
    whenChanged: () => undefined,
  },
  publish: async () => undefined,
  gate: () => null,
  health: () => null,
  start: () => undefined,
  close: () => undefined,
};

/** Throws NodeNotFit. */
export async function nodeModule(
  core: Core,
  { node, nodeListPath }: Pick<Environment, 'node' | 'nodeListPath'>,
): Promise<NodeModule> {
  if (node === null) return ALONE;
  const { clock, log, leases, nodeId, version, masterKey } = core;
  const [cert, key] = [readFileSync(node.cert, 'utf8'), readFileSync(node.key, 'utf8')];
  const fingerprint = new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();
  const own = {
    node_id: nodeId,
    address: node.address,
    fingerprint,
    release: version,
    key_check: keyCheckOf(masterKey),
  };
  const directory = new NodeDirectory({ own, clock, log });
  const lines = new NodeLines({ ownNodeId: nodeId, directory, identity: { cert, key }, clock, log });
  const nodeList = new NodeListWriter(nodeListPath, nodeId);
  directory.whenLooked((others) => nodeList.write(others));
  await leases.accompany(directory, (client) => directory.join(client));
  const endpoints: NodeEndpoint[] = [];
  return {
    elsewhere: lines,
    publish: lines.publish,
    health: () => ({
      refusal: directory.refusal?.code ?? null,
      address: node.address,
      others: lines.states().map((one) => ({ address: one.node.address, state: one.state })),
    }),
    gate: ({ site, assignmentSync }) => {
      const endpoint = new NodeEndpoint({ directory, clock, log, sites: site, sync: assignmentSync });
      endpoints.push(endpoint);
      return endpoint;
    },
    start: () => undefined,
    close: () => {
      lines.close();
      for (const endpoint of endpoints) endpoint.close();
    },
  };
}
