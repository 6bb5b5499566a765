// What a server tells the gateway of its own machine: the servers of the database, in a file that is replaced as a whole. Without zod, which would cost every gateway 19 MB.

/** In the folder of the sockets. */
export const NODE_LIST_FILE = 'nodes.json';

export interface ListedNode {
  readonly nodeId: string;
  /** Where its gateway takes connections of servers, host:port. */
  readonly address: string;
  /** SHA-256 of its certificate, lower-case hex. */
  readonly fingerprint: string;
}

export interface NodeList {
  /** This one. */
  readonly nodeId: string;
  /** Those that live. */
  readonly others: readonly ListedNode[];
}

/** @throws SyntaxError, TypeError for what is no list */
export function readNodeList(text: string): NodeList {
  const value = JSON.parse(text) as Partial<NodeList> | null;
  if (typeof value?.nodeId !== 'string' || !Array.isArray(value.others) || !value.others.every(isListedNode))
    throw new TypeError('no list of servers');
  return { nodeId: value.nodeId, others: value.others };
}

function isListedNode(value: unknown): value is ListedNode {
  const { nodeId, address, fingerprint } = (value ?? {}) as Partial<ListedNode>;
  return [nodeId, address, fingerprint].every((field) => typeof field === 'string');
}
