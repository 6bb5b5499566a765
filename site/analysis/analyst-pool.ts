// The analysts of this site: one process for each model that is in use, of which one looks at a frame at a time.
import type { AnalystState } from '@vedette/contract/enumerations.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import type { AnalystFrame } from '../analyst/frame-wire.ts';
import { AnalystProcess, type SeenFrame } from './analyst-process.ts';
import type { SpawnAnalyst } from './spawn-analyst.ts';

/** Of orders that name none: the model that comes with the program. */
export const USUAL_MODEL = '';

/** Where a model lies, and what tells it from one of the same name. */
export interface ModelPlace {
  readonly folder: string;
  readonly sha256: string;
}

export interface AnalystPoolOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly spawn: SpawnAnalyst;
  readonly runtimeFolder: string;
  /** Null: it is not listed. */
  readonly placeOf: (model: string) => ModelPlace | null;
  /** One takes a frame. */
  readonly onFree: () => void;
}

interface Analyst {
  readonly sha256: string;
  readonly process: AnalystProcess;
}

/** What most of them do says more than what one does. */
const STATES = ['running', 'starting', 'failed', 'idle'] as const;

export class AnalystPool {
  readonly #options: AnalystPoolOptions;
  readonly #analysts = new Map<string, Analyst>();
  #isBusy = false;

  constructor(options: AnalystPoolOptions) {
    this.#options = options;
  }

  get state(): (typeof STATES)[number] & AnalystState {
    const states = new Set([...this.#analysts.values()].map(({ process }) => process.state));
    return STATES.find((state) => states.has(state)) ?? 'idle';
  }

  get fault(): string | null {
    const faults = [...this.#analysts.values()].map(({ process }) => process.fault);
    return faults.find((fault) => fault !== null) ?? null;
  }

  /** For tests. */
  get pid(): number | undefined {
    const [first] = this.#analysts.values();
    return first?.process.pid;
  }

  stateOf(model: string): AnalystProcess['state'] {
    return this.#analysts.get(model)?.process.state ?? 'idle';
  }

  /** Those of other models end, also where the model is not listed any more or was replaced. */
  use(models: ReadonlySet<string>): void {
    const { placeOf, onFree, ...shared } = this.#options;
    for (const [model, { process, sha256 }] of this.#analysts) {
      if (models.has(model) && placeOf(model)?.sha256 === sha256) continue;
      process.stop();
      this.#analysts.delete(model);
    }
    for (const model of models) {
      const place = this.#analysts.has(model) ? null : placeOf(model);
      if (place === null) continue;
      const process = new AnalystProcess({ ...shared, modelFolder: place.folder, onFree });
      this.#analysts.set(model, { sha256: place.sha256, process });
      process.start();
    }
  }

  isFree(model: string): boolean {
    return !this.#isBusy && this.#analysts.get(model)?.process.isFree === true;
  }

  /** Rejects with AnalystGone. */
  async detect(model: string, frame: AnalystFrame): Promise<SeenFrame> {
    const analyst = this.#analysts.get(model);
    if (!analyst || this.#isBusy) throw new RangeError('the analyst is not free');
    this.#isBusy = true;
    try {
      return await analyst.process.detect(frame);
    } finally {
      this.#isBusy = false;
    }
  }
}
