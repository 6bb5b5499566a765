// What of a camera's picture stands still until day turns to night, a setting changes or its head turns.

import { Canvas, padEdges, toPlanes, UNITS_WIDE } from './painting/canvas.ts';
import type { VideoShape } from './codec/h264-headers.ts';
import { illuminate, LIGHT_STEPS } from './painting/lighting.ts';
import { dotSize, drawText, plateOf, type TextLine } from './painting/overlay.ts';
import { flipSamples, type PictureFlip, type PictureSettings, tone } from './painting/picture-settings.ts';
import { cutView, type PictureView, viewKey } from './painting/picture-view.ts';
import { createPlanes, type Planes } from './codec/planes.ts';
import type { Look, Scene } from './painting/scene.ts';

export interface BackdropOptions {
  readonly scene: Scene;
  readonly variant: number;
  readonly shape: VideoShape;
  readonly name: string;
  readonly streamName: string;
  /** How the camera is set at present; without it the picture is as the scene is. */
  readonly look?: () => PictureSettings;
  /** Where a camera with a head looks. */
  readonly view?: () => PictureView;
}

const NO_FLIP: PictureFlip = { mirror: false, upsideDown: false };
/** A picture that changes everywhere costs as much as a keyframe: a moving head shows so many a second. */
const VIEW_EVERY_MS = 200;
/** Painting takes 16 bytes a pixel: that many rows are painted at a time. A multiple of the blocks that are lit as one. */
const BAND_ROWS = 144;

export class Backdrop {
  readonly planes: Planes;
  readonly #options: BackdropOptions;
  /** The whole scene, of which a head shows a part. */
  readonly #scenery: Planes | null;
  readonly #dot: number;
  #step = -1;
  #setting: PictureSettings | null = null;
  #view: PictureView | null = null;
  #viewKey = '';
  #viewedMs = -Infinity;

  constructor(options: BackdropOptions) {
    const { shape } = options;
    this.#options = options;
    this.planes = createPlanes(shape.width, shape.height);
    this.#scenery = options.view === undefined ? null : createPlanes(shape.width, shape.height);
    this.#dot = dotSize(shape.width);
  }

  /** How far the night has come, in steps. */
  get step(): number {
    return this.#step;
  }

  get setting(): PictureSettings | null {
    return this.#setting;
  }

  get view(): PictureView | null {
    return this.#view;
  }

  get flip(): PictureFlip {
    return this.#setting?.flip ?? NO_FLIP;
  }

  get look(): Look {
    return { night: this.#options.scene.indoor ? 0 : this.#step / LIGHT_STEPS, variant: this.#options.variant };
  }

  /** Names what it shows. */
  get key(): string {
    return `${this.#step}.${this.#setting?.revision ?? 0}.${this.#viewKey}`;
  }

  /** Names what sprites before it are drawn by. */
  get spriteKey(): string {
    return `${this.#step}.${this.#setting?.revision ?? 0}.${this.#view?.share ?? 1}`;
  }

  /** Whether the head looks elsewhere than it shows, and it is time to show it. */
  isTurned(utcMs: number): boolean {
    const view = this.#options.view?.() ?? null;
    return view !== null && viewKey(view) !== this.#viewKey && Math.abs(utcMs - this.#viewedMs) >= VIEW_EVERY_MS;
  }

  /** Shows where the head looks now. */
  turn(utcMs: number): void {
    const view = this.#options.view?.() ?? null;
    if (view === null || this.#scenery === null) return;
    this.#view = view;
    this.#viewKey = viewKey(view);
    this.#viewedMs = utcMs;
    cutView(this.planes, this.#scenery, this.#options.shape, view);
    this.#finish();
  }

  /** Shows the time of day and the camera's settings of now, where it does not yet. */
  refresh(utcMs: number, step: number): void {
    const setting = this.#options.look?.() ?? null;
    if (step !== this.#step || setting?.revision !== this.#setting?.revision) {
      this.#step = step;
      this.#setting = setting;
      this.#paint(this.#scenery ?? this.planes);
      if (this.#scenery === null) this.#finish();
      else this.turn(utcMs);
    } else if (this.isTurned(utcMs)) this.turn(utcMs);
  }

  #paint(target: Planes): void {
    const { scene, shape, variant } = this.#options;
    const look = { night: this.#step / LIGHT_STEPS, variant };
    for (let top = 0; top < shape.height; top += BAND_ROWS) {
      const bottom = Math.min(shape.height, top + BAND_ROWS);
      const canvas = new Canvas(shape.width, bottom, shape.width / UNITS_WIDE, top);
      scene.paint(canvas, look);
      illuminate(canvas, scene, look.night);
      scene.shine?.(canvas, look);
      toPlanes(canvas, target);
    }
    padEdges(target, shape.width, shape.height);
  }

  #finish(): void {
    const { planes } = this;
    if (this.#setting !== null) tone(planes, this.#setting.levels);
    const { width, height } = this.#options.shape;
    flipSamples(planes, { width, height, stride: planes.stride }, this.flip);
    for (const label of this.#placeLabels()) drawText(planes, label, this.#dot);
  }

  #placeLabels(): readonly TextLine[] {
    const { shape, name, streamName } = this.#options;
    const dot = this.#dot;
    const bottom = (shape.height - 11 * dot) & ~1;
    const { width } = plateOf({ text: streamName, x: 0, y: 0 }, dot);
    const stream = { text: streamName, x: (shape.width - width - dot * 2) & ~1, y: bottom };
    const texts = this.#setting?.texts ?? null;
    if (texts === null) return [{ text: name, x: dot * 2, y: bottom }, stream];
    const placed = texts.map(({ text, x, y }) => ({
      text,
      x: Math.round((x * shape.width) / 2) * 2,
      y: Math.min(bottom, Math.round((y * shape.height) / 2) * 2),
    }));
    return [...placed, stream];
  }
}
