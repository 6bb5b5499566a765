// The interface of a driver's event feed: one feed of events for as long as the site listens.
import type { DeviceEvent } from '@vedette/contract/device-event.ts';
import type { DeviceFault } from './device-fault.ts';

/** States of properties by source, in words of the driver: what turned while nobody listened can be told only against them. */
export interface EventMemory {
  /** From before, also from before a restart. */
  readonly states: ReadonlyMap<string, boolean>;
  /** Null: the source is no more. */
  remember(source: string, isActive: boolean | null): void;
}

export interface EventFeedRequest {
  readonly memory?: EventMemory;
  /** In the order of the device; must not throw. */
  readonly onEvent: (event: DeviceEvent) => void;
  /** So many more events of a device that floods were dropped before they came here. */
  readonly onHeldBack?: (count: number) => void;
  /** `listening`: what the device tells from now on is heard; `waiting`: it is not, and tried again by itself. Told when it changes. */
  readonly onState: (state: EventFeedState) => void;
  /** Ends the feed. */
  readonly signal: AbortSignal;
}

export type EventFeedState =
  | { readonly kind: 'listening' }
  /** `retryNow` ends the rest before the next try: the device is known to be back. */
  | { readonly kind: 'waiting'; readonly fault: DeviceFault; readonly retryNow: () => void };

/**
 * Resolves after the signal, when the device was told that nobody listens any more. Rejects with DeviceFault where trying
 * again is of no use by itself: `auth` and `locked` (a try counts towards locking the account), `not-supported`.
 */
export type ListenToEvents = (request: EventFeedRequest) => Promise<void>;
