// The pull-point subscriptions of a virtual device: each with its own queue and its own end (ONVIF Core 9.2).

import type { EventMessage, EventSource } from './event-source.ts';

export interface PullPointsOptions {
  readonly source: EventSource;
  readonly monotonicMs: () => number;
  /** How many subscriptions there may be at present. */
  readonly limit: () => number;
}

interface Subscription {
  readonly queue: EventMessage[];
  readonly leave: () => void;
  until: number;
  /** Of the pull that waits. */
  wake: (() => void) | null;
}

/** Beyond it the oldest go. */
const QUEUE_LIMIT = 1000;

export class PullPoints {
  private readonly options: PullPointsOptions;
  private readonly subscriptions = new Map<string, Subscription>();
  private made = 0;

  constructor(options: PullPointsOptions) {
    this.options = options;
  }

  get count(): number {
    this.sweep();
    return this.subscriptions.size;
  }

  /** Null when there are too many. */
  create(lifeMs: number): string | null {
    this.sweep();
    const { source, monotonicMs, limit } = this.options;
    if (this.subscriptions.size >= limit()) return null;
    this.made += 1;
    const queue: EventMessage[] = source.states;
    const leave = source.listen((message) => {
      queue.push(message);
      if (queue.length > QUEUE_LIMIT) queue.shift();
      subscription.wake?.();
    });
    const subscription: Subscription = { queue, leave, until: monotonicMs() + lifeMs, wake: null };
    this.subscriptions.set(String(this.made), subscription);
    return String(this.made);
  }

  /** Null when there is no such subscription (any more). */
  remainingMs(id: string): number | null {
    const subscription = this.find(id);
    return subscription === null ? null : subscription.until - this.options.monotonicMs();
  }

  renew(id: string, lifeMs: number): boolean {
    const subscription = this.find(id);
    if (subscription === null) return false;
    subscription.until = this.options.monotonicMs() + lifeMs;
    return true;
  }

  /** What waits, or what comes first within the time; null when the subscription is gone. A caller that leaves (`onGone`) takes nothing with it. */
  async pull(
    id: string,
    timeoutMs: number,
    limit: number,
    onGone: (leave: () => void) => void,
  ): Promise<EventMessage[] | null> {
    const subscription = this.find(id);
    if (subscription === null) return null;
    // Another pull of the same subscription is answered with what there is.
    subscription.wake?.();
    let isGone = false;
    if (subscription.queue.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      subscription.wake = resolve;
      onGone(() => {
        isGone = true;
        resolve();
      });
      await promise;
      clearTimeout(timer);
      if (subscription.wake === resolve) subscription.wake = null;
    }
    if (isGone) return [];
    if (!this.subscriptions.has(id)) return null;
    subscription.until = Math.max(subscription.until, this.options.monotonicMs() + timeoutMs);
    return subscription.queue.splice(0, limit);
  }

  /** The state of everything again. */
  synchronise(id: string): boolean {
    const subscription = this.find(id);
    if (subscription === null) return false;
    subscription.queue.push(...this.options.source.states);
    subscription.wake?.();
    return true;
  }

  end(id: string): boolean {
    const subscription = this.find(id);
    if (subscription === null) return false;
    this.remove(id, subscription);
    return true;
  }

  /** As after a restart: nobody is subscribed. */
  endAll(): void {
    for (const [id, subscription] of this.subscriptions) this.remove(id, subscription);
  }

  private remove(id: string, subscription: Subscription): void {
    this.subscriptions.delete(id);
    subscription.leave();
    subscription.wake?.();
  }

  private find(id: string): Subscription | null {
    this.sweep();
    return this.subscriptions.get(id) ?? null;
  }

  private sweep(): void {
    const now = this.options.monotonicMs();
    for (const [id, subscription] of this.subscriptions) if (subscription.until < now) this.remove(id, subscription);
  }
}
