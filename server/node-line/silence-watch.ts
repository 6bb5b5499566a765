// Cuts a line between two servers whose other end is silent: a frozen process keeps its sockets open for minutes.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { WebSocket } from 'ws';

const PING_EVERY_MS = 1000;
/** Less tears lines down on a busy machine. */
const SILENT_MS = 5000;
/** After so long without a look this process stood still, and heard nobody. */
const DEAF_MS = 2500;

export class SilenceWatch {
  readonly #clock: Clock;
  readonly #socket: WebSocket;
  /** Monotonic. */
  #heardAt: number;
  #lookedAt: number;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, socket: WebSocket) {
    this.#clock = clock;
    this.#socket = socket;
    this.#heardAt = clock.monotonicMs();
    this.#lookedAt = this.#heardAt;
    for (const sign of ['message', 'ping', 'pong'] as const) socket.on(sign, () => this.#heard());
    socket.once('close', () => this.#cancel());
    this.#lookLater();
  }

  #heard(): void {
    this.#heardAt = this.#clock.monotonicMs();
  }

  #lookLater(): void {
    this.#cancel = this.#clock.after(PING_EVERY_MS, () => {
      const now = this.#clock.monotonicMs();
      if (now - this.#lookedAt > DEAF_MS) this.#heardAt = now;
      this.#lookedAt = now;
      if (now - this.#heardAt > SILENT_MS) {
        this.#socket.terminate();
        return;
      }
      if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
      this.#lookLater();
    });
  }
}
