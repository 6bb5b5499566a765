// Whether this server may have missed changes that another one told of: then its sites are sent everything once more.

/** A run of another server's process, and how many changes it told of. */
export interface ChangeCount {
  readonly run: string;
  readonly changes: number;
}

export class MissedChanges {
  /** By server; null: it is among the servers, and was not heard yet. */
  readonly #heard = new Map<string, ChangeCount | null>();

  /** The server is among those of the database. */
  seen(nodeId: string): void {
    if (!this.#heard.has(nodeId)) this.#heard.set(nodeId, null);
  }

  /** Its line begins; answers whether something may have been missed. */
  begun(nodeId: string, told: ChangeCount): boolean {
    const heard = this.#heard.get(nodeId) ?? null;
    this.#heard.set(nodeId, told);
    if (heard === null) return told.changes > 0;
    // A run that ended may have told of something that did not arrive.
    return heard.run !== told.run || heard.changes !== told.changes;
  }

  /** A change arrived; answers whether others before it may have been missed. */
  told(nodeId: string, number: number): boolean {
    const heard = this.#heard.get(nodeId);
    if (heard === undefined || heard === null) return true;
    this.#heard.set(nodeId, { ...heard, changes: Math.max(heard.changes, number) });
    return number > heard.changes + 1;
  }

  /** The server is no longer among those of the database; answers whether something may have been missed. */
  gone(nodeId: string): boolean {
    return this.#heard.delete(nodeId);
  }
}
