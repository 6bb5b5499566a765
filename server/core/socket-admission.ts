// WebSocket admission: few sockets per address, few bytes and few seconds before authentication; counted by account after it.
import type { Duplex } from 'node:stream';
import { type ConnectionLimits, ConnectionSlots } from '@vedette/rules/admission/connection-slots.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** What a first message takes, with room for a long token and for pings. */
const UNAUTHENTICATED_BYTES_MAX = 4096;

/** What the owner of a socket is given to say who is there. */
export interface SocketSlot {
  /** Something was said and is being looked at: the socket may stay for so long without being known. */
  readonly extend: (ms: number) => void;
  /** False where the account has as many sockets as it may; this one is closed soon. */
  readonly assignTo: (account: string) => boolean;
}

export class SocketAdmission {
  readonly #clock: Clock;
  readonly #slots: ConnectionSlots;
  readonly #withinMs: number;

  constructor(options: { readonly clock: Clock; readonly limits: ConnectionLimits }) {
    this.#clock = options.clock;
    this.#withinMs = options.limits.withinMs;
    this.#slots = new ConnectionSlots(options.limits, options.clock.monotonicMs);
  }

  /** Strangers can't take the places of an address from which somebody came whom we know. */
  reserveFor(address: string): void {
    this.#slots.reserveFor(address);
  }

  /**
   * Before the upgrade; `raw` is the connection beneath, which is destroyed, not closed with a handshake that the other
   * side may leave unanswered.
   */
  admit(raw: Duplex, address: string): SocketSlot & { readonly count: (head: Buffer) => void } {
    const end = (): void => {
      raw.destroy();
    };
    const place = this.#slots.acquire(address, end);
    let cancel = this.#clock.after(this.#withinMs, end);
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > UNAUTHENTICATED_BYTES_MAX) end();
    };
    raw.once('close', () => {
      cancel();
      place.release();
    });
    return {
      // Once somebody reads the connection: the first reader would set it flowing.
      count: (head) => {
        raw.prependListener('data', onData);
        onData(head);
      },
      extend: (ms) => {
        cancel();
        place.extend(ms);
        cancel = this.#clock.after(ms, end);
      },
      assignTo: (account) => {
        if (!place.assignTo(account)) return false;
        cancel();
        raw.off('data', onData);
        return true;
      },
    };
  }
}
