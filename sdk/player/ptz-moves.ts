// Moves of one camera while a key or a button is held: begun, renewed, and ended in every case.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import { PTZ_MOVE_MAX_MS } from '@vedette/contract/ptz.ts';
import type { PtzCommand } from './element-types.ts';
import type { CameraChannel, ServerCalls } from './server-calls.ts';

export interface PtzMovesOptions {
  readonly calls: ServerCalls;
  readonly channel: CameraChannel;
  /** A move was refused or the server not reached; nothing is held any more. */
  readonly onFailure: (failure: unknown) => void;
}

const RENEW_MS = PTZ_MOVE_MAX_MS * 0.4;

export class PtzMoves {
  readonly #options: PtzMovesOptions;
  readonly #held = new Map<PtzCommand, ReturnType<typeof setInterval>>();
  /** One after the other: a stop must not overtake its start. */
  readonly #orders = new SerialQueue();

  constructor(options: PtzMovesOptions) {
    this.#options = options;
  }

  /** `speed` 1 to 10. */
  start(command: PtzCommand, speed: number): void {
    if (this.#held.has(command)) return;
    const { calls, channel } = this.#options;
    const send = (isFirst: boolean): void =>
      this.#order(async () => {
        // A tap is a short move, however late its turn comes; what is let go is not begun again.
        if (isFirst || this.#held.has(command)) await calls.call('ptz/start', { ...channel, command, speed });
      });
    this.#held.set(
      command,
      setInterval(() => send(false), RENEW_MS),
    );
    send(true);
  }

  stop(command: PtzCommand): void {
    if (!this.#forget(command)) return;
    const { calls, channel } = this.#options;
    this.#order(async () => {
      // Another press came first: it is held again.
      if (!this.#held.has(command)) await calls.call('ptz/stop', { ...channel, command });
    });
  }

  stopAll(): void {
    for (const command of this.#held.keys()) this.stop(command);
  }

  #forget(command: PtzCommand): boolean {
    clearInterval(this.#held.get(command));
    return this.#held.delete(command);
  }

  #order(work: () => Promise<void>): void {
    this.#orders.run(work).catch((failure: unknown) => {
      for (const command of this.#held.keys()) this.#forget(command);
      this.#options.onFailure(failure);
    });
  }
}
