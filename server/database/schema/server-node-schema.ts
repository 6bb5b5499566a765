// Types of the tables of servers and of the lines of sites, by hand after migrations/*.sql. Times are of the clock of the database, ms.
import type { Generated, Selectable } from 'kysely';

interface ServerNodeTable {
  node_id: string;
  /** host:port, in the network between the servers. */
  address: string;
  /** SHA-256 of its certificate, lower-case hex. */
  fingerprint: string;
  release: string;
  key_check: string;
  started_at: number;
  seen_at: number;
}

interface SiteLineTable {
  site_id: string;
  node_id: string;
  epoch: Generated<number>;
  since: Generated<number>;
}

export type ServerNodeRow = Selectable<ServerNodeTable>;

export interface ServerNodeSchema {
  server_node: ServerNodeTable;
  site_line: SiteLineTable;
}
