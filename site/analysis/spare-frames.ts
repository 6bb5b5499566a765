// Frames of recordings that the analyst looks at when no live frame waits: one at a time.
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import { AnalystGone } from './analyst-process.ts';
import type { RegionFrame } from './frame-queue.ts';

interface SpareFrame {
  readonly model: string;
  readonly frame: RegionFrame;
  readonly seen: (detections: readonly Detection[]) => void;
  readonly failed: () => void;
}

export class SpareFrames {
  readonly #onChange: () => void;
  /** Uses by model. */
  readonly #users = new Map<string, number>();
  #waiting: SpareFrame | null = null;

  /** `onChange`: a frame waits, or the analyst is needed or not needed any more. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Their analysts are to run, though no task may be live. */
  get models(): readonly string[] {
    return [...this.#users.keys()];
  }

  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  /** The answer ends the use. */
  open(model: string): () => void {
    this.#users.set(model, (this.#users.get(model) ?? 0) + 1);
    this.#onChange();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const others = (this.#users.get(model) ?? 1) - 1;
      if (others === 0) this.#users.delete(model);
      else this.#users.set(model, others);
      this.#onChange();
    };
  }

  /** Rejects with AnalystGone where the analyst ended or does not start, and with the signal's reason. */
  look(model: string, frame: RegionFrame, signal: AbortSignal): Promise<readonly Detection[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Detection[]>();
    if (signal.aborted) return Promise.reject(signal.reason);
    const waiting = { model, frame, seen: resolve, failed: () => reject(new AnalystGone('the analyst ended')) };
    this.#waiting = waiting;
    const stop = () => {
      if (this.#waiting === waiting) this.#waiting = null;
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#onChange();
    return promise.finally(() => signal.removeEventListener('abort', stop));
  }

  take(isReady: (model: string) => boolean): SpareFrame | null {
    const waiting = this.#waiting;
    if (waiting === null || !isReady(waiting.model)) return null;
    this.#waiting = null;
    return waiting;
  }

  /** Frames of models whose analyst does not start fail. */
  refuse(hasFailed: (model: string) => boolean): void {
    this.take(hasFailed)?.failed();
  }
}
