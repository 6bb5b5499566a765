// Floor control of talk: one holder per device, first come first served; only another page of the same account takes over.

export interface TalkHolder {
  readonly userId: string;
  readonly userName: string;
  /** Told that another page of the same account took the line. */
  taken(): void;
}

export class TalkLock {
  readonly #holders = new Map<string, TalkHolder>();

  holder(deviceSerial: string): TalkHolder | null {
    return this.#holders.get(deviceSerial) ?? null;
  }

  /** The one in whose way the account is, or null when it may talk. */
  holderOtherThan(deviceSerial: string, userId: string): TalkHolder | null {
    const holder = this.#holders.get(deviceSerial);
    return holder && holder.userId !== userId ? holder : null;
  }

  /** Answers whoever is in the way, else null: then the line is the asker's until `leave`. */
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
