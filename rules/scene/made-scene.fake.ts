// Objects that walk, stand and jitter in a made scene, as a detector would find them.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { Box, Detection } from './detection/detection.ts';

/** Where the foot of an object is at a time, in shares of the frame; null: not in view. */
export type Path = (seconds: number) => { readonly x: number; readonly y: number } | null;

export interface MadeObject {
  readonly path: Path;
  readonly objectClass?: ObjectClass;
  readonly score?: number;
  readonly width?: number;
  readonly height?: number;
}

type Place = readonly [x: number, y: number];

/** From one place to another in a straight line between two times; not in view before and after. */
export function walk(from: Place, to: Place, [begin, end]: readonly [number, number]): Path {
  return (seconds) => {
    const share = (seconds - begin) / (end - begin);
    if (share < 0 || share > 1) return null;
    return { x: from[0] + (to[0] - from[0]) * share, y: from[1] + (to[1] - from[1]) * share };
  };
}

export function stand([x, y]: Place, [begin, end]: readonly [number, number] = [0, Number.POSITIVE_INFINITY]): Path {
  return (seconds) => (seconds >= begin && seconds <= end ? { x, y } : null);
}

/** The first path that shows the object. */
export function oneAfterAnother(...paths: readonly Path[]): Path {
  return (seconds) => {
    for (const path of paths) {
      const place = path(seconds);
      if (place !== null) return place;
    }
    return null;
  };
}

export function detectionsAt(objects: readonly MadeObject[], seconds: number): Detection[] {
  return objects.flatMap(({ path, objectClass = 'person', score = 0.8, width = 0.05, height = 0.2 }) => {
    const foot = path(seconds);
    return foot === null ? [] : [{ objectClass, score, box: boxAbove(foot, width, height) }];
  });
}

/** Frames of the objects, `rate` a second, from `atMs` on. */
export function framesOf(objects: readonly MadeObject[], seconds: number, rate: number, startMs = 1_000_000) {
  return Array.from({ length: Math.floor(seconds * rate) + 1 }, (_none, at) => ({
    atMs: startMs + (at * 1000) / rate,
    detections: detectionsAt(objects, at / rate),
  }));
}

function boxAbove({ x, y }: { readonly x: number; readonly y: number }, width: number, height: number): Box {
  return { x: x - width / 2, y: y - height, width, height };
}
