// PTZ interface of a channel: moves with a timeout, switches, presets and the device's own tours.

export type PtzAxis = 'panTilt' | 'zoom' | 'focus' | 'iris';
export type PtzSwitch = 'light' | 'wiper';
export type PtzCapability = 'ptz' | 'zoom' | 'focus' | 'iris' | PtzSwitch | 'preset' | 'tour';

/** −1 to 1: right, up, zoom in, focus far and iris open are positive. */
export type PtzVelocity =
  | { readonly axis: 'panTilt'; readonly pan: number; readonly tilt: number }
  | { readonly axis: 'zoom' | 'focus' | 'iris'; readonly speed: number };

/** Tokens are text: "1", "01" and "true" are three presets. */
export interface DevicePreset {
  readonly token: string;
  /** The device's own name, or ''; names may repeat. */
  readonly name: string;
}

export interface PtzPresets {
  list(signal?: AbortSignal): Promise<readonly DevicePreset[]>;
  /** Stores the current position; a name that the device rejects is omitted. Returns the token. */
  add(name: string, signal?: AbortSignal): Promise<string>;
  /** A missing one is no fault. */
  remove(token: string, signal?: AbortSignal): Promise<void>;
  goto(token: string, signal?: AbortSignal): Promise<void>;
}

export interface DeviceTour {
  readonly token: string;
  readonly name: string;
  readonly isRunning: boolean;
  readonly stops: readonly { readonly token: string; readonly stayMs: number }[];
}

export interface PtzTours {
  list(signal?: AbortSignal): Promise<readonly DeviceTour[]>;
  operate(token: string, order: 'start' | 'stop', signal?: AbortSignal): Promise<void>;
}

export interface PtzController {
  readonly axes: ReadonlySet<PtzAxis>;
  readonly switches: ReadonlySet<PtzSwitch>;
  /** The device stops after `leaseMs` if it can; a repeated call continues the move. A missing axis is DeviceFault `not-supported`. */
  move(velocity: PtzVelocity, leaseMs: number, signal?: AbortSignal): Promise<void>;
  stop(axis: PtzAxis, signal?: AbortSignal): Promise<void>;
  turn(which: PtzSwitch, isOn: boolean, signal?: AbortSignal): Promise<void>;
  /** Null if the device does not report it. */
  isMoving(signal?: AbortSignal): Promise<boolean | null>;
  readonly presets?: PtzPresets;
  readonly tours?: PtzTours;
}

export function ptzCapabilities(head: PtzController): PtzCapability[] {
  const named = [...head.axes].map((axis): PtzCapability => (axis === 'panTilt' ? 'ptz' : axis));
  return [
    ...named,
    ...head.switches,
    ...(head.presets === undefined ? [] : (['preset'] as const)),
    ...(head.tours === undefined ? [] : (['tour'] as const)),
  ];
}
