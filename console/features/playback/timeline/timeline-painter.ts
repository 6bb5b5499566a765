// Draws the timeline on two canvases: the tracks below, playhead and hover on top so that the tracks are not redrawn.
import { SPAN_KINDS, spanBars } from './recorded-spans.ts';
import { paintSeen } from './seen-ranges.ts';
import type { TimelineColours } from './timeline-colours.ts';
import type { TimelineLayer } from './timeline-layers.ts';
import type { PlacedRow, RowLayout } from './timeline-rows.ts';
import { minorTicks, type TickFormat, ticks } from './timeline-ticks.ts';
import { type TimelineView, timeAt, xOf } from './timeline-view.ts';

/** Heights in CSS pixels, from top to bottom: flags of playhead and pointer, labels, marks; the tracks follow. */
const FLAG = { top: 4, height: 20 };
const LABEL_MIDDLE = 36;
const MARK = { top: 46, majorHeight: 9 };
const HATCH_PX = 6;

export interface TrackScene {
  readonly view: TimelineView;
  readonly width: number;
  readonly layout: RowLayout;
  readonly layers: readonly TimelineLayer[];
  readonly format: TickFormat;
  /** What lies after it cannot be recorded yet. */
  readonly now: number;
}

/** Sizes the canvas to device pixels and answers a context in CSS pixels. */
export function prepareCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const ratio = globalThis.devicePixelRatio || 1;
  const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

export function paintTracks(context: CanvasRenderingContext2D, scene: TrackScene, colours: TimelineColours): void {
  const { view, width, layout, layers } = scene;
  paintRuler(context, scene, colours);
  for (const row of layout.rows) paintRow(context, row, scene, colours);
  paintGrid(context, scene, colours);
  const seen = { view, width, layout, xOf: (at: number) => xOf(view, width, at) };
  for (const layer of layers) {
    context.save();
    layer.paint(context, seen, colours);
    context.restore();
  }
}

function paintRow(
  context: CanvasRenderingContext2D,
  { spans, gaps, seen = [], top, height, isSelected }: PlacedRow,
  { view, width, now }: TrackScene,
  colours: TimelineColours,
): void {
  const x = (at: number): number => xOf(view, width, at);
  const nowX = Math.min(width, Math.max(0, x(now)));
  context.fillStyle = colours.track;
  context.fillRect(0, top, nowX, height);
  context.strokeStyle = colours.lineStrong;
  for (const gap of gaps) {
    if (gap.reason !== null) hatch(context, { left: x(gap.start), right: Math.min(nowX, x(gap.end)), top, height });
  }
  context.globalAlpha = isSelected ? 1 : 0.62;
  for (const kind of SPAN_KINDS) {
    context.fillStyle = colours.spans[kind];
    for (const bar of spanBars(spans, kind, x, width)) context.fillRect(bar.x, top, bar.width, height);
  }
  context.globalAlpha = 1;
  paintSeen(context, seen, { top: top + height, width, isTall: isSelected, xOf: x, colours: colours.objects });
  if (nowX >= width) return;
  context.strokeStyle = colours.lineStrong;
  context.setLineDash([3, 3]);
  line(context, nowX, top, top + height);
  context.setLineDash([]);
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

/** Slanted lines: a gap whose reason is known, told from time that was never to be recorded. */
function hatch(context: CanvasRenderingContext2D, { left, right, top, height }: Box): void {
  if (right - left < 3) return;
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, height);
  context.clip();
  context.lineWidth = 1;
  context.beginPath();
  const first = Math.max(left - height, -height);
  // On a grid of the page, so that the pattern does not swim while the view is dragged by whole steps.
  for (let x = first - (first % HATCH_PX); x < right && x < context.canvas.width; x += HATCH_PX) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
}

function paintRuler(context: CanvasRenderingContext2D, scene: TrackScene, colours: TimelineColours): void {
  const { view, width, format } = scene;
  context.strokeStyle = colours.lineStrong;
  for (const at of minorTicks(view, width, format.timeZone)) {
    line(context, xOf(view, width, at), MARK.top + 3, MARK.top + MARK.majorHeight);
  }
  context.textBaseline = 'middle';
  for (const tick of ticks(view, width, format)) {
    const x = xOf(view, width, tick.at);
    context.fillStyle = tick.isDay ? colours.text : colours.textDim;
    context.font = `${tick.isDay ? 600 : 450} 11px ${colours.font}`;
    const half = tabularWidth(context, tick.label) / 2 + 2;
    // A label at the edge would be cut: it is left out, its mark stays.
    if (x - half >= 0 && x + half <= width) fillTabular(context, tick.label, x, LABEL_MIDDLE);
    line(context, x, MARK.top, MARK.top + MARK.majorHeight);
  }
}

/** Fine lines through the tracks under every label, so that the eye finds the time of an edge. */
function paintGrid(context: CanvasRenderingContext2D, scene: TrackScene, colours: TimelineColours): void {
  const { view, width, format, layout } = scene;
  context.strokeStyle = colours.text;
  context.globalAlpha = 0.1;
  for (const { at } of ticks(view, width, format)) {
    for (const { top, height } of layout.rows) line(context, xOf(view, width, at), top, top + height);
  }
  context.globalAlpha = 1;
}

export interface PlayheadScene {
  readonly view: TimelineView;
  readonly width: number;
  readonly height: number;
  readonly position: number | null;
  /** Pointer in CSS pixels, or null. */
  readonly hoverX: number | null;
  /** Words beside the time under the pointer. */
  readonly hint: string | null;
  readonly label: (at: number) => string;
}

/** Below the lines of playhead and pointer. */
const FOOT_PX = 6;

function paintHover(
  context: CanvasRenderingContext2D,
  x: number,
  { view, width, height, label, hint }: PlayheadScene,
  colours: TimelineColours,
): void {
  const time = label(timeAt(view, width, x));
  const text = hint === null ? time : `${time} · ${hint}`;
  context.strokeStyle = colours.textDim;
  line(context, x, FLAG.top + FLAG.height, height - FOOT_PX);
  flag(context, { x, width, text, fill: colours.surface, ink: colours.text }, colours);
}

export function paintPlayhead(context: CanvasRenderingContext2D, scene: PlayheadScene, colours: TimelineColours): void {
  const { view, width, height, position, hoverX, label, hint } = scene;
  context.textBaseline = 'middle';
  if (hoverX !== null) paintHover(context, hoverX, scene, colours);
  if (position === null) return;
  const x = xOf(view, width, position);
  if (x < -1 || x > width + 1) return;
  context.fillStyle = colours.text;
  const top = FLAG.top + FLAG.height;
  context.fillRect(Math.round(x) - 1, top, 2, height - FOOT_PX - top);
  const overlaps = hoverX !== null && Math.abs(hoverX - x) < 64 + (hint?.length ?? 0) * 4;
  if (!overlaps) {
    flag(context, { x, width, text: label(position), fill: colours.text, ink: colours.ground }, colours);
  }
}

interface Flag {
  readonly x: number;
  readonly width: number;
  readonly text: string;
  readonly fill: string;
  readonly ink: string;
}

function flag(context: CanvasRenderingContext2D, { x, width, text, fill, ink }: Flag, colours: TimelineColours): void {
  context.font = `600 11px ${colours.font}`;
  const half = Math.ceil(tabularWidth(context, text) / 2) + 7;
  const center = Math.min(width - half - 1, Math.max(half + 1, x));
  context.fillStyle = fill;
  context.beginPath();
  context.roundRect(center - half, FLAG.top, half * 2, FLAG.height, 5);
  context.fill();
  context.fillStyle = ink;
  fillTabular(context, text, center, FLAG.top + FLAG.height / 2 + 0.5);
}

/** A canvas has no tabular digits of its own: every digit stands in a place as wide as the widest. */
function letterWidth(context: CanvasRenderingContext2D, letter: string): number {
  return context.measureText(/\d/.test(letter) ? '0' : letter).width;
}

function tabularWidth(context: CanvasRenderingContext2D, text: string): number {
  return [...text].reduce((sum, letter) => sum + letterWidth(context, letter), 0);
}

function fillTabular(context: CanvasRenderingContext2D, text: string, center: number, y: number): void {
  context.textAlign = 'center';
  let x = center - tabularWidth(context, text) / 2;
  for (const letter of text) {
    const width = letterWidth(context, letter);
    context.fillText(letter, x + width / 2, y);
    x += width;
  }
}

/** One device-independent pixel wide, on the pixel's middle so that it stays sharp. */
function line(context: CanvasRenderingContext2D, x: number, top: number, bottom: number): void {
  const sharp = Math.round(x) + 0.5;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(sharp, top);
  context.lineTo(sharp, bottom);
  context.stroke();
}
