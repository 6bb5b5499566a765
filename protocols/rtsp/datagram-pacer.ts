// Spreads bursts of datagrams over time: a whole GOP at once would overflow the receive buffer of the client.

/** At most this much at once, and again after each pause: about 100 Mbit/s, and less than half of a usual receive buffer. */
const BURST_BYTES = 65_536;
const PAUSE_MS = 5;
/** What no line takes in time is of no use any more. */
const MAX_QUEUED_BYTES = 16 * 1024 * 1024;

export class DatagramPacer {
  readonly #write: (packet: Buffer, isControl: boolean) => void;
  #queue: { readonly packet: Buffer; readonly isControl: boolean }[] = [];
  #at = 0;
  #queuedBytes = 0;
  #sentBytes = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(write: (packet: Buffer, isControl: boolean) => void) {
    this.#write = write;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  send(packet: Buffer, isControl: boolean): void {
    if (this.#queuedBytes > 0 || this.#sentBytes >= BURST_BYTES) {
      if (this.#queuedBytes + packet.length > MAX_QUEUED_BYTES) return;
      this.#queue.push({ packet, isControl });
      this.#queuedBytes += packet.length;
    } else {
      this.#sentBytes += packet.length;
      this.#write(packet, isControl);
    }
    this.#timer ??= setTimeout(() => this.#next(), PAUSE_MS);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#queue = [];
    this.#at = 0;
    this.#queuedBytes = 0;
  }

  #next(): void {
    this.#timer = null;
    this.#sentBytes = 0;
    while (this.#at < this.#queue.length && this.#sentBytes < BURST_BYTES) {
      const { packet, isControl } = this.#queue[this.#at++] as { packet: Buffer; isControl: boolean };
      this.#sentBytes += packet.length;
      this.#queuedBytes -= packet.length;
      this.#write(packet, isControl);
    }
    if (this.#at === this.#queue.length) {
      this.#queue = [];
      this.#at = 0;
    }
    if (this.#sentBytes > 0) this.#timer = setTimeout(() => this.#next(), PAUSE_MS);
  }
}
