// Keeps an RTSP session alive the way the device understands: GET_PARAMETER when announced, else OPTIONS; never SET_PARAMETER.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { RtspError } from './rtsp-error.ts';

export type KeepAliveMethod = 'GET_PARAMETER' | 'OPTIONS';

export interface KeepAliveOptions {
  readonly clock: Clock;
  readonly timeoutSeconds: number;
  readonly method: KeepAliveMethod;
  readonly send: (method: KeepAliveMethod) => Promise<unknown>;
}

const SHORTEST_MS = 2000;
const LONGEST_MS = 30_000;

/** Half the device's limit, so that one lost answer does no harm. */
export function keepAliveIntervalMs(timeoutSeconds: number): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, timeoutSeconds * 500));
}

export class KeepAlive {
  readonly #options: KeepAliveOptions;
  #method: KeepAliveMethod;
  #cancel: () => void = () => undefined;
  #stopped = false;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
    this.#method = options.method;
  }

  get method(): KeepAliveMethod {
    return this.#method;
  }

  start(): void {
    if (this.#stopped) return;
    this.#cancel = this.#options.clock.after(
      keepAliveIntervalMs(this.#options.timeoutSeconds),
      () => void this.#beat(),
    );
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #beat(): Promise<void> {
    try {
      await this.#options.send(this.#method);
    } catch (error) {
      if (!(error instanceof RtspError)) throw error;
      if (error.status !== null && this.#method === 'GET_PARAMETER') {
        // Announced but refused (454, 501 and others are seen): the device means OPTIONS.
        this.#method = 'OPTIONS';
        if (!this.#stopped) await this.#beat();
        return;
      }
      // Unanswered: whether the session lives is told by its media, not by this.
    }
    this.start();
  }
}
