// WebSocket admission: few sockets per address, few bytes and few seconds before authentication; counted by account after it.
import type { Duplex } from 'node:stream';
import { type ConnectionLimits, ConnectionSlots } from '@vedette/rules/admission/connection-slots.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Size of a first message, with room for a long token and pings. */
const UNAUTHENTICATED_BYTES_MAX = 4096;

/** Callbacks by which the owner of a socket reports its authentication. */
export interface SocketSlot {
  /** A first message arrived and is being checked: extends the time before authentication. */
  readonly extend: (ms: number) => void;
  /** False if the account has too many sockets; this one is closed. */
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

  /** Unauthenticated clients cannot use up the places of an address from which somebody signed in. */
  reserveFor(address: string): void {
    this.#slots.reserveFor(address);
  }

  /**
   * Call before the upgrade; `raw` is the underlying connection, which is destroyed rather than closed by a handshake
   * that the client may not answer.
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
      // After the reader is attached: the first one makes the stream flow.
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
