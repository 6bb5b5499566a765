// Writes and reads the servers that speak to each other, by the clock of the database.
import type pg from 'pg';
import type { ServerNodeRow } from './schema/server-node-schema.ts';
import { ask, NOW } from './work-lease.queries.ts';

export type NewNode = Omit<ServerNodeRow, 'started_at' | 'seen_at'>;

export interface NodeLook {
  /** Clock of the database, ms. */
  readonly now: number;
  readonly rows: readonly ServerNodeRow[];
}

/** One that was here before with the same identity is this one, started again. */
export async function storeNode(client: pg.Client, node: NewNode): Promise<void> {
  const text = `
    insert into server_node (node_id, address, fingerprint, release, key_check, started_at, seen_at)
    values ($1, $2, $3, $4, $5, ${NOW}, ${NOW})
    on conflict (node_id) do update set address = $2, fingerprint = $3, release = $4, key_check = $5,
      started_at = excluded.started_at, seen_at = excluded.seen_at`;
  await ask(client, text, [node.node_id, node.address, node.fingerprint, node.release, node.key_check]);
}

export async function lookAtNodes(client: pg.Client): Promise<NodeLook> {
  const rows = await ask<ServerNodeRow & { now: number }>(client, `select *, ${NOW} as now from server_node`);
  return { now: rows[0]?.now ?? 0, rows };
}

export async function beatNode(client: pg.Client, nodeId: string): Promise<void> {
  await ask(client, `update server_node set seen_at = ${NOW} where node_id = $1`, [nodeId]);
}

/** The others need not wait until it is silent. */
export async function leaveNodes(client: pg.Client, nodeId: string): Promise<void> {
  await ask(client, 'update server_node set seen_at = 0 where node_id = $1', [nodeId]);
}
