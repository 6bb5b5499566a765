// Where a camera of a floor plan looks: the cone on the picture, and what moving and turning make of it. Pure.
import type { FloorPlanCamera } from '@vedette/contract/calls/floor-plan.ts';
import { FLOOR_PLAN_LIMITS } from '@vedette/contract/limits.ts';

export interface PlanSize {
  readonly width: number;
  readonly height: number;
}
interface Place {
  readonly x: number;
  readonly y: number;
}

/** Length of a cone as a part of the shorter side of the picture: how far a camera sees is not known. */
const REACH = 0.15;
const WHOLE_CIRCLE = 360;

export function reachOf({ width, height }: PlanSize): number {
  return REACH * Math.min(width, height);
}

/** In pixels of the picture; `degrees` run clockwise from its upper edge. */
function pointAt({ x, y }: Place, size: PlanSize, degrees: number): Place {
  const radians = (degrees * Math.PI) / 180;
  const reach = reachOf(size);
  return { x: x * size.width + Math.sin(radians) * reach, y: y * size.height - Math.cos(radians) * reach };
}

/** For the `d` of an SVG path whose units are pixels of the picture. */
export function conePath({ x, y, direction, viewAngle }: FloorPlanCamera, size: PlanSize): string {
  const reach = round(reachOf(size));
  const at = (place: Place): string => `${round(place.x)} ${round(place.y)}`;
  const centre = { x: x * size.width, y: y * size.height };
  if (viewAngle >= WHOLE_CIRCLE) {
    const [top, bottom] = [pointAt({ x, y }, size, 0), pointAt({ x, y }, size, 180)];
    return `M${at(top)}A${reach} ${reach} 0 1 1 ${at(bottom)}A${reach} ${reach} 0 1 1 ${at(top)}Z`;
  }
  const left = pointAt({ x, y }, size, direction - viewAngle / 2);
  const right = pointAt({ x, y }, size, direction + viewAngle / 2);
  const isLarge = viewAngle > WHOLE_CIRCLE / 2 ? 1 : 0;
  return `M${at(centre)}L${at(left)}A${reach} ${reach} 0 ${isLarge} 1 ${at(right)}Z`;
}

/** Where the handle that turns the camera stands: at the far end of its cone, in parts of the picture. */
export function handlePlace(camera: FloorPlanCamera, size: PlanSize): Place {
  const { x, y } = pointAt(camera, size, camera.direction);
  return { x: x / size.width, y: y / size.height };
}

/** The direction from the camera to a place of the picture. */
export function directionTo(camera: FloorPlanCamera, size: PlanSize, place: Place): number {
  const across = (place.x - camera.x) * size.width;
  const down = (place.y - camera.y) * size.height;
  return wholeDegrees((Math.atan2(across, -down) * 180) / Math.PI);
}

export function movedTo(camera: FloorPlanCamera, { x, y }: Place): FloorPlanCamera {
  return { ...camera, x: clamp(x, 0, 1), y: clamp(y, 0, 1) };
}

/** By parts of the longer side, as far in both directions. */
export function movedBy(camera: FloorPlanCamera, { width, height }: PlanSize, { x, y }: Place): FloorPlanCamera {
  const longer = Math.max(width, height);
  return movedTo(camera, { x: camera.x + (x * longer) / width, y: camera.y + (y * longer) / height });
}

export function turnedBy(camera: FloorPlanCamera, degrees: number): FloorPlanCamera {
  return { ...camera, direction: wholeDegrees(camera.direction + degrees) };
}

export function widenedBy(camera: FloorPlanCamera, degrees: number): FloorPlanCamera {
  const { least, most } = FLOOR_PLAN_LIMITS.viewAngle;
  return { ...camera, viewAngle: clamp(camera.viewAngle + degrees, least, most) };
}

function wholeDegrees(degrees: number): number {
  const whole = Math.round(degrees) % WHOLE_CIRCLE;
  return whole < 0 ? whole + WHOLE_CIRCLE : whole;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
