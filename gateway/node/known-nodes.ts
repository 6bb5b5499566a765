// The servers of the database as the own server last wrote them down: who this one is, where the others take connections, and by which certificates they are known.
import { readFileSync, statSync } from 'node:fs';
import { type NodeList, readNodeList } from '@vedette/contract/node-list.ts';
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { PinnedPlace } from '@vedette/foundation/network/pinned-tls.ts';

export class KnownNodes {
  readonly #file: string;
  readonly #log: (line: string) => void;
  /** Which file was read last: two may be written within one tick of the file system's clock. */
  #version = '';
  #nodes: NodeList | null = null;

  /** @param file need not exist yet */
  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
  }

  isOwn(nodeId: string): boolean {
    return this.#read()?.nodeId === nodeId;
  }

  /** Null for one that is not among the living. */
  placeOf(nodeId: string): PinnedPlace | null {
    return this.#read()?.others.find((one) => one.nodeId === nodeId) ?? null;
  }

  has(fingerprint: string): boolean {
    return this.#read()?.others.some((one) => one.fingerprint === fingerprint) ?? false;
  }

  /** It is replaced as a whole, and small: it is looked at each time it is needed. */
  #read(): NodeList | null {
    const file = statSync(this.#file, { throwIfNoEntry: false });
    const version = file === undefined ? '' : `${file.ino}/${file.size}/${file.mtimeMs}`;
    if (version === this.#version) return this.#nodes;
    this.#version = version;
    this.#nodes = file === undefined ? null : this.#parse();
    return this.#nodes;
  }

  #parse(): NodeList | null {
    try {
      return readNodeList(readFileSync(this.#file, 'utf8'));
    } catch (error) {
      this.#log(`the list of servers cannot be read: ${errorMessage(error)}`);
      return null;
    }
  }
}
