// Whether the frames of one connection can be delivered: a union, and the pure step that each frame and each break takes.
import type { DiscontinuityReason } from '../stream/stream.ts';

export type Delivery =
  /** Nothing was delivered yet. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'delivering' }
  /** Frames are left out until a keyframe comes; `reason` is the first since the last delivered frame. */
  | { readonly kind: 'interrupted'; readonly reason: DiscontinuityReason };

export type FrameEvent =
  /** A frame that needs earlier ones. */
  | 'frame'
  /** Its format is as announced. */
  | 'keyframe'
  /** A new format is announced ahead of it. */
  | 'keyframe-of-new-format'
  /** The device has not stated its format. */
  | 'keyframe-without-format';

export interface DeliveryStep {
  readonly state: Delivery;
  readonly effect: FrameEffect;
}

export type FrameEffect =
  | {
      readonly kind: 'deliver';
      /** The first of this connection. */
      readonly isFirst: boolean;
      /** Reported to the consumer ahead of the frame. */
      readonly discontinuity: DiscontinuityReason | null;
    }
  | { readonly kind: 'leave-out'; readonly cause: 'awaits-keyframe' | 'format-unknown' };

// Every state and step is made once: nothing may be allocated for each frame.
export const CONNECTING: Delivery = { kind: 'connecting' };
const DELIVERING: Delivery = { kind: 'delivering' };
const INTERRUPTED = forEachReason((reason): Delivery => ({ kind: 'interrupted', reason }));

const CONTINUE = delivered(false, null);
const BEGIN = delivered(true, 'connected');
const BEGIN_NEW_FORMAT = delivered(true, 'format-changed');
const RESUME = forEachReason((reason) => delivered(false, reason));

const CONNECTING_WAITS = leftOut(CONNECTING, 'awaits-keyframe');
const CONNECTING_UNKNOWN = leftOut(CONNECTING, 'format-unknown');
const INTERRUPTED_WAITS = forEachReason((reason) => leftOut(INTERRUPTED[reason], 'awaits-keyframe'));
const INTERRUPTED_UNKNOWN = forEachReason((reason) => leftOut(INTERRUPTED[reason], 'format-unknown'));

export function deliveryStep(state: Delivery, event: FrameEvent): DeliveryStep {
  switch (state.kind) {
    case 'delivering':
      if (event === 'frame' || event === 'keyframe') return CONTINUE;
      // What follows needs the keyframe that is left out.
      return event === 'keyframe-of-new-format' ? RESUME['format-changed'] : INTERRUPTED_UNKNOWN['format-changed'];
    case 'connecting':
      return connectingStep(event);
    case 'interrupted':
      return interruptedStep(state.reason, event);
  }
}

function connectingStep(event: FrameEvent): DeliveryStep {
  if (event === 'frame') return CONNECTING_WAITS;
  if (event === 'keyframe-without-format') return CONNECTING_UNKNOWN;
  return event === 'keyframe' ? BEGIN : BEGIN_NEW_FORMAT;
}

function interruptedStep(reason: DiscontinuityReason, event: FrameEvent): DeliveryStep {
  if (event === 'frame') return INTERRUPTED_WAITS[reason];
  if (event === 'keyframe-without-format') return INTERRUPTED_UNKNOWN[reason];
  return event === 'keyframe' ? RESUME[reason] : RESUME['format-changed'];
}

/** Frames may be missing from here: the next to be delivered is a keyframe. */
export function deliveryInterrupted(state: Delivery, reason: DiscontinuityReason): Delivery {
  return state.kind === 'delivering' ? INTERRUPTED[reason] : state;
}

function delivered(isFirst: boolean, discontinuity: DiscontinuityReason | null): DeliveryStep {
  return { state: DELIVERING, effect: { kind: 'deliver', isFirst, discontinuity } };
}

function leftOut(state: Delivery, cause: 'awaits-keyframe' | 'format-unknown'): DeliveryStep {
  return { state, effect: { kind: 'leave-out', cause } };
}

function forEachReason<T>(make: (reason: DiscontinuityReason) => T): Readonly<Record<DiscontinuityReason, T>> {
  return {
    connected: make('connected'),
    'lost-packets': make('lost-packets'),
    'timestamp-jump': make('timestamp-jump'),
    'format-changed': make('format-changed'),
  };
}
