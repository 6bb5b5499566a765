// The interface of a driver's event feed: one feed of events for as long as the site listens.
import type { DeviceEvent } from '@vedette/contract/device-event.ts';
import type { DeviceFault } from './device-fault.ts';

/** Property states by source, opaque to others: needed to detect changes while nobody listened. */
export interface EventMemory {
  /** Earlier states, also from before a restart. */
  readonly states: ReadonlyMap<string, boolean>;
  /** Null: the source was removed. */
  remember(source: string, isActive: boolean | null): void;
}

export interface EventFeedRequest {
  readonly memory?: EventMemory;
  /** In the device's order; must not throw. */
  readonly onEvent: (event: DeviceEvent) => void;
  /** Number of events dropped from a flooding device. */
  readonly onHeldBack?: (count: number) => void;
  /** `listening`: connected to the device's events; `waiting`: not, and retried. Called on changes. */
  readonly onState: (state: EventFeedState) => void;
  /** Ends the feed. */
  readonly signal: AbortSignal;
}

export type EventFeedState =
  | { readonly kind: 'listening' }
  /** `retryNow` ends the wait before the next attempt: the device is back. */
  | { readonly kind: 'waiting'; readonly fault: DeviceFault; readonly retryNow: () => void };

/**
 * Resolves after the signal, when the device was unsubscribed. Rejects with DeviceFault if retrying is useless: `auth`
 * and `locked` (an attempt counts towards locking the account), `not-supported`.
 */
export type ListenToEvents = (request: EventFeedRequest) => Promise<void>;
