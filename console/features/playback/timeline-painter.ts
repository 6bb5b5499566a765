// Draws the timeline on two canvases: the tracks below, playhead and hover on top so that the tracks are not redrawn.
import { type RecordedSpan, spanBars } from './recorded-spans.ts';
import { minorTicks, type TickFormat, ticks } from './timeline-ticks.ts';
import { type TimelineView, timeAt, xOf } from './timeline-view.ts';

export interface TimelineColours {
  readonly track: string;
  readonly recorded: string;
  readonly alarm: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly textDim: string;
  readonly accent: string;
  readonly surface: string;
  /** What the timeline lies on. */
  readonly ground: string;
  readonly font: string;
}

/** Heights in CSS pixels. */
export const TIMELINE_HEIGHT = 96;
/** From top to bottom: flags of playhead and pointer, labels, marks, track. */
const FLAG = { top: 4, height: 20 };
const LABEL_MIDDLE = 36;
const MARK = { top: 46, majorHeight: 9 };
const TRACK = { top: 56, height: 30 };
const FOOT = TRACK.top + TRACK.height + 4;

export interface TrackScene {
  readonly view: TimelineView;
  readonly width: number;
  readonly spans: readonly RecordedSpan[];
  readonly format: TickFormat;
  /** What lies after it cannot be recorded yet. */
  readonly now: number;
}

export function readColours(element: Element): TimelineColours {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    track: token('--surface-2'),
    recorded: token('--recorded'),
    alarm: token('--recorded-alarm'),
    line: token('--line'),
    lineStrong: token('--line-strong'),
    text: token('--text'),
    textDim: token('--text-dim'),
    accent: token('--accent'),
    surface: token('--surface-3'),
    ground: token('--surface-1'),
    font: style.fontFamily,
  };
}

/** Sizes the canvas to device pixels and answers a context in CSS pixels. */
export function prepareCanvas(canvas: HTMLCanvasElement, width: number): CanvasRenderingContext2D | null {
  const ratio = globalThis.devicePixelRatio || 1;
  const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(TIMELINE_HEIGHT * ratio)];
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, TIMELINE_HEIGHT);
  return context;
}

export function paintTracks(context: CanvasRenderingContext2D, scene: TrackScene, colours: TimelineColours): void {
  const { view, width, spans, now } = scene;
  const x = (at: number): number => xOf(view, width, at);
  const nowX = Math.min(width, Math.max(0, x(now)));
  context.fillStyle = colours.track;
  context.fillRect(0, TRACK.top, nowX, TRACK.height);
  paintRuler(context, scene, colours);
  for (const isAlarm of [false, true]) {
    context.fillStyle = isAlarm ? colours.alarm : colours.recorded;
    for (const bar of spanBars(spans, isAlarm, x, width)) context.fillRect(bar.x, TRACK.top, bar.width, TRACK.height);
  }
  paintGrid(context, scene, colours);
  if (nowX < width) {
    context.strokeStyle = colours.lineStrong;
    context.setLineDash([3, 3]);
    line(context, nowX, TRACK.top, TRACK.top + TRACK.height);
    context.setLineDash([]);
  }
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

/** Fine lines through the track under every label, so that the eye finds the time of an edge. */
function paintGrid(context: CanvasRenderingContext2D, scene: TrackScene, colours: TimelineColours): void {
  const { view, width, format } = scene;
  context.strokeStyle = colours.text;
  context.globalAlpha = 0.1;
  for (const { at } of ticks(view, width, format)) {
    line(context, xOf(view, width, at), TRACK.top, TRACK.top + TRACK.height);
  }
  context.globalAlpha = 1;
}

export interface HeadScene {
  readonly view: TimelineView;
  readonly width: number;
  readonly position: number | null;
  /** Pointer in CSS pixels, or null. */
  readonly hoverX: number | null;
  readonly label: (at: number) => string;
}

export function paintHead(context: CanvasRenderingContext2D, scene: HeadScene, colours: TimelineColours): void {
  const { view, width, position, hoverX, label } = scene;
  context.textBaseline = 'middle';
  if (hoverX !== null) {
    context.strokeStyle = colours.textDim;
    line(context, hoverX, FLAG.top + FLAG.height, FOOT);
    flag(
      context,
      hoverX,
      width,
      label(timeAt(view, width, hoverX)),
      { fill: colours.surface, ink: colours.text },
      colours,
    );
  }
  if (position === null) return;
  const x = xOf(view, width, position);
  if (x < -1 || x > width + 1) return;
  context.fillStyle = colours.text;
  const top = FLAG.top + FLAG.height;
  context.fillRect(Math.round(x) - 1, top, 2, FOOT - top);
  const overlaps = hoverX !== null && Math.abs(hoverX - x) < 64;
  if (!overlaps) flag(context, x, width, label(position), { fill: colours.text, ink: colours.ground }, colours);
}

interface FlagLook {
  readonly fill: string;
  readonly ink: string;
}

function flag(
  context: CanvasRenderingContext2D,
  x: number,
  width: number,
  text: string,
  look: FlagLook,
  colours: TimelineColours,
): void {
  context.font = `600 11px ${colours.font}`;
  const half = Math.ceil(tabularWidth(context, text) / 2) + 7;
  const center = Math.min(width - half - 1, Math.max(half + 1, x));
  context.fillStyle = look.fill;
  context.beginPath();
  context.roundRect(center - half, FLAG.top, half * 2, FLAG.height, 5);
  context.fill();
  context.fillStyle = look.ink;
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
