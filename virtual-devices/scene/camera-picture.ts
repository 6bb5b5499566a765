// The moving picture of one stream of one camera: composes scene, actors and burned-in text, and codes only what changed.

import { merged, overlaps } from './areas.ts';
import { Canvas, toPlanes, UNITS_WIDE } from './canvas.ts';
import type { VideoShape } from './h264-headers.ts';
import { ambientOf, illuminate, LIGHT_STEPS, lightAt, nightStep } from './lighting.ts';
import {
  changedPlate,
  dotSize,
  drawStrip,
  drawText,
  GLYPH_PITCH,
  plateOf,
  stripArea,
  textBetween,
  type TextLine,
} from './overlay.ts';
import type { MacroblockMemo } from './macroblock-memo.ts';
import { PictureCoder, type SlicePlan } from './picture-coder.ts';
import { copyRectangle, createPlanes, MACROBLOCK, type Planes, takeMacroblock } from './planes.ts';
import type { Look, Scene } from './scene.ts';
import {
  drawMask,
  flipPlane,
  flipSamples,
  maskArea,
  type PictureFlip,
  type PictureLook,
  tone,
} from './picture-look.ts';
import { cutView, type PictureView, viewKey } from './picture-view.ts';
import { blit, drawSprite, type Rectangle, type SpriteImage } from './sprite-image.ts';

export interface CameraPictureOptions {
  readonly scene: Scene;
  readonly variant: number;
  readonly shape: VideoShape;
  readonly name: string;
  readonly streamName: string;
  /** Local time of the device minus UTC at an instant, in milliseconds. */
  readonly utcOffset: (utcMs: number) => number;
  /** Coded slices kept for reuse: footage made faster than real time wants many. */
  readonly cacheLimit?: number;
  /** Macroblock rows per slice below the clock: more compress better, fewer are reused more often. */
  readonly bandRows?: number;
  readonly memo?: MacroblockMemo;
  /** How the camera is set at present; without it the picture is as the scene is. */
  readonly look?: () => PictureLook;
  /** Where a camera with a head looks. */
  readonly view?: () => PictureView;
}

interface PlacedSprite extends Rectangle {
  readonly image: SpriteImage;
  readonly key: string;
}

const NO_FLIP: PictureFlip = { mirror: false, upsideDown: false };
/** Brightness of sprites is told in this many steps: images are cached by it. */
const SPRITE_LIGHT_STEPS = 8;
/** A picture that changes everywhere costs as much as a key picture: a moving head shows so many a second. */
const VIEW_EVERY_MS = 200;

export class CameraPicture {
  readonly coder: PictureCoder;
  private readonly options: CameraPictureOptions;
  private readonly background: Planes;
  /** What the last picture should look like; the coder's reconstruction is close to it. */
  private readonly shown: Planes;
  private readonly next: Planes;
  private readonly images = new Map<string, SpriteImage>();
  private readonly dot: number;
  private readonly scale: number;
  /** Rows that strip and clock touch. */
  private readonly textRows: number;
  private readonly textSplits: readonly (readonly [number, number])[];
  private backgroundStep = -1;
  private setting: PictureLook | null = null;
  /** The whole scene, of which a head shows a part. */
  private readonly scenery: Planes | null;
  private view: PictureView | null = null;
  private viewKey = '';
  private viewedMs = -Infinity;
  private placed: readonly PlacedSprite[] = [];
  private clock: TextLine = { text: '', x: 0, y: 0 };

  constructor(options: CameraPictureOptions) {
    const { shape } = options;
    this.options = options;
    this.coder = new PictureCoder({
      shape,
      ...(options.cacheLimit === undefined ? {} : { cacheLimit: options.cacheLimit }),
      ...(options.memo === undefined ? {} : { memo: options.memo }),
    });
    this.background = createPlanes(shape.width, shape.height);
    this.shown = createPlanes(shape.width, shape.height);
    this.next = createPlanes(shape.width, shape.height);
    this.scenery = options.view === undefined ? null : createPlanes(shape.width, shape.height);
    this.dot = dotSize(shape.width);
    this.scale = shape.width / UNITS_WIDE;
    const plate = plateOf(this.clockLine(0), this.dot);
    this.textRows = Math.ceil((plate.y + plate.height) / MACROBLOCK);
    this.textSplits = this.splitTextRows(this.clockLine(0));
  }

  /** NAL units of the picture at that instant. The first picture must be a key picture. */
  picture(utcMs: number, frame: number, isKey: boolean): Uint8Array[] {
    const localMs = utcMs + this.options.utcOffset(utcMs);
    const isPainted = isKey && this.paintBackground(nightStep(localMs));
    const isRepainted = this.showView(utcMs, isPainted) || isPainted;
    const look = this.look();
    const placed = this.place(localMs, look);
    const clock = this.clockLine(localMs);
    const areas = isRepainted ? [this.whole()] : this.changedAreas(placed, clock);
    for (const area of areas) this.compose(area, placed, clock, frame, utcMs);
    this.placed = placed;
    this.clock = clock;
    const changed = this.takeChanged(areas);
    return isKey ? this.coder.keyPicture(this.next, this.slices()) : this.coder.changePicture(this.next, changed);
  }

  /** The picture as last composed, before coding. */
  get composed(): Planes {
    return this.next;
  }

  private look(): Look {
    return { night: this.options.scene.indoor ? 0 : this.backgroundStep / LIGHT_STEPS, variant: this.options.variant };
  }

  /** False: it is as it was. */
  private paintBackground(step: number): boolean {
    const setting = this.options.look?.() ?? null;
    if (step === this.backgroundStep && setting?.revision === this.setting?.revision) return false;
    if (setting?.revision !== this.setting?.revision) this.images.clear();
    this.backgroundStep = step;
    this.setting = setting;
    const { scene, shape, variant } = this.options;
    const look = { night: step / LIGHT_STEPS, variant };
    const canvas = new Canvas(shape.width, shape.height, this.scale);
    scene.paint(canvas, look);
    illuminate(canvas, scene, look.night);
    scene.shine?.(canvas, look);
    toPlanes(canvas, this.scenery ?? this.background);
    if (this.scenery === null) this.finishBackground();
    return true;
  }

  private finishBackground(): void {
    if (this.setting !== null) tone(this.background, this.setting.levels);
    const { width, height } = this.options.shape;
    flipSamples(this.background, { width, height, stride: this.background.stride }, this.flip);
    for (const label of this.placeLabels()) drawText(this.background, label, this.dot);
  }

  private get flip(): PictureFlip {
    return this.setting?.flip ?? NO_FLIP;
  }

  /** False: the head shows what it showed. */
  private showView(utcMs: number, isPainted: boolean): boolean {
    const view = this.options.view?.() ?? null;
    if (view === null || this.scenery === null) return false;
    const key = viewKey(view);
    const isDue = key !== this.viewKey && Math.abs(utcMs - this.viewedMs) >= VIEW_EVERY_MS;
    if (!isPainted && !isDue) return false;
    if (view.share !== this.view?.share) this.images.clear();
    this.view = view;
    this.viewKey = key;
    this.viewedMs = utcMs;
    cutView(this.background, this.scenery, this.options.shape, view);
    this.finishBackground();
    return true;
  }

  private placeLabels(): readonly TextLine[] {
    const { shape, name, streamName } = this.options;
    const bottom = (shape.height - 11 * this.dot) & ~1;
    const width = plateOf({ text: streamName, x: 0, y: 0 }, this.dot).width;
    const stream = { text: streamName, x: (shape.width - width - this.dot * 2) & ~1, y: bottom };
    const texts = this.setting?.texts ?? null;
    if (texts === null) return [{ text: name, x: this.dot * 2, y: bottom }, stream];
    const placed = texts.map(({ text, x, y }) => ({
      text,
      x: Math.round((x * shape.width) / 2) * 2,
      y: Math.min(bottom, Math.round((y * shape.height) / 2) * 2),
    }));
    return [...placed, stream];
  }

  private clockLine(localMs: number): TextLine {
    const text = new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');
    const { width } = plateOf({ text, x: 0, y: 0 }, this.dot);
    return { text, x: (this.options.shape.width - width - this.dot * 2) & ~1, y: this.dot * 2 };
  }

  private place(localMs: number, look: Look): PlacedSprite[] {
    const out: PlacedSprite[] = [];
    for (const actor of this.options.scene.actors) {
      const placement = actor.place(localMs, look);
      if (placement === null) continue;
      // Whole units: slow things then cost a new picture only now and then, and nobody sees the difference.
      const step = Math.max(2, this.scale);
      const { left = 0, top = 0, share = 1 } = this.view ?? {};
      const { width, height } = this.options.shape;
      const image = this.imageOf(placement.sprite, placement.x, placement.y);
      if (image === null) continue;
      const plainX = Math.round((placement.x * this.scale - left * width) / share / step) * step;
      const plainY = Math.round((placement.y * this.scale - top * height) / share / step) * step;
      const x = this.flip.mirror ? width - plainX - image.drawn.width : plainX;
      const y = this.flip.upsideDown ? height - plainY - image.drawn.height : plainY;
      const { key, drawn } = image;
      out.push({ image: drawn, key: `${key}@${x},${y}`, x, y, width: drawn.width, height: drawn.height });
    }
    return out;
  }

  private imageOf(name: string, x: number, y: number): { key: string; drawn: SpriteImage } | null {
    const { scene } = this.options;
    const sprite = scene.sprites[name];
    if (sprite === undefined) return null;
    const night = this.backgroundStep / LIGHT_STEPS;
    const ambient = ambientOf(scene, night);
    const light = lightAt(scene, night, x + sprite.width / 2, y + sprite.height);
    const level = Math.round((light[1] / ambient[1]) * SPRITE_LIGHT_STEPS);
    const key = `${name}/${this.backgroundStep}/${level}`;
    let drawn = this.images.get(key);
    if (drawn === undefined) {
      drawn = drawSprite(sprite, this.scale / (this.view?.share ?? 1), light);
      if (this.setting !== null) tone(drawn, this.setting.levels);
      flipSprite(drawn, this.flip);
      this.images.set(key, drawn);
    }
    return { key, drawn };
  }

  private whole(): Rectangle {
    return { x: 0, y: 0, width: this.next.stride, height: this.next.rows };
  }

  private changedAreas(placed: readonly PlacedSprite[], clock: TextLine): Rectangle[] {
    const areas: Rectangle[] = [this.align(stripArea(this.options.shape.width))];
    if (clock.text !== this.clock.text) areas.push(this.align(changedPlate(clock, this.clock, this.dot)));
    const before = new Set(this.placed.map((sprite) => sprite.key));
    const now = new Set(placed.map((sprite) => sprite.key));
    for (const sprite of this.placed) if (!now.has(sprite.key)) areas.push(this.align(sprite));
    for (const sprite of placed) if (!before.has(sprite.key)) areas.push(this.align(sprite));
    return merged(areas.filter((area) => area.width > 0 && area.height > 0));
  }

  /** Widens to whole macroblocks inside the picture. */
  private align(area: Rectangle): Rectangle {
    const x = Math.max(0, Math.floor(area.x / MACROBLOCK) * MACROBLOCK);
    const y = Math.max(0, Math.floor(area.y / MACROBLOCK) * MACROBLOCK);
    const right = Math.min(this.next.stride, Math.ceil((area.x + area.width) / MACROBLOCK) * MACROBLOCK);
    const bottom = Math.min(this.next.rows, Math.ceil((area.y + area.height) / MACROBLOCK) * MACROBLOCK);
    return { x, y, width: right - x, height: bottom - y };
  }

  private compose(
    area: Rectangle,
    placed: readonly PlacedSprite[],
    clock: TextLine,
    frame: number,
    utcMs: number,
  ): void {
    copyRectangle(this.next, this.background, area.x, area.y, area.width, area.height);
    for (const sprite of placed) blit(this.next, sprite.image, sprite.x, sprite.y, area);
    const { width, height } = this.options.shape;
    for (const mask of this.setting?.masks ?? []) drawMask(this.next, maskArea(mask, width, height), area);
    drawText(this.next, clock, this.dot, area);
    if (area.y === 0) drawStrip(this.next, this.options.shape.width, frame, utcMs);
  }

  /** Addresses of the macroblocks that differ from the picture before, in ascending order. */
  private takeChanged(areas: readonly Rectangle[]): number[] {
    const found: number[] = [];
    for (const area of areas) {
      for (let mbY = area.y / MACROBLOCK; mbY < (area.y + area.height) / MACROBLOCK; mbY++) {
        for (let mbX = area.x / MACROBLOCK; mbX < (area.x + area.width) / MACROBLOCK; mbX++) {
          if (takeMacroblock(this.shown, this.next, mbX, mbY)) found.push(mbY * this.coder.mbWidth + mbX);
        }
      }
    }
    return found.sort((a, b) => a - b);
  }

  /** Slices that only show known things are named by them and coded once. */
  private slices(): SlicePlan[] {
    const { mbWidth, mbHeight } = this.coder;
    const plans: SlicePlan[] = [];
    for (let row = 0; row < mbHeight; ) {
      if (row < this.textRows) {
        for (const [from, to] of this.textSplits) plans.push(this.plan(row, 1, from, to));
        row++;
        continue;
      }
      const rows = Math.min(this.options.bandRows ?? 1, mbHeight - row);
      plans.push(this.plan(row, rows, 0, mbWidth));
      row += rows;
    }
    return plans;
  }

  private plan(row: number, rows: number, from: number, to: number): SlicePlan {
    const { mbWidth } = this.coder;
    const area = {
      x: from * MACROBLOCK,
      y: row * MACROBLOCK,
      width: (to - from) * MACROBLOCK,
      height: rows * MACROBLOCK,
    };
    return { first: row * mbWidth + from, count: rows * mbWidth - from - (mbWidth - to), key: this.nameOf(area) };
  }

  private nameOf(area: Rectangle): string | undefined {
    if (overlaps(area, stripArea(this.options.shape.width))) return undefined;
    const names = this.placed.filter((sprite) => overlaps(area, sprite)).map((sprite) => sprite.key);
    if (overlaps(area, plateOf(this.clock, this.dot)))
      names.push(textBetween(this.clock, this.dot, area.x, area.x + area.width));
    return `${area.y},${area.x}/${this.backgroundStep}.${this.setting?.revision ?? 0}.${this.viewKey}/${names.join('+')}`;
  }

  /** Rows with text are cut where the strip ends, where the clock begins, and before the seconds: each part changes at its own pace. */
  private splitTextRows(clock: TextLine): [number, number][] {
    const strip = Math.ceil(stripArea(this.options.shape.width).width / MACROBLOCK);
    const start = Math.floor(clock.x / MACROBLOCK);
    const seconds = Math.floor((clock.x + (clock.text.length - 2) * GLYPH_PITCH * this.dot) / MACROBLOCK);
    const cuts = [0, strip, start, seconds, this.coder.mbWidth];
    return cuts
      .slice(1)
      .map((cut, index): [number, number] => [cuts[index] as number, cut])
      .filter(([from, to]) => to > from);
  }
}

function flipSprite({ width, height, y, u, v, lumaOpacity, chromaOpacity }: SpriteImage, flip: PictureFlip): void {
  for (const plane of [y, lumaOpacity]) flipPlane(plane, width, height, width, flip);
  for (const plane of [u, v, chromaOpacity]) flipPlane(plane, width >> 1, height >> 1, width >> 1, flip);
}
