// Which servers of this database speak to each other: says that this one does, with each turn of the leases, and looks who else does.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ServerNodeRow } from '../database/schema/server-node-schema.ts';
import {
  beatNode,
  leaveNodes,
  lookAtNodes,
  type NewNode,
  type NodeLook,
  storeNode,
} from '../database/server-node.queries.ts';
import { livingOthers, type NodeRefusal, refusalOf } from './node-judge.ts';

/** This server may not work with the others of its database. */
export class NodeNotFit extends Error {
  override readonly name = 'NodeNotFit';
  readonly refusal: NodeRefusal;

  constructor(refusal: NodeRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export interface NodeDirectoryOptions {
  readonly own: NewNode;
  readonly clock: Clock;
  readonly log: Logger;
}

export class NodeDirectory {
  readonly #options: NodeDirectoryOptions;
  readonly #looked: ((others: readonly ServerNodeRow[]) => void)[] = [];
  #others: readonly ServerNodeRow[] = [];
  #refusal: NodeRefusal | null = null;

  constructor(options: NodeDirectoryOptions) {
    this.#options = options;
  }

  /** Living, by the clock of the database; none while this server does not fit. While the database is away they stay as they were. */
  get others(): readonly ServerNodeRow[] {
    return this.#others;
  }

  /** Why it takes no part now. */
  get refusal(): NodeRefusal | null {
    return this.#refusal;
  }

  /** After each turn. */
  whenLooked(callback: (others: readonly ServerNodeRow[]) => void): void {
    this.#looked.push(callback);
  }

  /** Before the first turn. Throws NodeNotFit. */
  async join(client: pg.Client): Promise<void> {
    const { own } = this.#options;
    await storeNode(client, own);
    await this.turn(client);
    if (this.#refusal !== null) throw new NodeNotFit(this.#refusal);
  }

  async turn(client: pg.Client): Promise<void> {
    const { own, clock } = this.#options;
    const asked = clock.wallMs();
    const look = await lookAtNodes(client);
    const wallMs = (asked + clock.wallMs()) / 2;
    const row = look.rows.find(({ node_id: nodeId }) => nodeId === own.node_id);
    // Somebody cleared the table.
    if (row === undefined) return await storeNode(client, own);
    const refusal = refusalOf({ own: row, wallMs, ...look });
    this.#note(refusal);
    if (refusal === null) await beatNode(client, own.node_id);
    else await leaveNodes(client, own.node_id);
    this.#take(look);
  }

  async leave(client: pg.Client): Promise<void> {
    await leaveNodes(client, this.#options.own.node_id);
  }

  #note(refusal: NodeRefusal | null): void {
    const before = this.#refusal;
    this.#refusal = refusal;
    if (before?.code === refusal?.code) return;
    const { log } = this.#options;
    if (refusal === null) log.info({}, 'this server works with the others of its database again');
    else
      log.error(
        { code: refusal.code },
        `this server takes no part among the others of its database: ${refusal.message}`,
      );
  }

  #take({ rows, now }: NodeLook): void {
    const { node_id: nodeId } = this.#options.own;
    this.#others = this.#refusal === null ? livingOthers(rows, { nodeId, now }) : [];
    for (const callback of this.#looked) callback(this.#others);
  }
}
