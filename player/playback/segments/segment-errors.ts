// Decides what to do about a segment that failed: network error, expired ticket, revoked right or damaged data. Pure.
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { SegmentEntry } from './fragment-index.ts';
import { SegmentRefused } from './segment-store.ts';

export type SegmentErrorAction =
  | { readonly kind: 'ignore' }
  /** Its window is asked for anew, and it again. */
  | { readonly kind: 'renew' }
  /** Freshly listed, and yet refused: playback goes on behind it. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'failed'; readonly message: string };

/** Failures in a row before it is said: of a line that broke about eight seconds, as the store waits in between. */
const RETRIES_MAX = 7;
/** A segment that two tickets were refused for is damaged: the first may just have been over. So is one that breaks a decoder twice. */
const OFTEN = 2;
/** Of a decoder that was given what is no picture (WebCodecs, section 6.5). */
const UNDECODABLE = new Set(['EncodingError', 'DataError']);

export class SegmentErrors {
  #failures = 0;
  /** By segment id: the addresses that were refused, and what could not be decoded. */
  readonly #useless = new Map<string, Set<unknown>>();

  /** A picture came, or playback goes elsewhere. */
  end(): void {
    this.#failures = 0;
  }

  /** `error`: what the store or the decoder ended with; null where no picture came of it. */
  decide({ id, base }: SegmentEntry, error: unknown): SegmentErrorAction {
    if (error instanceof DOMException && error.name === 'AbortError') return { kind: 'ignore' };
    if (error instanceof SegmentRefused && error.status === 403 && error.code !== null) {
      return { kind: 'refused', code: error.code };
    }
    this.#failures++;
    if (this.#failures > RETRIES_MAX) {
      return { kind: 'failed', message: errorMessage(error) };
    }
    if (isNetworkError(error)) return { kind: 'renew' };
    const useless = this.#useless.get(id) ?? new Set();
    this.#useless.set(id, useless.add(error instanceof SegmentRefused ? base : Symbol()));
    return { kind: useless.size < OFTEN ? 'renew' : 'damaged' };
  }
}

/** The line broke or carries nothing (Fetch, section 5.6), or the browser took the decoder away: no fault of the recordings. */
function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && !UNDECODABLE.has(error.name));
}
