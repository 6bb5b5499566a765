// In which order requests run: one after another, per tile window where a topic has a queue of its own, each within its time.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { BRIDGE_LIMITS } from '../limits.ts';
import { BUSY, type BridgeOutcome } from '../messages/bridge-answer.ts';

export interface QueuedRequest {
  /** Requests of the same name run one after another. */
  readonly queue: string;
  /** Ends the earlier ones of its queue. */
  readonly supersedes: boolean;
  readonly timeLimitMs: number;
  /** Never rejects; the signal says that the outcome is not wanted any more. */
  readonly run: (signal: AbortSignal) => Promise<BridgeOutcome>;
  readonly answer: (outcome: BridgeOutcome) => void;
}

export class RequestQueue {
  readonly #clock: Clock;
  readonly #running = new Map<string, AbortController>();
  #waiting: QueuedRequest[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers 1012 at once where too many wait. */
  add(request: QueuedRequest): void {
    if (request.supersedes) this.#end(request.queue);
    if (this.#waiting.length + this.#running.size >= BRIDGE_LIMITS.waiting) return request.answer(BUSY);
    this.#waiting.push(request);
    this.#next(request.queue);
  }

  /** Ends everything; what runs answers 1012. */
  close(): void {
    for (const queue of new Set([...this.#waiting.map((one) => one.queue), ...this.#running.keys()])) this.#end(queue);
  }

  #end(queue: string): void {
    // They answer in their turn, so that answers keep the order of requests.
    this.#waiting = this.#waiting.map((one) => (one.queue === queue ? { ...one, run: async () => BUSY } : one));
    this.#running.get(queue)?.abort();
  }

  #next(queue: string): void {
    if (this.#running.has(queue)) return;
    const request = this.#waiting.find((one) => one.queue === queue);
    if (request === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== request);
    void this.#run(request);
  }

  async #run(request: QueuedRequest): Promise<void> {
    const stop = new AbortController();
    this.#running.set(request.queue, stop);
    const cancel = this.#clock.after(request.timeLimitMs, () => stop.abort());
    const ended = new Promise<BridgeOutcome>((resolve) => {
      stop.signal.addEventListener('abort', () => resolve(BUSY), { once: true });
    });
    const outcome = await Promise.race([ended, request.run(stop.signal)]);
    cancel();
    this.#running.delete(request.queue);
    request.answer(outcome);
    this.#next(request.queue);
  }
}
