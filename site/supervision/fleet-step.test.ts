// What holds for every order of assignments: what runs, and that each supervisor that started is stopped once.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EMPTY_FLEET,
  type FleetEffect,
  type FleetEvent,
  type FleetState,
  fleetStep,
  withdrawnBy,
} from './fleet-step.ts';

type Change =
  | { readonly kind: 'one'; readonly assignment: DeviceAssignment }
  | { readonly kind: 'withdrawn'; readonly deviceSerial: string }
  | { readonly kind: 'all'; readonly assignments: readonly DeviceAssignment[] };

/** This version has every driver but this one. */
const MISSING_DRIVER = 'of-a-later-version';

/** Performs the effects as the fleet does, on supervisors that are numbers. */
class PerformedFleet {
  state: FleetState = EMPTY_FLEET;
  readonly running = new Map<string, { readonly supervisor: number; readonly opened: DeviceAssignment }>();
  readonly started: number[] = [];
  readonly stopped: number[] = [];
  /** Since the last change. */
  performed: FleetEffect<number>[] = [];
  #opened = 0;

  change(change: Change): void {
    this.performed = [];
    if (change.kind === 'one') this.step({ type: 'assigned', assignment: change.assignment });
    else if (change.kind === 'withdrawn') this.step({ type: 'withdrawn', deviceSerial: change.deviceSerial });
    else {
      for (const deviceSerial of withdrawnBy(this.state, change.assignments)) {
        this.step({ type: 'withdrawn', deviceSerial });
      }
      for (const assignment of change.assignments) this.step({ type: 'assigned', assignment });
    }
  }

  step(event: FleetEvent<number>): void {
    const { state, effects } = fleetStep(this.state, event);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: FleetEffect<number>): void {
    this.performed.push(effect);
    switch (effect.kind) {
      case 'open': {
        const { deviceSerial, driver } = effect.assignment;
        const isMissing = driver === MISSING_DRIVER;
        this.step(
          isMissing ? { type: 'not-opened', deviceSerial } : { type: 'opened', deviceSerial, opened: ++this.#opened },
        );
        return;
      }
      case 'start':
        this.#requireRunning(effect.assignment.deviceSerial, false);
        return this.#start(effect);
      case 'exchange':
        this.#stop(effect.assignment.deviceSerial);
        return this.#start(effect);
      case 'stop':
        return this.#stop(effect.deviceSerial);
      case 'follow':
        return this.#requireRunning(effect.assignment.deviceSerial, true);
      case 'forget':
        return this.#requireRunning(effect.deviceSerial, false);
    }
  }

  #start({ assignment, opened }: Extract<FleetEffect<number>, { readonly opened: number }>): void {
    this.started.push(opened);
    this.running.set(assignment.deviceSerial, { supervisor: opened, opened: assignment });
  }

  #requireRunning(deviceSerial: string, isRunning: boolean): void {
    if (this.running.has(deviceSerial) !== isRunning) throw new Error(`${deviceSerial} runs: ${!isRunning}`);
  }

  #stop(deviceSerial: string): void {
    this.stopped.push(this.running.get(deviceSerial)?.supervisor ?? expect.unreachable('it does not run'));
    this.running.delete(deviceSerial);
  }
}

const serials = fc.constantFrom('CAM1', 'CAM2', 'CAM3');
const assignments = fc.record<DeviceAssignment>({
  deviceSerial: serials,
  driver: fc.constantFrom('onvif', 'rtsp', MISSING_DRIVER),
  native: fc.constantFrom({ host: '192.0.2.1' }, { host: '192.0.2.2' }),
  user: fc.constant('admin'),
  password: fc.constantFrom('one', 'two'),
  isOperatorAddress: fc.boolean(),
  channels: fc.constantFrom([], [{ channelNo: 1, channelId: 'c1', record: null, backfillFrom: null }]),
});
const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('one' as const), assignment: assignments }),
    fc.record({ kind: fc.constant('withdrawn' as const), deviceSerial: serials }),
    fc.record({
      kind: fc.constant('all' as const),
      assignments: fc.uniqueArray(assignments, { selector: (one) => one.deviceSerial }),
    }),
  ),
  { maxLength: 30 },
);

function forEveryFleet(holds: (fleet: PerformedFleet, list: readonly Change[]) => void): void {
  fc.assert(
    fc.property(changes, (list) => holds(new PerformedFleet(), list)),
    { numRuns: 300 },
  );
}

function connection({ driver, native, user, password, isOperatorAddress }: DeviceAssignment): unknown {
  return { driver, native, user, password, isOperatorAddress };
}

test('every supervisor that started is stopped exactly once, and nothing starts after the close', () => {
  forEveryFleet((fleet, list) => {
    for (const change of list) fleet.change(change);
    fleet.step({ type: 'closed' });
    expect(fleet.stopped.toSorted((a, b) => a - b)).toEqual(fleet.started);
    expect(fleet.running.size).toBe(0);
    const started = fleet.started.length;
    for (const change of list) fleet.change(change);
    expect(fleet.started).toHaveLength(started);
  });
});

test('a withdrawn device is stopped and forgotten, and runs no more until it is assigned again', () => {
  forEveryFleet((fleet, list) => {
    const withdrawn = new Set<string>();
    for (const change of list) {
      const before = new Set(fleet.running.keys());
      fleet.change(change);
      if (change.kind === 'one') withdrawn.delete(change.assignment.deviceSerial);
      if (change.kind === 'withdrawn') withdrawn.add(change.deviceSerial);
      if (change.kind === 'all') {
        for (const serial of before) withdrawn.add(serial);
        for (const { deviceSerial } of change.assignments) withdrawn.delete(deviceSerial);
      }
      for (const serial of withdrawn) {
        expect(fleet.running.has(serial)).toBe(false);
        if (before.has(serial)) expect(fleet.performed).toContainEqual({ kind: 'forget', deviceSerial: serial });
      }
    }
  });
});

test('every assigned device of a known driver runs on the connection that it was last assigned', () => {
  forEveryFleet((fleet, list) => {
    for (const change of list) {
      fleet.change(change);
      const assigned = change.kind === 'one' ? [change.assignment] : change.kind === 'all' ? change.assignments : [];
      for (const assignment of assigned.filter((one) => one.driver !== MISSING_DRIVER)) {
        const running = fleet.running.get(assignment.deviceSerial)?.opened ?? expect.unreachable('it does not run');
        expect(connection(running)).toEqual(connection(assignment));
        expect(fleet.performed).toContainEqual({ kind: 'follow', assignment });
      }
    }
  });
});

test('an equal assignment, or one that differs in its channels alone, restarts nothing', () => {
  forEveryFleet((fleet, list) => {
    for (const change of list) {
      const before = new Map(fleet.running);
      fleet.change(change);
      for (const [deviceSerial, { supervisor, opened }] of before) {
        const after = fleet.running.get(deviceSerial);
        if (after && JSON.stringify(connection(after.opened)) === JSON.stringify(connection(opened))) {
          expect(after.supervisor).toBe(supervisor);
        }
      }
      const running = fleet.running.size;
      const started = fleet.started.length;
      fleet.change(change);
      expect(fleet.started).toHaveLength(started);
      expect(fleet.running.size).toBe(running);
    }
  });
});

test('a device whose new driver is missing continues as it was assigned before', () => {
  forEveryFleet((fleet, list) => {
    for (const change of list) {
      const before = new Map(fleet.running);
      fleet.change(change);
      if (change.kind !== 'one' || change.assignment.driver !== MISSING_DRIVER) continue;
      expect(fleet.running).toEqual(before);
    }
  });
});

test('a step changes no state that was given to it', () => {
  forEveryFleet((fleet, list) => {
    for (const change of list) {
      const { state } = fleet;
      const copy = structuredClone(state);
      fleet.change(change);
      expect(state).toEqual(copy);
    }
  });
});

test('what runs while another driver is being opened is stopped by a withdrawal and by the close', () => {
  fc.assert(
    fc.property(assignments, assignments, (first, second) => {
      const fleet = new PerformedFleet();
      fleet.step({ type: 'assigned', assignment: { ...first, driver: 'onvif' } });
      const next = { ...second, deviceSerial: first.deviceSerial, driver: 'rtsp' };
      const { state, effects } = fleetStep(fleet.state, { type: 'assigned', assignment: next });
      expect(effects).toEqual([{ kind: 'open', assignment: next }]);
      const { deviceSerial } = first;
      expect(fleetStep(state, { type: 'closed' }).effects).toEqual([{ kind: 'stop', deviceSerial }]);
      expect(fleetStep(state, { type: 'withdrawn', deviceSerial }).effects[0]).toEqual({ kind: 'stop', deviceSerial });
    }),
    { numRuns: 20 },
  );
});
