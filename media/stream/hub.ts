// Stream hub: pulls every stream of every camera once, however many consumers, and releases it after the last.
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { OpenSource } from './source.ts';
import { SharedStream } from './shared-stream.ts';

export interface StreamHubOptions {
  readonly clock: Clock;
  /** How long an unused stream stays connected, so that switching back is instant. */
  readonly lingerMs?: number;
  /** Called for a consumer that threw and was removed. */
  readonly onConsumerFailure: (key: string, error: unknown) => void;
  /** Called before a stream closes, while its counters are whole. */
  readonly onClosing?: (stream: SharedStream) => void;
  /** Memory for the units of all its streams. */
  readonly slabs?: SlabPool;
}

/** Keeps a stream open until it is released; releasing twice does nothing. */
export interface StreamLease {
  readonly stream: SharedStream;
  release(): void;
}

interface Entry {
  readonly stream: SharedStream;
  leases: number;
  lingerMs: number;
  cancelLinger: (() => void) | null;
}

const LINGER_MS = 15_000;

export class StreamHub {
  readonly #options: StreamHubOptions;
  /** Memory for the units of all its streams. */
  readonly slabs: SlabPool;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: StreamHubOptions) {
    this.#options = options;
    this.slabs = options.slabs ?? new SlabPool();
  }

  /** `key` names one stream of one channel; `open` is called only if it is not open. `lingerMs`: overrides the default. */
  acquire(key: string, open: OpenSource, lingerMs = this.#options.lingerMs ?? LINGER_MS): StreamLease {
    const entry = this.#entries.get(key) ?? this.#open(key, open);
    entry.lingerMs = lingerMs;
    entry.cancelLinger?.();
    entry.cancelLinger = null;
    entry.leases += 1;
    let held = true;
    return {
      stream: entry.stream,
      release: () => {
        if (!held) return;
        held = false;
        this.#released(key, entry);
      },
    };
  }

  /** The stream while it is open. */
  stream(key: string): SharedStream | null {
    return this.#entries.get(key)?.stream ?? null;
  }

  streams(): readonly SharedStream[] {
    return [...this.#entries.values()].map((entry) => entry.stream);
  }

  /** Replaces the source of an open stream; does nothing otherwise. */
  async replace(key: string, open: OpenSource): Promise<void> {
    await this.#entries.get(key)?.stream.replaceSource(open);
  }

  /** Closes a stream for all who have it, and waits for it: whoever comes afterwards opens another one. */
  async end(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry !== undefined) await this.#end(key, entry);
  }

  /** Closes every stream and waits for it. */
  async close(): Promise<void> {
    for (const [key, entry] of this.#entries) void this.#end(key, entry);
    await Promise.all(this.#closing);
  }

  #open(key: string, open: OpenSource): Entry {
    const { clock, onConsumerFailure } = this.#options;
    const entry = {
      stream: new SharedStream({ key, clock, open, onConsumerFailure, slabs: this.slabs }),
      leases: 0,
      lingerMs: 0,
      cancelLinger: null,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #released(key: string, entry: Entry): void {
    entry.leases -= 1;
    if (entry.leases > 0 || this.#entries.get(key) !== entry) return;
    entry.cancelLinger = this.#options.clock.after(entry.lingerMs, () => void this.#end(key, entry));
  }

  #end(key: string, entry: Entry): Promise<void> {
    entry.cancelLinger?.();
    this.#entries.delete(key);
    this.#options.onClosing?.(entry.stream);
    const closed = entry.stream.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
    return closed;
  }
}
