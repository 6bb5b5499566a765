// Areas of a picture that changed: whether they touch, and how many of them become one.

import type { Rectangle } from '../codec/planes.ts';

export function overlaps(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Joins areas that overlap: where a sprite was and where it is are mostly the same place. */
export function merged(areas: readonly Rectangle[]): Rectangle[] {
  const out: Rectangle[] = [];
  for (const area of areas) {
    let joined = area;
    for (let i = out.length - 1; i >= 0; i--) {
      const other = out[i] as Rectangle;
      if (!overlaps(joined, other)) continue;
      joined = union(joined, other);
      out.splice(i, 1);
      i = out.length;
    }
    out.push(joined);
  }
  return out;
}

function union(a: Rectangle, b: Rectangle): Rectangle {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
