// When a device is checked, and what follows from each check: a union of phases and the pure step between them.
import type { DeviceReason } from '@vedette/contract/errors.ts';
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import {
  type CheckOutcome,
  type DevicePresence,
  type DeviceState,
  deviceStateOf,
  failingOf,
  faultOf,
  isRefusal,
  presenceAccepted,
  presenceAfter,
} from './device-presence.ts';

export interface Supervision {
  readonly presence: DevicePresence;
  readonly phase: Phase;
  readonly requested: RequestedChecks;
}

type Phase =
  | { readonly kind: 'checking'; readonly cause: CheckCause; readonly pending: Requests }
  /** Until the next check; requests end it early where the device is online. */
  | { readonly kind: 'resting'; readonly isFollowUp: boolean; readonly pending: Requests }
  /** A request came so soon after others that its check waits. */
  | { readonly kind: 'postponed'; readonly isFollowUp: boolean; readonly pending: Requests };

type CheckCause = 'schedule' | 'poke' | 'break';

/** Requests for a check that came since the last one began. */
interface Requests {
  readonly isPoked: boolean;
  /** A connection that worked has broken: unlike a stream that stays broken, that happens once. */
  readonly isBroken: boolean;
}

/** What requested checks found lately; times by the monotonic clock. */
interface RequestedChecks {
  /** Poked checks in a row that found the device online, and when the last one ended. */
  readonly needless: number;
  readonly needlessMs: number;
  /** When a check after a broken connection last found the device online. */
  readonly brokenMs: number;
}

export type SupervisionEvent =
  /** Somebody wants the device checked, for example because a stream failed. */
  | { readonly type: 'poked' }
  /** A connection to the device broke. */
  | { readonly type: 'broke' }
  | { readonly type: 'rested'; readonly facts: DeviceFacts }
  /** The reachability probe found that the device accepts connections again. */
  | { readonly type: 'accepted'; readonly facts: DeviceFacts }
  | { readonly type: 'checked'; readonly outcome: CheckOutcome; readonly facts: DeviceFacts };

export interface DeviceFacts {
  /** What channels it has is known. */
  readonly isDescribed: boolean;
  /** A stream of it delivers frames. */
  readonly isDelivering: boolean;
  /** In [0, 1), for jitter. */
  readonly random: number;
}

export type SupervisionEffect =
  /** Ends rest and probe. */
  | { readonly kind: 'check' }
  /** Replaces the rest before, and ends its probe. */
  | { readonly kind: 'rest'; readonly ms: number }
  /** Beside the rest: finds out whether the device accepts connections again. */
  | { readonly kind: 'probe'; readonly isUnreachable: boolean; readonly leastMs: number }
  | { readonly kind: 'publish'; readonly state: DeviceState }
  /** The device answers (again). */
  | { readonly kind: 'returned' }
  | { readonly kind: 'log'; readonly fault: DeviceReason; readonly error: unknown };

export interface SupervisionStep {
  readonly state: Supervision;
  readonly effects: readonly SupervisionEffect[];
}

const CHECK_EVERY_MS = 15_000;
const RETRY_FIRST_MS = 1500;
/** A device that came back is found within this, also where the probe finds nothing. */
const RETRY_MAX_MS = 5000;
/** Where no connection is accepted at all, it is soon known whether that was chance. */
const RETRY_UNREACHABLE_MS = 200;
/** Refused credentials stay refused; attempts count towards locking the device's account. */
const RETRY_REFUSED_MS = 60_000;
/** Between requested checks that find the device online: ever longer. */
const FIRST_REQUESTS_APART_MS = 250;
const REQUESTS_APART_MS = 5000;
/** Pokes that are further apart do not follow one another. */
const REQUESTS_FORGOTTEN_MS = CHECK_EVERY_MS / 2;
const JITTER = 0.2;
const PROBES_APART_MAX_MS = 5000;

const NO_REQUESTS: Requests = { isPoked: false, isBroken: false };

/** Its first `rested` begins the first check. */
export const UNSUPERVISED: Supervision = {
  presence: { kind: 'unknown' },
  phase: { kind: 'resting', isFollowUp: false, pending: NO_REQUESTS },
  requested: { needless: 0, needlessMs: -Infinity, brokenMs: -Infinity },
};

export function supervisionStep(state: Supervision, event: SupervisionEvent, nowMs: number): SupervisionStep {
  switch (event.type) {
    case 'poked':
    case 'broke':
      return onRequest(state, event.type, nowMs);
    case 'rested':
      return onRested(state, event.facts, nowMs);
    case 'accepted': {
      const presence = presenceAccepted(state.presence);
      return presence === state.presence ? unchanged(state) : onRested({ ...state, presence }, event.facts, nowMs);
    }
    case 'checked':
      return state.phase.kind === 'checking' ? onChecked(state, state.phase, event, nowMs) : unchanged(state);
  }
}

function onRequest(before: Supervision, request: 'poked' | 'broke', nowMs: number): SupervisionStep {
  const { phase, presence } = before;
  const isPoked = phase.pending.isPoked || request === 'poked';
  const isBroken = phase.pending.isBroken || request === 'broke';
  const state = { ...before, phase: { ...phase, pending: { isPoked, isBroken } } };
  // One that is away is checked soon anyway.
  if (presence.kind !== 'online') return unchanged(state);
  switch (phase.kind) {
    case 'checking':
      return unchanged(state);
    case 'resting':
      return checkSoon(state, nowMs);
    case 'postponed':
      return isBroken && !phase.pending.isBroken ? beginCheck(state, nowMs) : unchanged(state);
  }
}

function onRested(state: Supervision, facts: DeviceFacts, nowMs: number): SupervisionStep {
  const { phase } = state;
  if (phase.kind === 'checking') return unchanged(state);
  const cause = causeOf(state, nowMs);
  const isExpected = cause === 'schedule' && !phase.isFollowUp;
  if (!isExpected || !facts.isDescribed || !facts.isDelivering) return beginCheck(state, nowMs);
  // Frames are proof enough that it is online.
  const checking = { kind: 'checking', cause, pending: NO_REQUESTS } as const;
  return onChecked(state, checking, { outcome: { kind: 'not-asked' }, facts }, nowMs);
}

function beginCheck(state: Supervision, nowMs: number): SupervisionStep {
  const phase: Phase = { kind: 'checking', cause: causeOf(state, nowMs), pending: NO_REQUESTS };
  return { state: { ...state, phase }, effects: [{ kind: 'check' }] };
}

/** For a device that is online: at once after a broken connection, and after a poke the later the more were needless. */
function checkSoon(state: Supervision, nowMs: number): SupervisionStep {
  if (causeOf(state, nowMs) === 'break') return beginCheck(state, nowMs);
  const { needless, needlessMs } = state.requested;
  // Streams that stay broken on a device that answers must not have it checked all the time.
  const apartMs = backoffDelayMs(needless - 1, 0, { firstMs: FIRST_REQUESTS_APART_MS, maxMs: REQUESTS_APART_MS });
  const { phase } = state;
  const isFollowUp = phase.kind !== 'checking' && phase.isFollowUp;
  return {
    state: { ...state, phase: { kind: 'postponed', isFollowUp, pending: phase.pending } },
    effects: [{ kind: 'rest', ms: Math.max(0, apartMs - (nowMs - needlessMs)) }],
  };
}

function onChecked(
  before: Supervision,
  { cause, pending }: Extract<Phase, { kind: 'checking' }>,
  { outcome, facts }: Pick<Extract<SupervisionEvent, { type: 'checked' }>, 'outcome' | 'facts'>,
  nowMs: number,
): SupervisionStep {
  const fault = faultOf(before.presence, outcome, facts.isDelivering);
  const presence = presenceAfter(before.presence, fault);
  const hasAnswered = outcome.kind === 'answered';
  const isNeedless = cause === 'poke' && hasAnswered && failingOf(before.presence) === null;
  const requested = requestedAfter(before, { cause, fault, isNeedless, nowMs });
  // What just broke may have been the first of several: a device that fails breaks one connection after the other.
  const isFollowUp = (isNeedless && requested.needless === 1) || (cause === 'break' && hasAnswered);
  const state: Supervision = { presence, requested, phase: { kind: 'resting', isFollowUp, pending } };
  const effects = [...logs(before.presence, outcome, fault), ...changes(before.presence, presence)];
  if (presence.kind === 'online' && (pending.isPoked || pending.isBroken)) {
    const soon = checkSoon(state, nowMs);
    return { ...soon, effects: [...effects, ...soon.effects] };
  }
  const restMs = isFollowUp ? FIRST_REQUESTS_APART_MS : restAfter(presence);
  return {
    state,
    effects: [...effects, { kind: 'rest', ms: restMs * (1 + JITTER * facts.random) }, ...probes(presence)],
  };
}

interface EndedCheck {
  readonly cause: CheckCause;
  readonly fault: DeviceReason | null;
  readonly isNeedless: boolean;
  readonly nowMs: number;
}

function requestedAfter({ presence, requested }: Supervision, check: EndedCheck): RequestedChecks {
  const { cause, fault, isNeedless, nowMs } = check;
  const isAway = failingOf(presence) !== null || fault !== null;
  const isForgotten = isAway || nowMs - requested.needlessMs > REQUESTS_FORGOTTEN_MS;
  const needless = isForgotten ? 0 : requested.needless;
  const brokenMs = cause === 'break' ? nowMs : requested.brokenMs;
  return {
    needless: isNeedless ? needless + 1 : needless,
    needlessMs: isNeedless ? nowMs : requested.needlessMs,
    brokenMs: fault === null ? brokenMs : -Infinity,
  };
}

/** A device that breaks its connections again and again is not checked for each. */
function causeOf({ phase, requested }: Supervision, nowMs: number): CheckCause {
  const { isPoked, isBroken } = phase.pending;
  if (isBroken && nowMs - requested.brokenMs >= REQUESTS_APART_MS) return 'break';
  return isPoked ? 'poke' : 'schedule';
}

function restAfter(presence: DevicePresence): number {
  const failing = failingOf(presence);
  if (failing === null) return CHECK_EVERY_MS;
  const { fault, failures } = failing;
  if (isRefusal(fault)) return RETRY_REFUSED_MS;
  if (fault === 'unreachable' && failures === 1) return RETRY_UNREACHABLE_MS;
  return backoffDelayMs(failures - 1, 0, { firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS });
}

function probes(presence: DevicePresence): readonly SupervisionEffect[] {
  const failing = failingOf(presence);
  if (failing?.fault !== 'unreachable' && failing?.fault !== 'timeout') return [];
  const { fault, failures, hasAccepted } = failing;
  // Checks are at most 5 s apart in the end: away for an hour it is probed about once a second, from five hours on every five.
  const leastMs = Math.min(PROBES_APART_MAX_MS, (failures * 1000) / 60);
  return [{ kind: 'probe', isUnreachable: fault === 'unreachable' && !hasAccepted, leastMs }];
}

function logs(
  presence: DevicePresence,
  outcome: CheckOutcome,
  fault: DeviceReason | null,
): readonly SupervisionEffect[] {
  if (outcome.kind !== 'failed' || fault === null || fault === deviceStateOf(presence).reason) return [];
  return [{ kind: 'log', fault, error: outcome.error }];
}

function changes(from: DevicePresence, to: DevicePresence): readonly SupervisionEffect[] {
  const [before, state] = [deviceStateOf(from), deviceStateOf(to)];
  const isChanged = before.status !== state.status || before.reason !== state.reason;
  const isBack = to.kind === 'online' && from.kind !== 'online';
  return [
    ...(isChanged ? [{ kind: 'publish', state } as const] : []),
    ...(isBack ? [{ kind: 'returned' } as const] : []),
  ];
}

function unchanged(state: Supervision): SupervisionStep {
  return { state, effects: [] };
}
