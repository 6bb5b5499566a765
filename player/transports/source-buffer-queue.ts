// Feeds one SourceBuffer: one operation at a time, waiting bytes joined, the past trimmed, a full buffer freed once (W3C MSE 3.5).
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';

export interface SourceBufferQueueOptions {
  readonly buffer: SourceBuffer;
  /** Everything before this media time may go, seconds. */
  readonly disposableBefore: () => number;
  /** The buffer took all that waited. */
  readonly onDrained: () => void;
  readonly onFault: (message: string) => void;
}

/** Trimmed in one go once this much of the past has gathered, seconds. */
const KEEP_PAST_S = 12;

export class SourceBufferQueue {
  readonly #options: SourceBufferQueueOptions;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  /** Where the buffer began when that was asked for last, seconds: each answer is an object of the browser. */
  #knownStart = Number.NEGATIVE_INFINITY;
  #isFreeing = false;
  #isClosed = false;
  readonly #onUpdateEnd = (): void => this.#pump();
  readonly #onError = (): void => this.#options.onFault('the buffer refused the bytes');

  constructor(options: SourceBufferQueueOptions) {
    this.#options = options;
    options.buffer.addEventListener('updateend', this.#onUpdateEnd);
    options.buffer.addEventListener('error', this.#onError);
  }

  push(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#isClosed) return;
    if (this.#waiting.length > 0 || this.#options.buffer.updating) this.#waiting.push(bytes);
    else this.#append(bytes);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#options.buffer.removeEventListener('updateend', this.#onUpdateEnd);
    this.#options.buffer.removeEventListener('error', this.#onError);
  }

  #pump(): void {
    if (this.#isClosed || this.#options.buffer.updating) return;
    if (this.#waiting.length > 0) return this.#append(joinBytes(this.#waiting.splice(0)));
    this.#options.onDrained();
    // The listener may have closed this queue or appended.
    if (!this.#isClosed && !this.#options.buffer.updating) this.#trim(KEEP_PAST_S);
  }

  #append(bytes: Uint8Array<ArrayBuffer>): void {
    try {
      this.#options.buffer.appendBuffer(bytes);
      this.#isFreeing = false;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError' && !this.#isFreeing) {
        this.#waiting.push(bytes);
        this.#isFreeing = this.#trim(0);
        if (this.#isFreeing) return;
      }
      this.#options.onFault(errorMessage(error));
    }
  }

  /** Removes what lies more than `keep` seconds before the disposable point; false when there is nothing to remove. */
  #trim(keep: number): boolean {
    const before = this.#options.disposableBefore();
    if (before - this.#knownStart <= keep + 0.5) return false;
    const { buffer } = this.#options;
    const { buffered } = buffer;
    if (buffered.length === 0) return false;
    this.#knownStart = buffered.start(0);
    if (before - this.#knownStart <= keep + 0.5) return false;
    buffer.remove(this.#knownStart, before);
    return true;
  }
}

function joinBytes(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
