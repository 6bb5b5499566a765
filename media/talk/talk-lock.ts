// Talk lock (floor control): one holder per device, first come first served; only another page of the same account takes over.

export interface TalkHolder {
  readonly userId: string;
  readonly userName: string;
  /** Called when another page of the same account took over. */
  taken(): void;
}

export class TalkLock {
  readonly #holders = new Map<string, TalkHolder>();

  holder(deviceSerial: string): TalkHolder | null {
    return this.#holders.get(deviceSerial) ?? null;
  }

  /** The current holder if it is another account, or null. */
  holderOtherThan(deviceSerial: string, userId: string): TalkHolder | null {
    const holder = this.#holders.get(deviceSerial);
    return holder && holder.userId !== userId ? holder : null;
  }

  /** Returns the current holder, else null: then the caller holds the lock until `leave`. */
  acquire(deviceSerial: string, asker: TalkHolder): TalkHolder | null {
    const other = this.holderOtherThan(deviceSerial, asker.userId);
    if (other) return other;
    this.#holders.get(deviceSerial)?.taken();
    this.#holders.set(deviceSerial, asker);
    return null;
  }

  release(deviceSerial: string, holder: TalkHolder): void {
    if (this.#holders.get(deviceSerial) === holder) this.#holders.delete(deviceSerial);
  }
}
