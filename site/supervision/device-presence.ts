// Whether a device is online, as a union, and how the result of each check changes it.
import type { DeviceReason } from '@vedette/contract/errors.ts';

export type DevicePresence =
  /** Before the first check has ended. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'online' }
  /** Still counts as online: one failed check may be chance. */
  | ({ readonly kind: 'doubtful' } & Failing)
  | ({ readonly kind: 'offline' } & Failing);

interface Failing {
  /** Of the last check. */
  readonly fault: DeviceReason;
  /** Failed checks in a row. */
  readonly failures: number;
  /** It accepted a connection since its last answer, but did not answer a check. */
  readonly hasAccepted: boolean;
}

export type CheckOutcome =
  | { readonly kind: 'answered' }
  /** Nothing was asked: its streams deliver. */
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'failed'; readonly fault: DeviceReason; readonly error: unknown }
  /** The drivers were restarted meanwhile, which says nothing about the device. */
  | { readonly kind: 'interrupted'; readonly fault: DeviceReason };

export interface DeviceState {
  /** 1 online, 0 offline, -1 not known yet. */
  readonly status: 0 | 1 | -1;
  readonly reason: DeviceReason | null;
}

/** The fault that counts against the device; null where the outcome says nothing against it being online. */
export function faultOf(presence: DevicePresence, outcome: CheckOutcome, isDelivering: boolean): DeviceReason | null {
  if (outcome.kind === 'answered' || outcome.kind === 'not-asked') return null;
  const { fault } = outcome;
  // A device that sends frames is online, whatever its other services do, unless it harms the site.
  if (isDelivering && fault !== 'misbehaving') return null;
  const countsAsOnline = presence.kind === 'online' || presence.kind === 'doubtful';
  return outcome.kind === 'interrupted' && countsAsOnline ? null : fault;
}

export function presenceAfter(presence: DevicePresence, fault: DeviceReason | null): DevicePresence {
  if (fault === null) return { kind: 'online' };
  const before = failingOf(presence);
  const failing: Failing = {
    fault,
    failures: (before?.failures ?? 0) + 1,
    hasAccepted: before?.hasAccepted ?? false,
  };
  // A refusal, by the site or by the device, is no chance, and asking again brings a lock-out nearer.
  const mayBeChance = presence.kind === 'online' && !isRefusal(fault);
  return { kind: mayBeChance ? 'doubtful' : 'offline', ...failing };
}

/** After the reachability probe found that the device accepts connections again. */
export function presenceAccepted(presence: DevicePresence): DevicePresence {
  return presence.kind === 'doubtful' || presence.kind === 'offline' ? { ...presence, hasAccepted: true } : presence;
}

/** Null while nothing is known against the device. */
export function failingOf(presence: DevicePresence): Failing | null {
  return presence.kind === 'doubtful' || presence.kind === 'offline' ? presence : null;
}

export function deviceStateOf(presence: DevicePresence): DeviceState {
  if (presence.kind === 'unknown') return { status: -1, reason: null };
  return presence.kind === 'offline' ? { status: 0, reason: presence.fault } : { status: 1, reason: null };
}

/** The device, or the site, declines: asking sooner does not change that. */
export function isRefusal(fault: DeviceReason): boolean {
  return fault === 'deviceAuth' || fault === 'untrusted' || fault === 'misbehaving';
}
