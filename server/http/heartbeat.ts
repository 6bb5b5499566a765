// WebSocket heartbeat: disconnects peers that do not answer a ping before the next one.
import type { WebSocket } from 'ws';
import type { Clock } from '@vedette/foundation/time/clock.ts';

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly everyMs: number;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #sockets = new Map<WebSocket, { isAwaited: boolean }>();
  #cancel: (() => void) | null = null;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#beat();
  }

  watch(socket: WebSocket): void {
    const state = { isAwaited: false };
    this.#sockets.set(socket, state);
    socket.on('pong', () => {
      state.isAwaited = false;
    });
    socket.on('close', () => this.#sockets.delete(socket));
  }

  close(): void {
    this.#cancel?.();
    for (const socket of this.#sockets.keys()) socket.terminate();
    this.#sockets.clear();
  }

  #beat(): void {
    this.#cancel = this.#options.clock.after(this.#options.everyMs, () => {
      for (const [socket, state] of this.#sockets) {
        if (state.isAwaited) {
          socket.terminate();
          continue;
        }
        state.isAwaited = true;
        socket.ping();
      }
      this.#beat();
    });
  }
}
