// Queues calls to one device: one write alone or at most two reads; identical reads share one answer.

export interface CallQueueOptions {
  readonly monotonicMs: () => number;
  /** How long an answer is reused for identical reads. */
  readonly reuseMs: number;
}

export interface ReadCall<T> {
  /** Reads with equal keys are identical; null is never shared. */
  readonly key: string | null;
  readonly run: () => Promise<T>;
}

interface Waiting {
  readonly kind: 'read' | 'write';
  readonly start: () => void;
}

interface Kept {
  readonly answer: Promise<unknown>;
  /** Null while running. */
  endedAt: number | null;
}

const maxReads = 2;

export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #waiting: Waiting[] = [];
  readonly #kept = new Map<string, Kept>();
  #reads = 0;
  #writes = 0;

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  /** Shared between callers, so it does not use the signal of one of them. */
  read<T>({ key, run }: ReadCall<T>): Promise<T> {
    if (key === null) return this.#enter('read', run);
    this.#forgetOld();
    const known = this.#kept.get(key);
    if (known !== undefined) return known.answer as Promise<T>;
    const answer = this.#enter('read', run);
    const kept: Kept = { answer, endedAt: null };
    this.#kept.set(key, kept);
    answer.then(
      () => {
        kept.endedAt = this.#options.monotonicMs();
      },
      () => {
        if (this.#kept.get(key) === kept) this.#kept.delete(key);
      },
    );
    return answer;
  }

  /** Runs alone and invalidates cached answers. */
  async write<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await this.#enter('write', run);
    } finally {
      this.#kept.clear();
    }
  }

  #forgetOld(): void {
    const now = this.#options.monotonicMs();
    for (const [key, { endedAt }] of this.#kept) {
      if (endedAt !== null && now - endedAt >= this.#options.reuseMs) this.#kept.delete(key);
    }
  }

  async #enter<T>(kind: Waiting['kind'], run: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push({ kind, start });
      this.#admit();
    });
    try {
      return await run();
    } finally {
      if (kind === 'read') this.#reads -= 1;
      else this.#writes -= 1;
      this.#admit();
    }
  }

  /** In order of arrival, so that reads cannot starve a write. */
  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const isFree = this.#writes === 0 && this.#reads < (next.kind === 'read' ? maxReads : 1);
      if (!isFree) return;
      this.#waiting.shift();
      if (next.kind === 'read') this.#reads += 1;
      else this.#writes += 1;
      next.start();
    }
  }
}
