// The storage port of the site: what it needs of an object store, whoever offers it, and how a store fails.
import type { StoreReason } from '@vedette/contract/enumerations.ts';

export interface StoredObject {
  readonly bytes: number;
  /** Of the whole object in hex, as `put` was given it; null where the store keeps no metadata. */
  readonly sha256: string | null;
}

/** All reject with StoreFault, or with the reason of the signal. */
export interface ObjectStore {
  /** Replaces an object of that key. */
  put(key: string, bytes: Buffer, signal: AbortSignal): Promise<void>;
  /** `length` bytes from `from`; fewer only at the end of the object. */
  get(key: string, range: { readonly from: number; readonly length: number }, signal: AbortSignal): Promise<Buffer>;
  /** Null: there is no object of that key. */
  head(key: string, signal: AbortSignal): Promise<StoredObject | null>;
  /** Keys that begin with `prefix`, at most a thousand, in order, each after `after`. */
  list(prefix: string, after: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Also when there is no such object. */
  delete(key: string, signal: AbortSignal): Promise<void>;
}

/** `message` may hold what the store said, for the log only. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly reason: StoreReason;

  constructor(reason: StoreReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
