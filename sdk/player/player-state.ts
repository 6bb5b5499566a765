// The states of the tree's live tile and playback, in the words of the element.
import type { TileState as LiveState } from '@vedette/player/live/tile-state.ts';
import type { TileState as RecordedState } from '@vedette/player/playback/tile-view.ts';
import type { PlayerError, PlayerState } from './element-types.ts';

export const IDLE: PlayerState = { kind: 'idle', code: null, reason: null };

const LIVE_KINDS = { connecting: 'loading', paused: 'hidden' } as const;

export function ofLive(state: LiveState): PlayerState {
  const kind = state.kind === 'connecting' || state.kind === 'paused' ? LIVE_KINDS[state.kind] : state.kind;
  return { kind, code: 'code' in state ? state.code : null, reason: 'reason' in state ? state.reason : null };
}

export function ofRecorded(state: RecordedState): PlayerState {
  const kind = state.kind === 'catchingUp' ? 'playing' : state.kind;
  return { kind, code: 'code' in state ? state.code : null, reason: null };
}

/** These are told as errors too. */
export function errorOf({ kind, code, reason }: PlayerState): PlayerError | null {
  const isError = kind === 'offline' || kind === 'denied' || kind === 'failed' || kind === 'unsupported';
  return isError && code !== null ? { code, reason } : null;
}
