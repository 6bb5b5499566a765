// Draws a weekly plan: hours, days, segments, the stroke under way and the cursor of the keyboard.
import type { PlanSegment } from '@vedette/rules/time-plan/paint.ts';
import { segmentsOf, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { type PlanGeometry, type PlanPlace, rowHeight, rowTop, xOfSecond } from './plan-geometry.ts';
import type { PlanType } from './plan-types.ts';

export interface PlanScene extends PlanGeometry {
  readonly week: WeekPlan;
  readonly types: readonly PlanType[];
  readonly dayNames: readonly string[];
  /** The day that is being edited; drawn stronger. */
  readonly selectedDay: number | null;
  readonly stroke: (PlanSegment & { readonly day: number }) | null;
  readonly cursor: PlanPlace | null;
  readonly hoverX: number | null;
}

const HOUR_S = 3600;
const BAR_INSET = 4;

export function paintPlan(canvas: HTMLCanvasElement, scene: PlanScene): void {
  const ratio = globalThis.devicePixelRatio || 1;
  const [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, scene.width, scene.height);
  const style = getComputedStyle(canvas);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const pen: Pen = {
    context,
    scene,
    token,
    font: style.fontFamily,
    sharp: (value) => Math.round(value * ratio) / ratio,
  };
  paintRows(pen);
  paintHours(pen);
  for (const [row, day] of scene.days.entries()) {
    for (const segment of segmentsOf(scene.week, day)) paintBar(pen, row, segment);
  }
  paintStroke(pen);
  paintMarks(pen);
}

interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly scene: PlanScene;
  readonly token: (name: string) => string;
  readonly font: string;
  /** The nearest edge of a device pixel. */
  readonly sharp: (value: number) => number;
}

function paintRows({ context, scene, token, font, sharp }: Pen): void {
  const [left, right] = [xOfSecond(scene, 0), xOfSecond(scene, 24 * HOUR_S)];
  for (const [row, day] of scene.days.entries()) {
    const [top, height] = [sharp(rowTop(scene, row)), rowHeight(scene)];
    const isSelected = day === scene.selectedDay;
    context.fillStyle = token('--surface-2');
    context.beginPath();
    context.roundRect(left, top + BAR_INSET - 1, right - left, height - 2 * BAR_INSET + 2, 3);
    context.fill();
    context.fillStyle = token(isSelected ? '--text' : '--text-dim');
    context.font = `${isSelected ? 600 : 450} 12px ${font}`;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillText(scene.dayNames[row] ?? '', left - 10, top + height / 2 + 0.5, left - 12);
  }
}

function paintHours({ context, scene, token, font, sharp }: Pen): void {
  const bottom = scene.height - BAR_INSET + 1;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.font = `450 11px ${font}`;
  for (let hour = 0; hour <= 24; hour += 1) {
    const x = xOfSecond(scene, hour * HOUR_S);
    const isNamed = hour % (scene.width < 440 ? 6 : 3) === 0;
    context.fillStyle = token('--text');
    context.globalAlpha = isNamed ? 0.16 : 0.06;
    context.fillRect(sharp(x), rowTop(scene, 0) + BAR_INSET - 1, 1, bottom - rowTop(scene, 0) - BAR_INSET + 1);
    context.globalAlpha = 1;
    context.fillStyle = token('--text-faint');
    if (isNamed) context.fillText(String(hour).padStart(2, '0'), x, 11);
  }
}

function paintBar({ context, scene, token, sharp }: Pen, row: number, { start, end, type }: PlanSegment): void {
  const [left, right] = [sharp(xOfSecond(scene, start)), sharp(xOfSecond(scene, end))];
  const top = sharp(rowTop(scene, row)) + BAR_INSET;
  context.fillStyle = token(colourOf(scene, type));
  context.beginPath();
  // A hair between neighbours of different types.
  context.roundRect(left, top, Math.max(1, right - left - 0.5), rowHeight(scene) - 2 * BAR_INSET, 2);
  context.fill();
}

function paintStroke(pen: Pen): void {
  const { context, scene, token } = pen;
  const { stroke } = scene;
  if (!stroke) return;
  const row = scene.days.indexOf(stroke.day);
  const [left, right] = [xOfSecond(scene, stroke.start), xOfSecond(scene, stroke.end)];
  const top = rowTop(scene, row) + BAR_INSET - 1.5;
  const isEraser = stroke.type < 0;
  context.globalAlpha = isEraser ? 0.85 : 0.75;
  context.fillStyle = token(isEraser ? '--surface-3' : colourOf(scene, stroke.type));
  context.fillRect(left, top, right - left, rowHeight(scene) - 2 * BAR_INSET + 3);
  context.globalAlpha = 1;
  context.strokeStyle = token('--text');
  context.setLineDash(isEraser ? [3, 3] : []);
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, top + 0.5, Math.max(1, right - left - 1), rowHeight(scene) - 2 * BAR_INSET + 2);
  context.setLineDash([]);
}

function paintMarks({ context, scene, token, sharp }: Pen): void {
  const { cursor, hoverX } = scene;
  if (hoverX !== null) {
    context.fillStyle = token('--text');
    context.globalAlpha = 0.35;
    context.fillRect(sharp(hoverX), rowTop(scene, 0), 1, scene.height - rowTop(scene, 0));
    context.globalAlpha = 1;
  }
  if (!cursor) return;
  const x = sharp(xOfSecond(scene, cursor.second));
  const top = rowTop(scene, scene.days.indexOf(cursor.day));
  context.fillStyle = token('--accent');
  context.fillRect(x - 1, top, 2, rowHeight(scene));
  context.beginPath();
  context.moveTo(x - 5, top);
  context.lineTo(x + 5, top);
  context.lineTo(x, top + 6);
  context.fill();
}

function colourOf({ types }: PlanScene, type: number): string {
  return types.find((one) => one.type === type)?.colour ?? '--unknown';
}
