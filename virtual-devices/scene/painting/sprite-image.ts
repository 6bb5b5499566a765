// A sprite drawn once at its pixel size and light, and laid over 4:2:0 pictures with its opacity.

import { blueDifference, Canvas, type Colour, lumaOf, redDifference } from './canvas.ts';
import type { Planes, Rectangle } from '../codec/planes.ts';
import type { Sprite } from './scene.ts';

export interface SpriteImage {
  /** Even numbers of luma pixels. */
  readonly width: number;
  readonly height: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
  /** 0 to 255. */
  readonly lumaOpacity: Uint8Array;
  readonly chromaOpacity: Uint8Array;
}

export function drawSprite(sprite: Sprite, scale: number, light: Colour): SpriteImage {
  const width = Math.ceil((sprite.width * scale) / 2) * 2;
  const height = Math.ceil((sprite.height * scale) / 2) * 2;
  const canvas = new Canvas(width, height, scale);
  sprite.paint(canvas);
  const image: SpriteImage = {
    width,
    height,
    y: new Uint8Array(width * height),
    u: new Uint8Array((width * height) / 4),
    v: new Uint8Array((width * height) / 4),
    lumaOpacity: new Uint8Array(width * height),
    chromaOpacity: new Uint8Array((width * height) / 4),
  };
  const factor: Colour = sprite.shines === true ? [1, 1, 1] : light;
  fillLuma(image, canvas, factor);
  fillChroma(image, canvas, factor);
  return image;
}

function fillLuma(image: SpriteImage, canvas: Canvas, light: Colour): void {
  for (let i = 0; i < image.y.length; i++) {
    const [red, green, blue, opacity] = canvas.pixels.subarray(i * 4, i * 4 + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    image.y[i] = lumaOf(red * light[0], green * light[1], blue * light[2]);
    image.lumaOpacity[i] = Math.round(opacity * 255);
  }
}

function fillChroma(image: SpriteImage, canvas: Canvas, light: Colour): void {
  const half = image.width >> 1;
  for (let i = 0; i < image.u.length; i++) {
    const x = (i % half) * 2;
    const y = Math.floor(i / half) * 2;
    const sum = [0, 0, 0, 0];
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const at = ((y + dy) * image.width + x + dx) * 4;
      const opacity = canvas.pixels[at + 3] as number;
      for (let c = 0; c < 3; c++) sum[c] = (sum[c] as number) + (canvas.pixels[at + c] as number) * opacity;
      sum[3] = (sum[3] as number) + opacity;
    }
    const weight = (sum[3] as number) || 1;
    const red = ((sum[0] as number) / weight) * light[0];
    const green = ((sum[1] as number) / weight) * light[1];
    const blue = ((sum[2] as number) / weight) * light[2];
    image.u[i] = blueDifference(red, green, blue);
    image.v[i] = redDifference(red, green, blue);
    image.chromaOpacity[i] = Math.round((weight / 4) * 255 * ((sum[3] as number) > 0 ? 1 : 0));
  }
}

/** Lays the image at an even position, only where it overlaps `clip` (even, inside the picture). */
export function blit(target: Planes, image: SpriteImage, x: number, y: number, clip: Rectangle): void {
  const left = Math.max(x, clip.x);
  const top = Math.max(y, clip.y);
  const right = Math.min(x + image.width, clip.x + clip.width);
  const bottom = Math.min(y + image.height, clip.y + clip.height);
  if (right <= left || bottom <= top) return;
  const luma = { left, top, right, bottom, x, y, width: image.width, stride: target.stride };
  blend(target.y, image.y, image.lumaOpacity, luma);
  const chroma = {
    left: left >> 1,
    top: top >> 1,
    right: right >> 1,
    bottom: bottom >> 1,
    x: x >> 1,
    y: y >> 1,
    width: image.width >> 1,
    stride: target.stride >> 1,
  };
  blend(target.u, image.u, image.chromaOpacity, chroma);
  blend(target.v, image.v, image.chromaOpacity, chroma);
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly stride: number;
}

function blend(target: Uint8Array, samples: Uint8Array, opacity: Uint8Array, area: Area): void {
  for (let row = area.top; row < area.bottom; row++) {
    let from = (row - area.y) * area.width + (area.left - area.x);
    let to = row * area.stride + area.left;
    for (let column = area.left; column < area.right; column++, from++, to++) {
      const alpha = opacity[from] as number;
      if (alpha === 0) continue;
      const under = target[to] as number;
      target[to] =
        alpha === 255 ? (samples[from] as number) : under + ((((samples[from] as number) - under) * alpha) >> 8);
    }
  }
}
