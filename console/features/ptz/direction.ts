// Maps a drag on the video, or arrow keys held together, to a PTZ command and its speed.
import { PTZ_SPEED, type PtzCommand } from '@vedette/contract/ptz.ts';

/** Eight directions, by eighths of a turn from the right, clockwise on the screen. */
const AROUND = ['right', 'rightDown', 'down', 'leftDown', 'left', 'leftUp', 'up', 'rightUp'] as const;
/** Of half the picture's height: less is no direction yet. */
const DEAD_SHARE = 0.08;

export interface PtzVector {
  readonly command: PtzCommand;
  readonly speed: number;
}

/** `x` and `y` from the centre, −1 to 1 at the edges; null in the middle. */
export function ptzVectorAt(x: number, y: number): PtzVector | null {
  const length = Math.min(1, Math.hypot(x, y));
  if (length < DEAD_SHARE) return null;
  const eighth = (Math.round((Math.atan2(y, x) / Math.PI) * 4) + 8) % 8;
  const { least, most } = PTZ_SPEED;
  const speed = Math.round(least + (most - least) * ((length - DEAD_SHARE) / (1 - DEAD_SHARE)));
  return { command: AROUND[eighth] ?? 'right', speed };
}

/** Of arrow keys held at once; null where they cancel out. */
export function arrowCommand(keys: ReadonlySet<string>): PtzCommand | null {
  const x = Number(keys.has('ArrowRight')) - Number(keys.has('ArrowLeft'));
  const y = Number(keys.has('ArrowDown')) - Number(keys.has('ArrowUp'));
  return ptzVectorAt(x, y)?.command ?? null;
}
