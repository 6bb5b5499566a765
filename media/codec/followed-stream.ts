// The stream that another one is made from: held from the start, followed from the next microtask on, left and given back once.
import type { StreamHub, StreamLease } from '../stream/hub.ts';
import type { OpenSource } from '../stream/source.ts';

export interface FollowedStreamOptions {
  readonly hub: StreamHub;
  readonly streamKey: string;
  readonly open: OpenSource;
}

type FollowableStream = StreamLease['stream'];

export class FollowedStream {
  readonly #lease: StreamLease;
  #leave: () => unknown = () => undefined;
  #isClosed = false;

  /** `follow` answers how to leave. It is called later, as a source emits nothing before the caller has it, and never once closed. */
  constructor({ hub, streamKey, open }: FollowedStreamOptions, follow: (stream: FollowableStream) => () => unknown) {
    this.#lease = hub.acquire(streamKey, open);
    queueMicrotask(() => {
      if (!this.#isClosed) this.#leave = follow(this.#lease.stream);
    });
  }

  get stream(): FollowableStream {
    return this.#lease.stream;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether it was open until now. */
  close(): boolean {
    if (this.#isClosed) return false;
    this.#isClosed = true;
    this.#leave();
    this.#lease.release();
    return true;
  }
}
