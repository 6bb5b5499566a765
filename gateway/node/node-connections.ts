// Connections between gateways: those to or from a server that is not among the living any more are ended.
import type { Duplex } from 'node:stream';

const LOOK_EVERY_MS = 1000;

export class NodeConnections {
  readonly #living = new Map<Duplex, () => boolean>();
  readonly #timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();

  /** `isLiving`: whether the other end still is the server that it was. */
  keep(socket: Duplex, isLiving: () => boolean): void {
    if (this.#living.has(socket) || socket.destroyed) return;
    this.#living.set(socket, isLiving);
    socket.once('close', () => this.#living.delete(socket));
  }

  look(): void {
    for (const [socket, isLiving] of this.#living) if (!isLiving()) socket.destroy();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
