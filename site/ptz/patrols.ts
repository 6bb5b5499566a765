// Patrols that the site runs over presets, until an operator moves the camera or stops them.
import type { PtzPresets } from '@vedette/drivers/kit/ptz.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

export interface PatrolRoute {
  readonly patrolId: string;
  readonly stops: readonly { readonly token: string; readonly stayMs: number }[];
}

export interface PatrolsOptions {
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
}

interface Running {
  readonly patrolId: string;
  cancelTimer: () => void;
}

const CALL_MS = 5000;

export class Patrols {
  readonly #options: PatrolsOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: PatrolsOptions) {
    this.#options = options;
  }

  running(key: string): string | null {
    return this.#running.get(key)?.patrolId ?? null;
  }

  /** A failure on the way to the first stop is reported to the caller; later ones are retried in the next round. */
  async start(key: string, presets: PtzPresets, route: PatrolRoute): Promise<void> {
    this.stop(key);
    const running: Running = { patrolId: route.patrolId, cancelTimer: () => undefined };
    this.#running.set(key, running);
    try {
      await presets.goto(route.stops[0]?.token ?? '', AbortSignal.timeout(CALL_MS));
    } catch (error) {
      if (this.#running.get(key) === running) this.stop(key);
      throw error;
    }
    this.#stay(key, presets, { ...route, running, at: 0 });
  }

  stop(key: string): void {
    this.#running.get(key)?.cancelTimer();
    this.#running.delete(key);
  }

  close(): void {
    for (const key of this.#running.keys()) this.stop(key);
  }

  #stay(
    key: string,
    presets: PtzPresets,
    place: PatrolRoute & { readonly running: Running; readonly at: number },
  ): void {
    const { running, stops, at } = place;
    if (this.#running.get(key) !== running) return;
    running.cancelTimer = this.#options.clock.after(stops[at]?.stayMs ?? 0, () => {
      const next = (at + 1) % stops.length;
      presets.goto(stops[next]?.token ?? '', AbortSignal.timeout(CALL_MS)).then(
        () => this.#stay(key, presets, { ...place, at: next }),
        (error: unknown) => {
          this.#options.log.warn({ err: error }, 'a stop of a patrol was not reached');
          this.#stay(key, presets, { ...place, at: next });
        },
      );
    });
  }
}
