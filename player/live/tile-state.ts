// The state of one live tile as a union, and the pure step from one state to the next.
import type { DeviceReason } from '@vedette/contract/errors.ts';
import { REFUSAL_CODES } from '../core/refusal-codes.ts';
import type { TransportKind } from '../transports/transport.ts';
import type { TransportReason } from '../transports/transport-choice.ts';

/** Why a smaller stream was asked for: the line was too slow for the first one, or no transport showed it. */
export type LighterReason = 'slowLine' | 'undecodable';

export interface Picture {
  readonly transport: TransportKind;
  /** Why this transport was chosen. */
  readonly because: TransportReason;
  readonly lighterBecause: LighterReason | null;
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** From capture to display, rounded; null while the site's clock is unknown. */
  readonly latencyMs: number | null;
  /** Frames of this attempt that were never displayed. */
  readonly dropped: number;
  /** Frames of this attempt displayed noticeably late. */
  readonly late: number;
}

export type TileState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | ({ readonly kind: 'live' } & Picture)
  /** Was or should be playing, but nothing comes: the camera's stream, or our own connection. */
  | { readonly kind: 'stalled'; readonly cause: 'stream' | 'keyframe' | 'connection'; readonly since: number }
  /** The device does not deliver; tried again on its own. */
  | { readonly kind: 'offline'; readonly code: number; readonly reason: string | null; readonly since: number }
  | { readonly kind: 'denied'; readonly code: number }
  | { readonly kind: 'ended'; readonly code: number; readonly reason: string | null }
  | { readonly kind: 'unsupported'; readonly codec: string | null }
  | { readonly kind: 'paused' };

export type TileEvent =
  | { readonly type: 'opened' }
  | { readonly type: 'closed' }
  | { readonly type: 'hidden' }
  | { readonly type: 'shown' }
  | { readonly type: 'picture'; readonly picture: Picture }
  | { readonly type: 'silence' }
  | { readonly type: 'disconnected' }
  /** The engine waits for the device: `stalled` if it stopped or is unreachable, with a reason. */
  | { readonly type: 'waiting'; readonly state: 'connecting' | 'stalled'; readonly reason: string | null }
  | { readonly type: 'refused'; readonly code: number; readonly reason: string | null }
  | { readonly type: 'undecodable'; readonly codec: string | null };

/** A right is missing or ended: no frame may stay visible. */
const DENIED: ReadonlySet<number> = new Set([
  REFUSAL_CODES.tokenInvalid,
  REFUSAL_CODES.tokenExpired,
  REFUSAL_CODES.permissionDenied,
  REFUSAL_CODES.videoClosed,
  REFUSAL_CODES.ownership,
  REFUSAL_CODES.devNotExist,
  REFUSAL_CODES.notFound,
  REFUSAL_CODES.userLocked,
]);
const OFFLINE: ReadonlySet<number> = new Set([REFUSAL_CODES.devInternalErr, REFUSAL_CODES.devResponseTimeOut]);

/** Video arrives: the picture comes back by itself with the next keyframe. */
const AWAITING_KEYFRAME: DeviceReason = 'noKeyPicture';

export function nextTileState(state: TileState, event: TileEvent, now: number): TileState {
  if (event.type === 'closed') return { kind: 'idle' };
  if (event.type === 'opened') return { kind: 'connecting' };
  return state.kind === 'idle' || isFinal(state) ? state : nextOpenState(state, event, now);
}

function nextOpenState(
  state: TileState,
  event: Exclude<TileEvent, { readonly type: 'opened' | 'closed' }>,
  now: number,
): TileState {
  switch (event.type) {
    case 'hidden':
      return { kind: 'paused' };
    case 'shown':
      return state.kind === 'paused' ? { kind: 'connecting' } : state;
    case 'picture':
      return livePicture(state, event.picture);
    case 'silence':
      return silent(state, now);
    case 'disconnected':
      return state.kind === 'live' ? { kind: 'stalled', cause: 'connection', since: now } : state;
    case 'waiting':
      return waiting(state, event, now);
    case 'refused':
      return refused(state, event.code, event.reason, now);
    case 'undecodable':
      return { kind: 'unsupported', codec: event.codec };
  }
}

/** Final until a new `opened`. */
export function isFinal(state: TileState): boolean {
  return state.kind === 'denied' || state.kind === 'ended' || state.kind === 'unsupported';
}

/** Whether the last frame may stay visible in this state. */
export function mayShowLastFrame(state: TileState): boolean {
  return state.kind !== 'idle' && state.kind !== 'denied' && state.kind !== 'ended';
}

function livePicture(state: TileState, picture: Picture): TileState {
  if (state.kind === 'paused') return state;
  if (state.kind !== 'live') return { kind: 'live', ...picture };
  // Compared field by field without allocation, since it runs for each frame.
  for (const field in picture) {
    if (state[field as keyof Picture] !== picture[field as keyof Picture]) return { kind: 'live', ...picture };
  }
  return state;
}

function silent(state: TileState, now: number): TileState {
  const isExpecting = state.kind === 'live' || state.kind === 'connecting';
  return isExpecting ? { kind: 'stalled', cause: 'stream', since: now } : state;
}

function waiting(state: TileState, event: Extract<TileEvent, { readonly type: 'waiting' }>, now: number): TileState {
  if (state.kind === 'paused') return state;
  if (event.reason === AWAITING_KEYFRAME && (state.kind === 'live' || state.kind === 'stalled')) {
    return { kind: 'stalled', cause: 'keyframe', since: sinceOf(state, now) };
  }
  // One break may be over at once; a device that then still fails is away.
  const reason = event.state === 'stalled' && state.kind === 'live' ? null : event.reason;
  if (reason !== null) {
    if (state.kind === 'offline' && state.reason === reason) return state;
    return { kind: 'offline', code: REFUSAL_CODES.devInternalErr, reason, since: sinceOf(state, now) };
  }
  return state.kind === 'live' ? { kind: 'stalled', cause: 'stream', since: now } : state;
}

function refused(state: TileState, code: number, reason: string | null, now: number): TileState {
  if (reason === 'unsupportedCodec' || reason === 'noVideo' || code === REFUSAL_CODES.functionNotSupported) {
    return { kind: 'unsupported', codec: null };
  }
  if (code === REFUSAL_CODES.shareEnded) return { kind: 'ended', code, reason };
  if (DENIED.has(code)) return { kind: 'denied', code };
  if (state.kind === 'paused') return state;
  if (OFFLINE.has(code)) return { kind: 'offline', code, reason, since: sinceOf(state, now) };
  return state.kind === 'stalled' ? state : { kind: 'stalled', cause: 'connection', since: now };
}

function sinceOf(state: TileState, now: number): number {
  return state.kind === 'stalled' || state.kind === 'offline' ? state.since : now;
}
