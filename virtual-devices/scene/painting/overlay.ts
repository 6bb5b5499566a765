// What is burned into every picture: the strip, the wall clock, the camera's name and the stream's name.

import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphOf } from './font.ts';
import type { Planes } from '../codec/planes.ts';
import type { Rectangle } from '../codec/planes.ts';
import { STRIP_BLOCKS_PER_WIDTH, STRIP_COLUMNS, STRIP_DARK, STRIP_LIGHT, STRIP_ROWS, type StripRows } from './strip.ts';

/** Dots from one character to the next. */
export const GLYPH_PITCH = GLYPH_WIDTH + 1;

const TEXT_LUMA = 235;
/** The plate below a text keeps this share (of 8) of the picture's brightness. */
const PLATE_SHARE = 3;

/** Dots of the font are this many pixels: 4, 2 and 1 in the three streams. */
export function dotSize(width: number): number {
  return Math.max(1, Math.round(width / 320));
}

export interface TextLine {
  readonly text: string;
  /** Top left of the plate, even pixels. */
  readonly x: number;
  readonly y: number;
}

/** The plate has one dot of margin around the glyphs. */
export function plateOf(line: TextLine, dot: number): Rectangle {
  const width = (line.text.length * GLYPH_PITCH + 1) * dot;
  const height = (GLYPH_HEIGHT + 2) * dot;
  return { x: line.x, y: line.y, width: (width + 1) & ~1, height: (height + 1) & ~1 };
}

/** Draws one line, where it lies inside `clip`, over a picture that shows the plain background there. */
export function drawText(target: Planes, line: TextLine, dot: number, clip?: Rectangle): void {
  const plate = plateOf(line, dot);
  const within = clip ?? { x: 0, y: 0, width: target.stride, height: target.rows };
  const left = Math.max(plate.x, within.x);
  const right = Math.min(plate.x + plate.width, within.x + within.width);
  const top = Math.max(plate.y, within.y);
  const bottom = Math.min(plate.y + plate.height, within.y + within.height);
  if (right <= left || bottom <= top) return;
  dim(target, { x: left, y: top, width: right - left, height: bottom - top });
  for (const [index, character] of [...line.text].entries()) {
    const x = line.x + (index * GLYPH_PITCH + 1) * dot;
    // A character cut by the clip is drawn whole: outside it the picture shows the same dots already.
    if (x + GLYPH_PITCH * dot > left && x < right) drawGlyph(target, character, x, line.y + dot, dot);
  }
}

function drawGlyph(target: Planes, character: string, x: number, y: number, dot: number): void {
  for (const [row, bits] of glyphOf(character).entries()) {
    for (let column = 0; column < GLYPH_WIDTH; column++) {
      if ((bits & (1 << (GLYPH_WIDTH - 1 - column))) === 0) continue;
      fillLuma(target, x + column * dot, y + row * dot, dot, dot, TEXT_LUMA);
    }
  }
}

/** The part of a line's plate from the first character that differs from another line at the same place. */
export function changedPlate(line: TextLine, before: TextLine, dot: number): Rectangle {
  let same = 0;
  while (same < line.text.length && line.text[same] === before.text[same]) same++;
  const plate = plateOf(line, dot);
  const skipped = same * GLYPH_PITCH * dot;
  return { ...plate, x: plate.x + skipped, width: plate.width - skipped };
}

/** Darkens luma and removes colour, so that text is white on every background. */
function dim(target: Planes, plate: Rectangle): void {
  for (let y = plate.y; y < plate.y + plate.height; y++) {
    for (let at = y * target.stride + plate.x, end = at + plate.width; at < end; at++) {
      target.y[at] = 16 + ((((target.y[at] as number) - 16) * PLATE_SHARE) >> 3);
    }
  }
  const half = target.stride >> 1;
  for (let y = plate.y >> 1; y < (plate.y + plate.height) >> 1; y++) {
    for (let at = y * half + (plate.x >> 1), end = at + (plate.width >> 1); at < end; at++) {
      target.u[at] = 128 + (((target.u[at] as number) - 128) >> 1);
      target.v[at] = 128 + (((target.v[at] as number) - 128) >> 1);
    }
  }
}

/** Tiny squares by the thousand: plain loops beat `fill`. */
function fillLuma(target: Planes, x: number, y: number, width: number, height: number, value: number): void {
  const { y: plane, stride } = target;
  for (let row = y; row < y + height; row++) {
    for (let at = row * stride + x, end = at + width; at < end; at++) plane[at] = value;
  }
}

export function stripArea(width: number): Rectangle {
  const block = Math.round(width / STRIP_BLOCKS_PER_WIDTH);
  return { x: 0, y: 0, width: STRIP_COLUMNS * block, height: STRIP_ROWS * block };
}

/** Draws the columns of the strip that lie inside `clip`. */
export function drawStrip(target: Planes, width: number, rows: StripRows, clip: Rectangle): void {
  const block = Math.round(width / STRIP_BLOCKS_PER_WIDTH);
  const first = Math.floor(clip.x / block);
  const end = Math.min(STRIP_COLUMNS, Math.ceil((clip.x + clip.width) / block));
  if (first >= end) return;
  for (const [row, bits] of rows.entries()) {
    for (let column = first; column < end; column++) {
      const luma = bits[column] === '1' ? STRIP_LIGHT : STRIP_DARK;
      fillLuma(target, column * block, row * block, block, block, luma);
    }
  }
  const half = target.stride >> 1;
  for (let row = 0; row < (STRIP_ROWS * block) >> 1; row++) {
    target.u.fill(128, row * half + ((first * block) >> 1), row * half + ((end * block) >> 1));
    target.v.fill(128, row * half + ((first * block) >> 1), row * half + ((end * block) >> 1));
  }
}

/** Columns of the strip in which two contents differ, those beside each other as one area. */
export function changedStrip(width: number, before: StripRows, now: StripRows): Rectangle[] {
  const block = Math.round(width / STRIP_BLOCKS_PER_WIDTH);
  const found: Rectangle[] = [];
  for (let column = 0; column < STRIP_COLUMNS; column++) {
    if (before.every((bits, row) => bits[column] === now[row]?.[column])) continue;
    const last = found.at(-1);
    const x = last !== undefined && last.x + last.width === column * block ? (found.pop()?.x ?? 0) : column * block;
    found.push({ x, y: 0, width: (column + 1) * block - x, height: STRIP_ROWS * block });
  }
  return found;
}

/** The characters of a line whose dots lie between two horizontal positions. */
export function textBetween(line: TextLine, dot: number, left: number, right: number): string {
  const pitch = GLYPH_PITCH * dot;
  const from = Math.max(0, Math.floor((left - line.x - dot) / pitch));
  const to = Math.max(0, Math.ceil((right - line.x - dot) / pitch));
  return line.text.slice(from, to);
}
