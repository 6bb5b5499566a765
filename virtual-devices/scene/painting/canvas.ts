// A small painter of flat shapes with smooth edges, in units of 1/320 of the picture's width, for backgrounds and sprites.

import type { Planes } from '../codec/planes.ts';

/** Red, green, blue from 0 to 1; values above 1 shine. */
export type Colour = readonly [number, number, number];

export type Point = readonly [number, number];

export const UNITS_WIDE = 320;

const SUBLINES = 4;

export function hex(code: string): Colour {
  const value = Number.parseInt(code, 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

export function mix(a: Colour, b: Colour, share: number): Colour {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

export function shade(colour: Colour, factor: number): Colour {
  return [colour[0] * factor, colour[1] * factor, colour[2] * factor];
}

/** Both included. */
interface Columns {
  first: number;
  last: number;
}

export class Canvas {
  readonly width: number;
  /** The rows that it holds, of a picture that may have more: what is painted elsewhere is cut off. */
  readonly top: number;
  readonly bottom: number;
  /** Pixels per unit. */
  readonly scale: number;
  /** Red, green, blue, opacity; colours are not premultiplied. */
  readonly pixels: Float32Array;
  private readonly coverage: Float32Array;

  constructor(width: number, bottom: number, scale: number, top = 0) {
    this.width = width;
    this.top = top;
    this.bottom = bottom;
    this.scale = scale;
    this.pixels = new Float32Array(width * (bottom - top) * 4);
    this.coverage = new Float32Array(width + 2);
  }

  rect(x: number, y: number, width: number, height: number, colour: Colour, opacity = 1): void {
    const left = Math.max(0, x * this.scale);
    const right = Math.min(this.width, (x + width) * this.scale);
    const top = Math.max(this.top, y * this.scale);
    const bottom = Math.min(this.bottom, (y + height) * this.scale);
    if (right <= left || bottom <= top) return;
    const first = Math.floor(left);
    const last = Math.min(this.width - 1, Math.ceil(right) - 1);
    for (let row = Math.floor(top); row < bottom; row++) {
      const share = Math.min(row + 1, bottom) - Math.max(row, top);
      for (let column = first; column <= last; column++) {
        this.coverage[column] = Math.min(column + 1, right) - Math.max(column, left);
      }
      this.blendRow(row, first, last, colour, opacity * share);
    }
  }

  /** Several stops from top to bottom, evenly spaced. */
  gradient(x: number, y: number, width: number, height: number, stops: readonly Colour[]): void {
    const step = 1 / this.scale;
    for (let line = 0; line < height; line += step) {
      const place = (line / height) * (stops.length - 1);
      const index = Math.min(stops.length - 2, Math.floor(place));
      const from = stops[index] as Colour;
      const to = stops[index + 1] ?? from;
      this.rect(x, y + line, width, Math.min(step, height - line), mix(from, to, place - index));
    }
  }

  ellipse(centreX: number, centreY: number, radiusX: number, radiusY: number, colour: Colour, opacity = 1): void {
    const corners = Math.max(12, Math.ceil(Math.max(radiusX, radiusY) * this.scale));
    const points = Array.from({ length: corners }, (_, i): Point => {
      const angle = (i / corners) * 2 * Math.PI;
      return [centreX + Math.cos(angle) * radiusX, centreY + Math.sin(angle) * radiusY];
    });
    this.polygon(points, colour, opacity);
  }

  line(fromX: number, fromY: number, toX: number, toY: number, thickness: number, colour: Colour, opacity = 1): void {
    const length = Math.hypot(toX - fromX, toY - fromY) || 1;
    const dx = ((toY - fromY) / length) * (thickness / 2);
    const dy = ((toX - fromX) / length) * (thickness / 2);
    const points: Point[] = [
      [fromX - dx, fromY + dy],
      [fromX + dx, fromY - dy],
      [toX + dx, toY - dy],
      [toX - dx, toY + dy],
    ];
    this.polygon(points, colour, opacity);
  }

  /** Even-odd fill with exact horizontal coverage and four sublines per pixel row. */
  polygon(points: readonly Point[], colour: Colour, opacity = 1): void {
    const { scale } = this;
    const ys = points.map((point) => point[1] * scale);
    const top = Math.max(this.top, Math.floor(Math.min(...ys)));
    const bottom = Math.min(this.bottom, Math.ceil(Math.max(...ys)));
    const crossings: number[] = [];
    const covered: Columns = { first: 0, last: 0 };
    for (let row = top; row < bottom; row++) {
      covered.first = this.width;
      covered.last = -1;
      for (let sub = 0; sub < SUBLINES; sub++) {
        this.cross(points, row + (sub + 0.5) / SUBLINES, crossings);
        this.coverBetween(crossings, covered);
      }
      if (covered.last >= covered.first) this.blendRow(row, covered.first, covered.last, colour, opacity);
    }
  }

  /** From every first crossing to the second; widens `covered` by the columns that this touches. */
  private coverBetween(crossings: readonly number[], covered: Columns): void {
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, crossings[i] as number);
      const to = Math.min(this.width, crossings[i + 1] as number);
      if (to <= from) continue;
      this.cover(from, to);
      covered.first = Math.min(covered.first, Math.floor(from));
      covered.last = Math.max(covered.last, Math.min(this.width - 1, Math.floor(to)));
    }
  }

  private cross(points: readonly Point[], y: number, out: number[]): void {
    out.length = 0;
    let previous = points[points.length - 1] as Point;
    for (const point of points) {
      const y0 = previous[1] * this.scale;
      const y1 = point[1] * this.scale;
      if (y0 <= y !== y1 <= y) {
        out.push((previous[0] + ((y - y0) / (y1 - y0)) * (point[0] - previous[0])) * this.scale);
      }
      previous = point;
    }
    out.sort((a, b) => a - b);
  }

  private cover(from: number, to: number): void {
    const start = Math.floor(from);
    const end = Math.floor(to);
    const { coverage } = this;
    if (start === end) {
      coverage[start] = (coverage[start] as number) + (to - from) / SUBLINES;
      return;
    }
    coverage[start] = (coverage[start] as number) + (start + 1 - from) / SUBLINES;
    for (let x = start + 1; x < end; x++) coverage[x] = (coverage[x] as number) + 1 / SUBLINES;
    coverage[end] = (coverage[end] as number) + (to - end) / SUBLINES;
  }

  private blendRow(row: number, first: number, last: number, colour: Colour, opacity: number): void {
    const { pixels, coverage } = this;
    for (let x = first; x <= last; x++) {
      const alpha = Math.min(1, coverage[x] as number) * opacity;
      coverage[x] = 0;
      if (alpha <= 0) continue;
      const at = ((row - this.top) * this.width + x) * 4;
      const under = pixels[at + 3] as number;
      const out = alpha + under * (1 - alpha);
      const share = alpha / out;
      for (let i = 0; i < 3; i++) {
        const old = pixels[at + i] as number;
        pixels[at + i] = old + ((colour[i] as number) - old) * share;
      }
      pixels[at + 3] = out;
    }
    coverage[last + 1] = 0;
  }
}

/** The rows of the canvas, which begin at an even one, in BT.709 limited range. */
export function toPlanes(canvas: Canvas, target: Planes): void {
  const { pixels, width, top, bottom } = canvas;
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < width; x++) {
      const at = ((y - top) * width + x) * 4;
      target.y[y * target.stride + x] = lumaOf(
        pixels[at] as number,
        pixels[at + 1] as number,
        pixels[at + 2] as number,
      );
    }
  }
  const half = target.stride >> 1;
  for (let y = top >> 1; y < bottom >> 1; y++) {
    for (let x = 0; x < width >> 1; x++) {
      const [red, green, blue] = quad(pixels, width, x, y - (top >> 1));
      target.u[y * half + x] = blueDifference(red, green, blue);
      target.v[y * half + x] = redDifference(red, green, blue);
    }
  }
}

function unit(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

export function lumaOf(red: number, green: number, blue: number): number {
  return Math.round(16 + 219 * (0.2126 * unit(red) + 0.7152 * unit(green) + 0.0722 * unit(blue)));
}

export function blueDifference(red: number, green: number, blue: number): number {
  const luma = 0.2126 * unit(red) + 0.7152 * unit(green) + 0.0722 * unit(blue);
  return Math.round(128 + (224 * (unit(blue) - luma)) / 1.8556);
}

export function redDifference(red: number, green: number, blue: number): number {
  const luma = 0.2126 * unit(red) + 0.7152 * unit(green) + 0.0722 * unit(blue);
  return Math.round(128 + (224 * (unit(red) - luma)) / 1.5748);
}

function quad(pixels: Float32Array, width: number, x: number, y: number): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (const at of [(y * 2 * width + x * 2) * 4, ((y * 2 + 1) * width + x * 2) * 4]) {
    for (const i of [0, 1, 2] as const) sum[i] += unit(pixels[at + i] as number) + unit(pixels[at + 4 + i] as number);
  }
  return [sum[0] / 4, sum[1] / 4, sum[2] / 4];
}

/** The padding beside and below the cropped picture repeats its last samples: it then costs next to nothing. */
export function padEdges(target: Planes, width: number, height: number): void {
  const fill = (plane: Uint8Array, stride: number, w: number, h: number, rows: number) => {
    for (let y = 0; y < h; y++) plane.fill(plane[y * stride + w - 1] as number, y * stride + w, (y + 1) * stride);
    for (let y = h; y < rows; y++) plane.copyWithin(y * stride, (h - 1) * stride, h * stride);
  };
  fill(target.y, target.stride, width, height, target.rows);
  fill(target.u, target.stride >> 1, width >> 1, height >> 1, target.rows >> 1);
  fill(target.v, target.stride >> 1, width >> 1, height >> 1, target.rows >> 1);
}
