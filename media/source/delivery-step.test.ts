// What holds for every order of frames and breaks of one connection.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiscontinuityReason } from '../stream/stream.ts';
import {
  CONNECTING,
  type Delivery,
  deliveryInterrupted,
  deliveryStep,
  type FrameEffect,
  type FrameEvent,
} from './delivery-step.ts';

type Happening = { readonly frame: FrameEvent } | { readonly reason: DiscontinuityReason };
/** A frame, with the breaks since the last delivered one and whether the frames that it needs were delivered. */
interface SteppedFrame {
  readonly event: FrameEvent;
  readonly effect: FrameEffect;
  readonly breaks: readonly DiscontinuityReason[];
  readonly isComplete: boolean;
  readonly deliveredBefore: number;
}

const happenings = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Happening>({ frame: 'frame' }) },
    {
      weight: 3,
      arbitrary: fc.record({
        frame: fc.constantFrom<FrameEvent>('keyframe', 'keyframe-of-new-format', 'keyframe-without-format'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        reason: fc.constantFrom<DiscontinuityReason>('lost-packets', 'timestamp-jump', 'format-changed'),
      }),
    },
  ),
  { maxLength: 80 },
);

function stepped(list: readonly Happening[]): SteppedFrame[] {
  const frames: SteppedFrame[] = [];
  let state: Delivery = CONNECTING;
  let breaks: DiscontinuityReason[] = [];
  let isComplete = false;
  let deliveredBefore = 0;
  for (const one of list) {
    if ('reason' in one) {
      state = deliveryInterrupted(state, one.reason);
      breaks.push(one.reason);
      isComplete = false;
      continue;
    }
    const step = deliveryStep(state, one.frame);
    state = step.state;
    frames.push({ event: one.frame, effect: step.effect, breaks: [...breaks], isComplete, deliveredBefore });
    // Frames after a keyframe that is left out cannot be decoded.
    if (isComplete && one.frame === 'keyframe-without-format') breaks.push('format-changed');
    if (one.frame !== 'frame') isComplete = step.effect.kind === 'deliver';
    if (step.effect.kind !== 'deliver') continue;
    breaks = [];
    deliveredBefore += 1;
  }
  return frames;
}

function forEveryFrame(holds: (frame: SteppedFrame) => void): void {
  fc.assert(
    fc.property(happenings, (list) => {
      for (const frame of stepped(list)) holds(frame);
    }),
    { numRuns: 500 },
  );
}

test('a frame is delivered only if everything since its keyframe was', () => {
  forEveryFrame(({ event, effect, isComplete }) => {
    if (event === 'frame') expect(effect.kind).toBe(isComplete ? 'deliver' : 'leave-out');
  });
});

test('each keyframe of a known format is delivered, and no other', () => {
  forEveryFrame(({ event, effect }) => {
    if (event === 'frame') return;
    expect(effect.kind).toBe(event === 'keyframe-without-format' ? 'leave-out' : 'deliver');
  });
});

test('what is left out names what is missing', () => {
  forEveryFrame(({ event, effect }) => {
    if (effect.kind !== 'leave-out') return;
    expect(effect.cause).toBe(event === 'frame' ? 'awaits-keyframe' : 'format-unknown');
  });
});

test('exactly the first frame delivered begins the connection', () => {
  forEveryFrame(({ effect, deliveredBefore }) => {
    if (effect.kind === 'deliver') expect(effect.isFirst).toBe(deliveredBefore === 0);
  });
});

test('the first frame after breaks carries the reason of the first, unless its format is new; others carry none', () => {
  forEveryFrame(({ event, effect, breaks, deliveredBefore }) => {
    if (effect.kind !== 'deliver') return;
    if (event === 'keyframe-of-new-format') return expect(effect.discontinuity).toBe('format-changed');
    if (deliveredBefore === 0) return expect(effect.discontinuity).toBe('connected');
    expect(effect.discontinuity).toBe(breaks[0] ?? null);
  });
});

test('however many frames come, no step allocates an object of its own', () => {
  const objects = new Set<object>();
  forEveryFrame(({ effect }) => objects.add(effect));
  // One to continue, two to begin, four to resume, and two for each of five states in which frames are left out.
  expect(objects.size).toBeLessThanOrEqual(3 + 4 + 2 * (1 + 4));
});
