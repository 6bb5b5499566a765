// Judges whether a server may work with the others of its database: the same master key, a clock that is right, a release that fits.
import { createHmac } from 'node:crypto';
import type { ServerNodeRow } from '../database/schema/server-node-schema.ts';

/** Without a sign of life for so long a server is none of the others any more. */
export const NODE_GONE_MS = 15_000;
/** Tickets, tokens and leases of accounts are judged by the clock of each server. */
export const CLOCK_OFF_MS = 60_000;

export type NodeRefusalCode = 'masterKeyDiffers' | 'clockDiffers' | 'releaseDiffers';

export interface NodeRefusal {
  readonly code: NodeRefusalCode;
  /** For whoever reads the log. */
  readonly message: string;
}

export interface JudgedNode {
  readonly own: ServerNodeRow;
  /** Of this server, and of the database at the same instant, ms. */
  readonly wallMs: number;
  readonly now: number;
  readonly rows: readonly ServerNodeRow[];
}

/** Null where it may. Of two that do not fit, the one that started later goes. */
export function refusalOf({ own, wallMs, now, rows }: JudgedNode): NodeRefusal | null {
  const offMs = wallMs - now;
  if (Math.abs(offMs) > CLOCK_OFF_MS) {
    const message = `the clock of this machine is ${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? 'ahead of' : 'behind'} that of the database.`;
    return { code: 'clockDiffers', message };
  }
  for (const other of livingOthers(rows, { nodeId: own.node_id, now })) {
    if (!isBefore(other, own)) continue;
    if (other.key_check !== own.key_check) {
      const message = `the server at ${other.address} has another master key, and so cannot read what this one stores.`;
      return { code: 'masterKeyDiffers', message };
    }
    if (!fits(own.release, other.release)) {
      const message = `the server at ${other.address} is of release ${other.release}, this one of ${own.release}.`;
      return { code: 'releaseDiffers', message };
    }
  }
  return null;
}

export function livingOthers(
  rows: readonly ServerNodeRow[],
  { nodeId, now }: { readonly nodeId: string; readonly now: number },
): readonly ServerNodeRow[] {
  return rows.filter((row) => row.node_id !== nodeId && now - row.seen_at < NODE_GONE_MS);
}

function isBefore(other: ServerNodeRow, own: ServerNodeRow): boolean {
  if (other.started_at !== own.started_at) return other.started_at < own.started_at;
  return other.node_id < own.node_id;
}

/** The next minor release may run beside this one, while they are replaced one after the other. */
function fits(one: string, other: string): boolean {
  const [oneMajor = 0, oneMinor = 0] = numbersOf(one);
  const [otherMajor = 0, otherMinor = 0] = numbersOf(other);
  return oneMajor === otherMajor && Math.abs(oneMinor - otherMinor) <= 1;
}

function numbersOf(release: string): number[] {
  return release.split('.').map((part) => Number.parseInt(part, 10) || 0);
}

/** Says whether two servers have the same master key, and nothing of the key. */
export function keyCheckOf(masterKey: Buffer): string {
  return createHmac('sha256', masterKey).update('vedette-server-node/1').digest('hex');
}
