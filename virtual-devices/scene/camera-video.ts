// The moving picture of one stream of one camera: composes backdrop, actors and burned-in text, and codes only what changed.

import { merged, overlaps } from './painting/areas.ts';
import { Backdrop, type BackdropOptions } from './backdrop.ts';
import { UNITS_WIDE } from './painting/canvas.ts';
import { ambientOf, LIGHT_STEPS, lightAt, nightStep } from './painting/lighting.ts';
import type { MacroblockMemo } from './codec/macroblock-memo.ts';
import type { Motion } from './codec/motion-field.ts';
import {
  changedPlate,
  changedStrip,
  dotSize,
  drawStrip,
  drawText,
  GLYPH_PITCH,
  plateOf,
  stripArea,
  textBetween,
  type TextLine,
} from './painting/overlay.ts';
import { findChanges } from './codec/picture-changes.ts';
import { PictureCoder, type SlicePlan } from './codec/picture-coder.ts';
import { drawMask, flipPlane, maskArea, type PictureFlip, tone } from './painting/picture-settings.ts';
import { type PictureWorkspace, workspaceOf } from './picture-workspace.ts';
import { copyRectangle, MACROBLOCK, type Planes, type Rectangle } from './codec/planes.ts';
import { blit, drawSprite, type SpriteImage } from './painting/sprite-image.ts';
import { stripBits, type StripRows } from './painting/strip.ts';

export interface CameraVideoOptions extends BackdropOptions {
  /** Local time of the device minus UTC at an instant, in milliseconds. */
  readonly utcOffset: (utcMs: number) => number;
  /** Coded slices kept for reuse: recordings made faster than real time want many. */
  readonly cacheLimit?: number;
  /** Macroblock rows per slice below the clock: more compress better, fewer are reused more often. */
  readonly bandRows?: number;
  /** For all of the picture; without it only strip and clock are looked up in one. */
  readonly memo?: MacroblockMemo;
  /** Absent: that of all pictures of the shape. */
  readonly workspace?: PictureWorkspace;
}

interface PlacedSprite extends Rectangle {
  readonly image: SpriteImage;
  readonly key: string;
}

/** All that the picture of an instant shows before its backdrop. */
interface Foreground {
  readonly sprites: readonly PlacedSprite[];
  readonly clock: TextLine;
  readonly strip: StripRows;
}

/** Brightness of sprites is told in this many steps: images are cached by it. */
const SPRITE_LIGHT_STEPS = 8;
/** Rows that something moves through are cut into slices of so many macroblocks: the others of them are known. */
const CUT_COLUMNS = 8;
/** Samples that moved farther than levels 2 to 4 let motion reach are coded anew (ITU-T H.264 table A-1). */
const FARTHEST = { x: 2000, y: 120 } as const;

export class CameraVideo {
  readonly coder: PictureCoder;
  private readonly options: CameraVideoOptions;
  private readonly workspace: PictureWorkspace;
  private readonly backdrop: Backdrop;
  private readonly images = new Map<string, SpriteImage>();
  private imagesKey = '';
  private readonly dot: number;
  private readonly scale: number;
  /** Rows that strip and clock touch. */
  private readonly textRows: number;
  private readonly textSplits: readonly (readonly [number, number])[];
  private shown: Foreground;

  constructor(options: CameraVideoOptions) {
    const { shape, memo } = options;
    this.options = options;
    this.workspace = options.workspace ?? workspaceOf(shape);
    this.backdrop = new Backdrop(options);
    this.dot = dotSize(shape.width);
    this.scale = shape.width / UNITS_WIDE;
    const clock = this.clockLine(0);
    const plate = plateOf(clock, this.dot);
    this.textRows = Math.ceil((plate.y + plate.height) / MACROBLOCK);
    this.coder = new PictureCoder({
      shape,
      intra: this.workspace.intra,
      ...(memo === undefined ? { memo: this.workspace.textMemo, memoRows: this.textRows } : { memo }),
      ...(options.cacheLimit === undefined ? {} : { cacheLimit: options.cacheLimit }),
    });
    this.textSplits = this.splitTextRows(clock);
    this.shown = { sprites: [], clock, strip: stripBits({ frame: 0, wallMs: 0 }) };
  }

  /** NAL units of the picture at that instant. The first picture must be a keyframe. */
  picture(utcMs: number, frame: number, isKey: boolean): Uint8Array[] {
    const localMs = utcMs + this.options.utcOffset(utcMs);
    const { backdrop, shown: before } = this;
    const isTurned = !isKey && backdrop.isTurned(utcMs);
    if (isTurned) {
      this.compose(this.workspace.before, this.whole(), before);
      backdrop.turn(utcMs);
    }
    if (isKey) backdrop.refresh(utcMs, nightStep(localMs));
    const strip = stripBits({ frame, wallMs: utcMs });
    const now = { sprites: this.place(localMs), clock: this.clockLine(localMs), strip };
    this.shown = now;
    if (isKey) return this.keyPicture(now);
    const areas = isTurned ? [this.whole()] : this.changedAreas(before, now);
    if (!isTurned) for (const area of areas) this.compose(this.workspace.before, area, before);
    for (const area of areas) this.compose(this.workspace.composed, area, now);
    const motions = isTurned ? [] : motionsBetween(before, now);
    const changes = findChanges(this.workspace.before, this.workspace.composed, areas, motions);
    return this.coder.changePicture(this.workspace.composed, changes);
  }

  /** The picture as it was meant before coding; of use until the next picture of any camera is made. */
  get composed(): Planes {
    this.compose(this.workspace.composed, this.whole(), this.shown);
    return this.workspace.composed;
  }

  private keyPicture(now: Foreground): Uint8Array[] {
    return this.coder.keyPicture(this.workspace.composed, this.slices(now), ({ first, count }) => {
      const { mbWidth } = this.coder;
      const [x, y] = [first % mbWidth, Math.floor(first / mbWidth)];
      const rows = Math.ceil((x + count) / mbWidth);
      const columns = rows > 1 ? mbWidth : count;
      this.compose(this.workspace.composed, blocks(x, y, columns, rows), now);
    });
  }

  private place(localMs: number): PlacedSprite[] {
    const { backdrop } = this;
    const { look, flip } = backdrop;
    if (backdrop.spriteKey !== this.imagesKey) this.images.clear();
    this.imagesKey = backdrop.spriteKey;
    const out: PlacedSprite[] = [];
    for (const actor of this.options.scene.actors) {
      const placement = actor.place(localMs, look);
      if (placement === null) continue;
      // Whole units: slow things then cost a new picture only now and then, and nobody sees the difference.
      const step = Math.max(2, this.scale);
      const { left = 0, top = 0, share = 1 } = backdrop.view ?? {};
      const { width, height } = this.options.shape;
      const image = this.imageOf(placement.sprite, placement.x, placement.y);
      if (image === null) continue;
      const plainX = Math.round((placement.x * this.scale - left * width) / share / step) * step;
      const plainY = Math.round((placement.y * this.scale - top * height) / share / step) * step;
      const x = flip.mirror ? width - plainX - image.drawn.width : plainX;
      const y = flip.upsideDown ? height - plainY - image.drawn.height : plainY;
      const { key, drawn } = image;
      out.push({ image: drawn, key: `${key}@${x},${y}`, x, y, width: drawn.width, height: drawn.height });
    }
    return out;
  }

  private imageOf(name: string, x: number, y: number): { key: string; drawn: SpriteImage } | null {
    const { backdrop } = this;
    const { scene } = this.options;
    const sprite = scene.sprites[name];
    if (sprite === undefined) return null;
    const night = backdrop.step / LIGHT_STEPS;
    const ambient = ambientOf(scene, night);
    const light = lightAt(scene, night, x + sprite.width / 2, y + sprite.height);
    const level = Math.round((light[1] / ambient[1]) * SPRITE_LIGHT_STEPS);
    const key = `${name}/${backdrop.step}/${level}`;
    let drawn = this.images.get(key);
    if (drawn === undefined) {
      drawn = drawSprite(sprite, this.scale / (backdrop.view?.share ?? 1), light);
      if (backdrop.setting !== null) tone(drawn, backdrop.setting.levels);
      flipSprite(drawn, backdrop.flip);
      this.images.set(key, drawn);
    }
    return { key, drawn };
  }

  private clockLine(localMs: number): TextLine {
    const text = new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');
    const { width } = plateOf({ text, x: 0, y: 0 }, this.dot);
    return { text, x: (this.options.shape.width - width - this.dot * 2) & ~1, y: this.dot * 2 };
  }

  private whole(): Rectangle {
    return blocks(0, 0, this.coder.mbWidth, this.coder.mbHeight);
  }

  private changedAreas(before: Foreground, now: Foreground): Rectangle[] {
    const areas = changedStrip(this.options.shape.width, before.strip, now.strip).map((area) => this.align(area));
    if (now.clock.text !== before.clock.text) areas.push(this.align(changedPlate(now.clock, before.clock, this.dot)));
    for (const sprite of goneFrom(before.sprites, now.sprites)) areas.push(this.align(sprite));
    for (const sprite of goneFrom(now.sprites, before.sprites)) areas.push(this.align(sprite));
    return merged(areas.filter((area) => area.width > 0 && area.height > 0));
  }

  /** Widens to whole macroblocks inside the picture. */
  private align(area: Rectangle): Rectangle {
    const { mbWidth, mbHeight } = this.coder;
    const x = Math.max(0, Math.floor(area.x / MACROBLOCK));
    const y = Math.max(0, Math.floor(area.y / MACROBLOCK));
    const right = Math.min(mbWidth, Math.ceil((area.x + area.width) / MACROBLOCK));
    const bottom = Math.min(mbHeight, Math.ceil((area.y + area.height) / MACROBLOCK));
    return blocks(x, y, right - x, bottom - y);
  }

  private compose(target: Planes, area: Rectangle, { sprites, clock, strip }: Foreground): void {
    const { setting, planes } = this.backdrop;
    copyRectangle(target, planes, area.x, area.y, area.width, area.height);
    for (const sprite of sprites) blit(target, sprite.image, sprite.x, sprite.y, area);
    const { width, height } = this.options.shape;
    for (const mask of setting?.masks ?? []) drawMask(target, maskArea(mask, width, height), area);
    drawText(target, clock, this.dot, area);
    if (overlaps(area, stripArea(width))) drawStrip(target, width, strip, area);
  }

  /** Slices that only show known things are named by them and coded once. */
  private slices(now: Foreground): SlicePlan[] {
    const { mbWidth, mbHeight } = this.coder;
    const plans: SlicePlan[] = [];
    for (let row = 0; row < mbHeight; ) {
      if (row < this.textRows) {
        for (const [from, to] of this.textSplits) plans.push(this.plan(now, row, 1, from, to));
        row++;
        continue;
      }
      const rows = Math.min(this.options.bandRows ?? 1, mbHeight - row);
      const step = rows === 1 && this.isPassed(now, row) ? CUT_COLUMNS : mbWidth;
      for (let from = 0; from < mbWidth; from += step)
        plans.push(this.plan(now, row, rows, from, Math.min(mbWidth, from + step)));
      row += rows;
    }
    return plans;
  }

  private isPassed({ sprites }: Foreground, row: number): boolean {
    const area = blocks(0, row, this.coder.mbWidth, 1);
    return sprites.some((sprite) => overlaps(area, sprite));
  }

  private plan(now: Foreground, row: number, rows: number, from: number, to: number): SlicePlan {
    const { mbWidth } = this.coder;
    const key = this.nameOf(now, blocks(from, row, to - from, rows));
    return { first: row * mbWidth + from, count: rows * mbWidth - from - (mbWidth - to), key };
  }

  private nameOf({ sprites, clock }: Foreground, area: Rectangle): string | undefined {
    if (overlaps(area, stripArea(this.options.shape.width))) return undefined;
    const names = sprites.filter((sprite) => overlaps(area, sprite)).map((sprite) => sprite.key);
    if (overlaps(area, plateOf(clock, this.dot))) names.push(textBetween(clock, this.dot, area.x, area.x + area.width));
    return `${area.y},${area.x},${area.width}/${this.backdrop.key}/${names.join('+')}`;
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

/** A rectangle of macroblocks in pixels. */
function blocks(x: number, y: number, width: number, height: number): Rectangle {
  return { x: x * MACROBLOCK, y: y * MACROBLOCK, width: width * MACROBLOCK, height: height * MACROBLOCK };
}

function goneFrom(sprites: readonly PlacedSprite[], others: readonly PlacedSprite[]): PlacedSprite[] {
  return sprites.filter(({ key }) => others.every((other) => other.key !== key));
}

/** Ways that sprites went from one picture to the next; each once. */
function motionsBetween(before: Foreground, now: Foreground): Motion[] {
  const found = new Map<string, Motion>();
  for (const { image, x, y } of now.sprites) {
    const then = before.sprites.find((other) => other.image === image);
    if (then === undefined) continue;
    const motion = { x: x - then.x, y: y - then.y };
    if (motion.x % 2 !== 0 || motion.y % 2 !== 0 || (motion.x === 0 && motion.y === 0)) continue;
    if (Math.abs(motion.x) > FARTHEST.x || Math.abs(motion.y) > FARTHEST.y) continue;
    found.set(`${motion.x},${motion.y}`, motion);
  }
  return [...found.values()];
}

function flipSprite({ width, height, y, u, v, lumaOpacity, chromaOpacity }: SpriteImage, flip: PictureFlip): void {
  for (const plane of [y, lumaOpacity]) flipPlane(plane, width, height, width, flip);
  for (const plane of [u, v, chromaOpacity]) flipPlane(plane, width >> 1, height >> 1, width >> 1, flip);
}
