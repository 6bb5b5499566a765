// Frames of recordings that the analyst looks at when no live frame waits: one at a time.
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import { AnalystGone } from './analyst-process.ts';
import type { RegionFrame } from './frame-queue.ts';

interface SpareFrame {
  readonly frame: RegionFrame;
  readonly seen: (detections: readonly Detection[]) => void;
  readonly failed: () => void;
}

export class SpareFrames {
  readonly #onChange: () => void;
  #users = 0;
  #waiting: SpareFrame | null = null;

  /** `onChange`: a frame waits, or the analyst is needed or not needed any more. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The analyst is to run, though no task may be live. */
  get isOpen(): boolean {
    return this.#users > 0;
  }

  /** The answer ends the use. */
  open(): () => void {
    this.#users += 1;
    this.#onChange();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#users -= 1;
      this.#onChange();
    };
  }

  /** Rejects with AnalystGone where the analyst ended or does not start, and with the signal's reason. */
  look(frame: RegionFrame, signal: AbortSignal): Promise<readonly Detection[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Detection[]>();
    if (signal.aborted) return Promise.reject(signal.reason);
    const waiting = { frame, seen: resolve, failed: () => reject(new AnalystGone('the analyst ended')) };
    this.#waiting = waiting;
    const stop = () => {
      if (this.#waiting === waiting) this.#waiting = null;
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#onChange();
    return promise.finally(() => signal.removeEventListener('abort', stop));
  }

  take(): SpareFrame | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }

  /** The analyst does not start. */
  refuse(): void {
    this.take()?.failed();
  }
}
