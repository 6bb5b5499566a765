// What holds for every order of checks, requests and faults of one device, whatever the times between them.
import { DEVICE_REASONS, type DeviceReason } from '@vedette/contract/errors.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CheckOutcome, deviceStateOf, isRefusal } from './device-presence.ts';
import {
  type Supervision,
  type SupervisionEffect,
  type SupervisionEvent,
  supervisionStep,
  UNSUPERVISED,
} from './supervision-step.ts';

/** What happens next to a supervised device: `waitMs` pass first, unless a rest ends before. */
interface Happening {
  readonly waitMs: number;
  readonly kind: 'poked' | 'broke' | 'accepted' | 'checked' | 'passes';
  readonly outcome: CheckOutcome;
  readonly isDelivering: boolean;
  readonly random: number;
}

interface Stepped {
  readonly nowMs: number;
  readonly before: Supervision;
  readonly event: SupervisionEvent;
  readonly after: Supervision;
  readonly effects: readonly SupervisionEffect[];
}

/** Steps events and keeps the one timer, as the supervisor does. */
class SteppedDevice {
  readonly steps: Stepped[] = [];
  state = UNSUPERVISED;
  nowMs = 0;
  #restEndsMs = Infinity;
  #hasProbe = false;

  constructor() {
    this.step({ type: 'rested', facts: { isDescribed: false, isDelivering: false, random: 0 } });
  }

  happen({ waitMs, kind, outcome, isDelivering, random }: Happening): void {
    const facts = { isDescribed: this.steps.some((one) => answered(one.event)), isDelivering, random };
    this.pass(waitMs, facts);
    if (kind === 'poked' || kind === 'broke') this.step({ type: kind });
    else if (kind === 'accepted' && this.#hasProbe) this.step({ type: 'accepted', facts });
    else if (kind === 'checked' && this.state.phase.kind === 'checking') this.step({ type: 'checked', outcome, facts });
  }

  pass(ms: number, facts: Extract<SupervisionEvent, { type: 'rested' }>['facts']): void {
    const endMs = this.nowMs + ms;
    while (this.#restEndsMs <= endMs) {
      this.nowMs = this.#restEndsMs;
      this.#restEndsMs = Infinity;
      this.step({ type: 'rested', facts });
    }
    this.nowMs = endMs;
  }

  step(event: SupervisionEvent): void {
    const before = this.state;
    const { state, effects } = supervisionStep(before, event, this.nowMs);
    this.state = state;
    this.steps.push({ nowMs: this.nowMs, before, event, after: state, effects });
    for (const effect of effects) {
      if (effect.kind === 'check') this.#restEndsMs = Infinity;
      if (effect.kind === 'rest') this.#restEndsMs = this.nowMs + effect.ms;
      if (effect.kind === 'check' || effect.kind === 'rest') this.#hasProbe = false;
      if (effect.kind === 'probe') this.#hasProbe = true;
    }
    // Neither resting for ever nor checking twice.
    if (this.#restEndsMs < Infinity === (state.phase.kind === 'checking')) throw new Error('not one of rest and check');
  }
}

const outcomes: fc.Arbitrary<CheckOutcome> = fc.oneof(
  fc.constant<CheckOutcome>({ kind: 'answered' }),
  fc.record({
    kind: fc.constant('failed' as const),
    fault: fc.oneof(fc.constant<DeviceReason>('unreachable'), fc.constantFrom(...DEVICE_REASONS)),
    error: fc.constant(new Error('of this check')),
  }),
  fc.record({ kind: fc.constant('interrupted' as const), fault: fc.constant<DeviceReason>('timeout') }),
);
const happenings = fc.array(
  fc.record<Happening>({
    waitMs: fc.oneof(fc.constant(0), fc.nat(500), fc.nat(20_000), fc.nat(100_000)),
    kind: fc.constantFrom('poked', 'broke', 'accepted', 'checked', 'checked', 'checked', 'passes'),
    outcome: outcomes,
    isDelivering: fc.nat(4).map((one) => one === 0),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }),
  { maxLength: 60 },
);

function forEveryStep(holds: (step: Stepped, earlier: readonly Stepped[]) => void): void {
  fc.assert(
    fc.property(happenings, (list) => {
      const device = new SteppedDevice();
      for (const one of list) device.happen(one);
      for (const [index, step] of device.steps.entries()) holds(step, device.steps.slice(0, index));
    }),
    { numRuns: 500 },
  );
}

function answered(event: SupervisionEvent): boolean {
  return event.type === 'checked' && event.outcome.kind === 'answered';
}

function failed(event: SupervisionEvent): DeviceReason | null {
  return event.type === 'checked' && event.outcome.kind === 'failed' ? event.outcome.fault : null;
}

function restOf(effects: readonly SupervisionEffect[]): number | null {
  return effects.find((effect) => effect.kind === 'rest')?.ms ?? null;
}

test('one failed check does not set an online device offline, unless it is a refusal', () => {
  forEveryStep(({ before, event, after }) => {
    if (before.presence.kind !== 'online' || after.presence.kind !== 'offline') return;
    expect(isRefusal(failed(event) ?? expect.unreachable())).toBe(true);
  });
});

test('two failed checks in a row set a device offline, for the reason of the last', () => {
  forEveryStep(({ event, after }, earlier) => {
    const before = earlier.findLast((one) => one.event.type === 'checked' || one.after.presence.kind === 'online');
    if (event.type !== 'checked' || event.facts.isDelivering || failed(event) === null || !before) return;
    if (failed(before.event) === null || before.after.presence.kind === 'online') return;
    expect(deviceStateOf(after.presence)).toEqual({ status: 0, reason: failed(event) });
  });
});

test('an answer sets a device online at once, whatever was before', () => {
  forEveryStep(({ event, after, effects, before }) => {
    if (!answered(event)) return;
    expect(after.presence).toEqual({ kind: 'online' });
    expect(effects.some((effect) => effect.kind === 'returned')).toBe(before.presence.kind !== 'online');
  });
});

test('a device whose streams deliver is not set offline, unless it harms the site', () => {
  forEveryStep(({ event, after }) => {
    if (event.type !== 'checked' || !event.facts.isDelivering || failed(event) === 'misbehaving') return;
    expect(after.presence).toEqual({ kind: 'online' });
  });
});

test('a device whose streams deliver is asked only on request, or to describe itself', () => {
  forEveryStep(({ before, event, effects }) => {
    if (event.type !== 'rested' || !event.facts.isDelivering || !event.facts.isDescribed) return;
    const { phase } = before;
    const isRequested =
      phase.pending.isPoked || phase.pending.isBroken || (phase.kind !== 'checking' && phase.isFollowUp);
    if (!isRequested) expect(effects.some((effect) => effect.kind === 'check')).toBe(false);
  });
});

test('a device whose streams do not deliver is asked whenever a rest ends', () => {
  forEveryStep(({ event, effects }) => {
    if (event.type === 'rested' && !event.facts.isDelivering) expect(effects).toEqual([{ kind: 'check' }]);
  });
});

test('after a refusal nothing is asked for 60 s, whatever is requested meanwhile', () => {
  forEveryStep(({ nowMs, effects }, earlier) => {
    const before = earlier.findLast((one) => one.event.type === 'checked');
    if (!before || !effects.some((effect) => effect.kind === 'check')) return;
    const fault = before.after.presence.kind === 'offline' ? failed(before.event) : null;
    if (fault === null || !isRefusal(fault)) return;
    expect(Math.round(nowMs - before.nowMs)).toBeGreaterThanOrEqual(60_000);
  });
});

test('every rest after a fault keeps the bounds of its backoff, and no rest is longer than a refusal has', () => {
  forEveryStep(({ event, after, effects }) => {
    const restMs = restOf(effects);
    if (restMs === null) return;
    expect(restMs).toBeGreaterThanOrEqual(0);
    expect(restMs).toBeLessThanOrEqual(60_000 * 1.2);
    const { presence } = after;
    if (event.type !== 'checked' || (presence.kind !== 'offline' && presence.kind !== 'doubtful')) return;
    if (isRefusal(presence.fault)) return expect(restMs).toBeGreaterThanOrEqual(60_000);
    const isFirstUnreachable = presence.fault === 'unreachable' && presence.failures === 1;
    expect(restMs).toBeGreaterThanOrEqual(isFirstUnreachable ? 200 : 1500);
    expect(restMs).toBeLessThanOrEqual((isFirstUnreachable ? 200 : 5000) * (1 + 0.2 * event.facts.random));
  });
});

test('only what accepts no connection or does not answer in time is probed, and only while it is away', () => {
  forEveryStep(({ after, effects }, earlier) => {
    const probe = effects.find((effect) => effect.kind === 'probe');
    if (!probe) return;
    const { presence } = after;
    if (presence.kind !== 'offline' && presence.kind !== 'doubtful') expect.unreachable(presence.kind);
    expect(['unreachable', 'timeout']).toContain(presence.fault);
    expect(probe.leastMs).toBeLessThanOrEqual(5000);
    // One that accepts connections without serving is checked at the regular pace.
    const sinceOnline = earlier.slice(earlier.findLastIndex((one) => one.after.presence.kind === 'online') + 1);
    if (sinceOnline.some((one) => one.event.type === 'accepted')) expect(probe.isUnreachable).toBe(false);
  });
});

test('each change of the status is published once, and nothing else is', () => {
  forEveryStep(({ before, after, effects }) => {
    const [from, to] = [deviceStateOf(before.presence), deviceStateOf(after.presence)];
    const isChanged = from.status !== to.status || from.reason !== to.reason;
    const published = effects.filter((effect) => effect.kind === 'publish');
    expect(published).toEqual(isChanged ? [{ kind: 'publish', state: to }] : []);
  });
});

test('pokes of a device that answers are checked at most every 5 s in the end, however many come', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 2000 }), (everyMs) => {
      const device = new SteppedDevice();
      const facts = { isDescribed: true, isDelivering: false, random: 0 };
      const checked = { type: 'checked', outcome: { kind: 'answered' }, facts } as const;
      device.step(checked);
      while (device.nowMs < 60_000) {
        device.step({ type: 'poked' });
        device.pass(everyMs, facts);
        if (device.state.phase.kind === 'checking') device.step(checked);
      }
      const checks = device.steps.filter(({ effects }) => effects.some((effect) => effect.kind === 'check'));
      // The backoff from 250 ms to 5 s takes six checks; then twelve fit into a minute.
      expect(checks.length).toBeLessThanOrEqual(1 + 6 + 12);
      expect(checks.length).toBeGreaterThanOrEqual(60_000 / (5000 + everyMs));
    }),
    { numRuns: 50 },
  );
});
