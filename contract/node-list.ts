// What a server tells the gateway of its own machine: the servers of the database, in a file that is replaced as a whole.
import { z } from 'zod';

/** In the folder of the sockets. */
export const NODE_LIST_FILE = 'nodes.json';

export const nodeList = z.object({
  /** This one. */
  nodeId: z.string(),
  /** Those that live: where their gateways take connections of servers, host:port, and the SHA-256 of their certificates, lower-case hex. */
  others: z.array(z.object({ nodeId: z.string(), address: z.string(), fingerprint: z.string() })),
});
export type NodeList = z.infer<typeof nodeList>;
