// Reorders one track's packets that came over UDP, and waits for a missing one only as long as this network needs.

/** A line is given this long at first; then it is what its late packets showed. */
const FIRST_WAIT_MS = 60;
const SHORTEST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;
/** A packet that came this late makes the next wait longer by so much. */
const MARGIN = 1.5;
/** Every loss that no waiting could have mended makes the wait a little shorter. */
const DECAY = 0.95;
const MAX_HELD = 1024;
/** Further ahead than this is a new count, not a gap. */
const MAX_AHEAD = 4096;
/** So many packets behind in a row are a new count as well. */
const RESTART_AFTER = 32;
const MAX_REMEMBERED = 512;

interface Held {
  readonly packet: Buffer;
  readonly atMs: number;
}

export class ReorderBuffer {
  readonly #deliver: (packet: Buffer) => void;
  #expected = -1;
  /** By sequence number, in order of arrival. */
  readonly #held = new Map<number, Held>();
  /** Sequence numbers given up, with the time at which they were first missed. */
  readonly #givenUp = new Map<number, number>();
  #behind = 0;
  #waitMs = FIRST_WAIT_MS;

  /** `deliver` gets packets in order; those that came too late or twice come out of order, for the receiver to count. */
  constructor(deliver: (packet: Buffer) => void) {
    this.#deliver = deliver;
  }

  get heldPackets(): number {
    return this.#held.size;
  }

  /** Takes a whole RTP packet, which is kept and never changed. */
  push(packet: Buffer, nowMs: number): void {
    if (packet.length < 4) {
      this.#deliver(packet);
      return;
    }
    const sequence = packet.readUInt16BE(2);
    const ahead = (sequence - this.#expected) & 0xffff;
    if (this.#expected < 0 || ahead === 0) this.#inOrder(packet, sequence, nowMs);
    else if (ahead >= 0x8000) this.#late(packet, sequence, nowMs);
    else if (ahead > MAX_AHEAD) {
      this.#releaseAll();
      this.#inOrder(packet, sequence, nowMs);
    } else if (!this.#held.has(sequence)) {
      this.#held.set(sequence, { packet, atMs: nowMs });
      if (this.#held.size > MAX_HELD) this.#giveUp();
    }
  }

  /** Gives up what was waited for long enough; answers in how many milliseconds to look again, or null when nothing is held. */
  release(nowMs: number): number | null {
    for (;;) {
      const since = this.#oldestMs();
      if (since === null) return null;
      const rest = since + this.#waitMs - nowMs;
      if (rest > 0) return Math.ceil(rest);
      this.#giveUp();
      this.#waitMs = Math.max(SHORTEST_WAIT_MS, this.#waitMs * DECAY);
    }
  }

  #inOrder(packet: Buffer, sequence: number, nowMs: number): void {
    const since = this.#oldestMs();
    if (since !== null) this.#learn(nowMs - since);
    this.#behind = 0;
    this.#expected = (sequence + 1) & 0xffff;
    this.#deliver(packet);
    this.#drain();
  }

  #late(packet: Buffer, sequence: number, nowMs: number): void {
    const missedAt = this.#givenUp.get(sequence);
    if (missedAt !== undefined) {
      this.#givenUp.delete(sequence);
      this.#learn(nowMs - missedAt);
    }
    this.#behind += 1;
    if (this.#behind >= RESTART_AFTER) {
      this.#releaseAll();
      this.#expected = (sequence + 1) & 0xffff;
      this.#behind = 0;
    }
    this.#deliver(packet);
  }

  #learn(latenessMs: number): void {
    this.#waitMs = Math.min(LONGEST_WAIT_MS, Math.max(this.#waitMs, latenessMs * MARGIN));
  }

  /** When the packet that waits longest came. */
  #oldestMs(): number | null {
    return this.#held.values().next().value?.atMs ?? null;
  }

  /** Goes on at the nearest packet that is held. */
  #giveUp(): void {
    const since = this.#oldestMs() ?? 0;
    let nearest = 0x10000;
    for (const sequence of this.#held.keys()) nearest = Math.min(nearest, (sequence - this.#expected) & 0xffff);
    if (nearest === 0x10000) return;
    for (let step = 0; step < nearest; step++) this.#remember((this.#expected + step) & 0xffff, since);
    this.#expected = (this.#expected + nearest) & 0xffff;
    this.#drain();
  }

  #remember(sequence: number, missedAt: number): void {
    this.#givenUp.delete(sequence);
    this.#givenUp.set(sequence, missedAt);
    if (this.#givenUp.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#givenUp.keys();
    if (oldest !== undefined) this.#givenUp.delete(oldest);
  }

  #drain(): void {
    for (;;) {
      const next = this.#held.get(this.#expected);
      if (!next) return;
      this.#held.delete(this.#expected);
      this.#expected = (this.#expected + 1) & 0xffff;
      this.#deliver(next.packet);
    }
  }

  #releaseAll(): void {
    while (this.#held.size > 0) this.#giveUp();
  }
}
