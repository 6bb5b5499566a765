// Which devices run, as a union for each, and the pure step from each change of the assignment to what is started and stopped.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';

export interface FleetState {
  /** By serial; a device that is missing does not run. */
  readonly members: ReadonlyMap<string, Membership>;
  /** Nothing starts any more. */
  readonly isClosed: boolean;
}

export type Membership =
  /** A driver is being opened for `next`; `previous` runs meanwhile, if any. */
  | { readonly kind: 'opening'; readonly next: DeviceAssignment; readonly previous: DeviceAssignment | null }
  | { readonly kind: 'running'; readonly assignment: DeviceAssignment };

/** `Opened` is what a driver and its supervisor are to whoever performs the effects. */
export type FleetEvent<Opened> =
  | { readonly type: 'assigned'; readonly assignment: DeviceAssignment }
  | { readonly type: 'withdrawn'; readonly deviceSerial: string }
  | { readonly type: 'opened'; readonly deviceSerial: string; readonly opened: Opened }
  /** This version has no such driver, or the address is not one of that driver. */
  | { readonly type: 'not-opened'; readonly deviceSerial: string }
  | { readonly type: 'closed' };

export type FleetEffect<Opened> =
  /** Opens a driver; `opened` or `not-opened` follows. */
  | { readonly kind: 'open'; readonly assignment: DeviceAssignment }
  /** Starts the supervisor with the driver that was opened. */
  | { readonly kind: 'start'; readonly assignment: DeviceAssignment; readonly opened: Opened }
  /** The same in place of the supervisor that runs: viewers and recorders stay. */
  | { readonly kind: 'exchange'; readonly assignment: DeviceAssignment; readonly opened: Opened }
  /** Brings the recordings in line with the assignment. */
  | { readonly kind: 'follow'; readonly assignment: DeviceAssignment }
  | { readonly kind: 'stop'; readonly deviceSerial: string }
  /** Deletes what is kept of a device beyond its run. */
  | { readonly kind: 'forget'; readonly deviceSerial: string };

export interface FleetStep<Opened> {
  readonly state: FleetState;
  /** To be performed one after the other. */
  readonly effects: readonly FleetEffect<Opened>[];
}

export const EMPTY_FLEET: FleetState = { members: new Map(), isClosed: false };

export function fleetStep<Opened>(state: FleetState, event: FleetEvent<Opened>): FleetStep<Opened> {
  switch (event.type) {
    case 'assigned':
      return onAssigned(state, event.assignment);
    case 'withdrawn':
      return onWithdrawn(state, event.deviceSerial);
    case 'opened':
      return onOpened(state, event.deviceSerial, event.opened);
    case 'not-opened':
      return onNotOpened(state, event.deviceSerial);
    case 'closed':
      return {
        state: { members: new Map(), isClosed: true },
        effects: [...state.members].filter(hasSupervisor).map(([deviceSerial]) => ({ kind: 'stop', deviceSerial })),
      };
  }
}

/** Serials of those that a complete assignment leaves out. */
export function withdrawnBy({ members }: FleetState, devices: readonly DeviceAssignment[]): readonly string[] {
  const assigned = new Set(devices.map((device) => device.deviceSerial));
  return [...members.keys()].filter((deviceSerial) => !assigned.has(deviceSerial));
}

function onAssigned(state: FleetState, assignment: DeviceAssignment): FleetStep<never> {
  if (state.isClosed) return { state, effects: [] };
  const previous = runningOf(state.members.get(assignment.deviceSerial));
  if (previous !== null && connectionOf(previous) === connectionOf(assignment)) {
    return { state: withMember(state, { kind: 'running', assignment }), effects: [{ kind: 'follow', assignment }] };
  }
  return {
    state: withMember(state, { kind: 'opening', next: assignment, previous }),
    effects: [{ kind: 'open', assignment }],
  };
}

function onOpened<Opened>(state: FleetState, deviceSerial: string, opened: Opened): FleetStep<Opened> {
  const member = state.members.get(deviceSerial);
  if (member?.kind !== 'opening') return { state, effects: [] };
  const assignment = member.next;
  const kind = member.previous === null ? 'start' : 'exchange';
  return {
    state: withMember(state, { kind: 'running', assignment }),
    effects: [
      { kind, assignment, opened },
      { kind: 'follow', assignment },
    ],
  };
}

function onNotOpened(state: FleetState, deviceSerial: string): FleetStep<never> {
  const member = state.members.get(deviceSerial);
  if (member?.kind !== 'opening') return { state, effects: [] };
  const assignment = member.previous;
  if (assignment === null) return { state: without(state, deviceSerial), effects: [] };
  // What runs continues as it was assigned before.
  return { state: withMember(state, { kind: 'running', assignment }), effects: [{ kind: 'follow', assignment }] };
}

function onWithdrawn(state: FleetState, deviceSerial: string): FleetStep<never> {
  const runs = runningOf(state.members.get(deviceSerial)) !== null;
  return {
    state: without(state, deviceSerial),
    effects: [...(runs ? [{ kind: 'stop', deviceSerial } as const] : []), { kind: 'forget', deviceSerial }],
  };
}

/** The assignment by which a device runs at present. */
function runningOf(member: Membership | undefined): DeviceAssignment | null {
  if (member === undefined) return null;
  return member.kind === 'running' ? member.assignment : member.previous;
}

function hasSupervisor([, member]: readonly [string, Membership]): boolean {
  return runningOf(member) !== null;
}

function withMember(state: FleetState, member: Membership): FleetState {
  const { deviceSerial } = member.kind === 'running' ? member.assignment : member.next;
  return { ...state, members: new Map(state.members).set(deviceSerial, member) };
}

function without(state: FleetState, deviceSerial: string): FleetState {
  const members = new Map(state.members);
  members.delete(deviceSerial);
  return { ...state, members };
}

/** The part of an assignment that needs another driver when it changes. */
function connectionOf({ driver, native, user, password, isOperatorAddress }: DeviceAssignment): string {
  return JSON.stringify([driver, native, user, password, isOperatorAddress]);
}
