// Tells the gateway of this machine which servers work on the database, in a file beside the sockets.
import { renameSync, writeFileSync } from 'node:fs';
import type { NodeList } from '@vedette/contract/node-list.ts';
import type { ServerNodeRow } from '../database/schema/server-node-schema.ts';

export class NodeListWriter {
  readonly #file: string;
  readonly #nodeId: string;
  #written = '';

  constructor(file: string, nodeId: string) {
    this.#file = file;
    this.#nodeId = nodeId;
  }

  /** Replaces the file where something has changed. */
  write(others: readonly ServerNodeRow[]): void {
    const list: NodeList = {
      nodeId: this.#nodeId,
      others: others.map(({ node_id: nodeId, address, fingerprint }) => ({ nodeId, address, fingerprint })),
    };
    const text = JSON.stringify(list);
    if (text === this.#written) return;
    writeFileSync(`${this.#file}.new`, text, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
    this.#written = text;
  }
}
