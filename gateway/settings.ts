// Reads the settings of the gateway from its environment, once; nothing else looks at process.env.
import { join } from 'node:path';
import { NODE_LIST_FILE } from '@vedette/contract/node-list.ts';
import type { BodyLimits } from './forwarding/body-limits.ts';

export interface Settings {
  readonly port: number;
  /** Empty: every address. */
  readonly host: string;
  /** Folder of the other processes' sockets. */
  readonly run: string;
  /** Files; `ca` is null where the certificate is the operator's own. */
  readonly tls: { readonly ca: string | null; readonly cert: string; readonly key: string };
  /** Trusted proxies may use plain HTTP. */
  readonly http: boolean;
  readonly hsts?: boolean;
  /** Addresses or CIDR ranges. */
  readonly trustedProxies: readonly string[];
  /** Overwrites released frame memory, to find late readers. For tests. */
  readonly poisonsMemory: boolean;
  /** Where lines of other servers are taken, and with which certificate; absent: nowhere. */
  readonly node?: { readonly host: string; readonly port: number; readonly cert: string; readonly key: string } | null;
  /** For tests. */
  readonly bodyLimits?: BodyLimits;
}

/** @throws Error without `VEDETTE_GATEWAY`: the launcher writes it, as JSON */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const text = env['VEDETTE_GATEWAY'];
  if (text === undefined) throw new Error('the environment lacks VEDETTE_GATEWAY');
  return { ...(JSON.parse(text) as Settings), poisonsMemory: env['VEDETTE_POISON_MEMORY'] === '1' };
}

/** Sockets of the processes behind the gateway, and the server's list of the others. */
export function socketPaths({ run }: Settings) {
  const [site, server, feed] = [join(run, 'site.sock'), join(run, 'server.sock'), join(run, 'feed.sock')];
  return { site, server, feed, nodes: join(run, NODE_LIST_FILE) };
}
