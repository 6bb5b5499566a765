// What users of `<vedette-player>` see of it, in words of its own: the package's declarations need nothing else.

export type PlayerStateKind =
  /** Something is still missing: the server, the device or a token. */
  | 'idle'
  | 'loading'
  | 'live'
  | 'playing'
  | 'paused'
  /** Out of view: nothing is loaded. */
  | 'hidden'
  /** Nothing comes for the moment; it goes on by itself. */
  | 'stalled'
  | 'offline'
  /** Nothing is recorded here. */
  | 'gap'
  /** Nothing is recorded from here on. */
  | 'empty'
  | 'ended'
  | 'denied'
  | 'unsupported'
  | 'failed';

export interface PlayerState {
  readonly kind: PlayerStateKind;
  /** Of the server's error codes; null where none explains the state. */
  readonly code: number | null;
  /** What the device did, with the codes 2316 and 2317. */
  readonly reason: string | null;
}

/** Why something was refused that the viewer asked for. */
export interface PlayerError {
  readonly code: number;
  readonly reason: string | null;
}

export type PtzCommand =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'leftUp'
  | 'rightUp'
  | 'leftDown'
  | 'rightDown'
  | 'zoomIn'
  | 'zoomOut';

export interface TalkState {
  readonly kind: 'off' | 'microphone' | 'connecting' | 'talking';
  /** Why it ended, where nobody ended it. */
  readonly endedBy: 'microphone' | 'lost' | 'refused' | null;
}

/** Gives an access token of the app; null where there is none. Asked before each call, so that a token that ends is followed by the next. */
export type TokenSource = () => string | null | Promise<string | null>;
