// Maps a PTZ command to an axis with a speed, or to a switch.
import { PTZ_SPEED, type PtzCommand } from '@vedette/contract/ptz.ts';
import type { PtzSwitch, PtzVelocity } from '@vedette/drivers/kit/ptz.ts';

export type PtzMove = PtzVelocity | { readonly axis: 'switch'; readonly which: PtzSwitch };

const DIRECTIONS: Readonly<Partial<Record<PtzCommand, readonly [pan: number, tilt: number]>>> = {
  up: [0, 1],
  down: [0, -1],
  left: [-1, 0],
  right: [1, 0],
  leftUp: [-1, 1],
  rightUp: [1, 1],
  leftDown: [-1, -1],
  rightDown: [1, -1],
};

const LENS: Readonly<Partial<Record<PtzCommand, readonly ['zoom' | 'focus' | 'iris', number]>>> = {
  zoomIn: ['zoom', 1],
  zoomOut: ['zoom', -1],
  focusFar: ['focus', 1],
  focusNear: ['focus', -1],
  irisOpen: ['iris', 1],
  irisClose: ['iris', -1],
};

/** `speed` 1 to 10. */
export function moveOf(command: PtzCommand, speed: number): PtzMove {
  const share = speed / PTZ_SPEED.most;
  const direction = DIRECTIONS[command];
  if (direction) return { axis: 'panTilt', pan: direction[0] * share, tilt: direction[1] * share };
  const lens = LENS[command];
  if (lens) return { axis: lens[0], speed: lens[1] * share };
  return { axis: 'switch', which: command === 'wiper' ? 'wiper' : 'light' };
}
