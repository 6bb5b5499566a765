// Notes each box that a page draws over its tile, live or of playback, with the picture under it, and compares them with where the virtual street had its actors then.
import type { Page } from 'playwright-core';
import { street } from '../../virtual-devices/scene/scenes/street.ts';
import { readStripFromLuma, STRIP_BLOCKS_PER_WIDTH, STRIP_ROWS } from '../../virtual-devices/scene/painting/strip.ts';

interface Noted {
  /** Centre in shares of the picture. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly luma: string;
}

export interface DrawnBox {
  /** Burned into the picture under the box, ms. */
  readonly wallMs: number;
  /** From the centre of the nearest actor, in shares of the picture. */
  readonly offX: number;
  /** How far that actor moves in a second, in shares of the picture. */
  readonly speed: number;
}

/** In units of the scene. */
const SCENE = { width: 320, height: 180 };
/** Looks under which every passage happens in some: which of them come is decided by chance. */
const VARIANTS = 64;
/** Boxes further off in height belong to nobody that is painted. */
const NEAR_Y = 0.12;
const NEAR_X = 0.35;

/** Before the page is opened. Boxes are the only rectangles that are added to paths. */
export async function noteBoxes(page: Page): Promise<void> {
  await page.addInitScript(
    ({ rows, perWidth }) => {
      const noted: unknown[] = [];
      Object.assign(window, { noted });
      const rect = Path2D.prototype.rect;
      let drawn: { at: number; luma: string; width: number } | null = null;
      // The frame that is on screen, once for all boxes on it.
      const strip = (video: HTMLVideoElement | HTMLCanvasElement): { luma: string; width: number } => {
        const now = performance.now();
        if (drawn !== null && now - drawn.at < 4) return drawn;
        const width = video instanceof HTMLVideoElement ? video.videoWidth : video.width;
        const height = Math.ceil((width / perWidth) * rows);
        const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
        context?.drawImage(video, 0, 0);
        const pixels = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
        let luma = '';
        for (let at = 0; at < pixels.length; at += 4) {
          const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
          luma += String.fromCharCode(Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue));
        }
        drawn = { at: now, luma: btoa(luma), width };
        return drawn;
      };
      Path2D.prototype.rect = function noting(x: number, y: number, width: number, height: number): void {
        rect.call(this, x, y, width, height);
        const tile = document.querySelector('[data-cell][data-state=live], [data-playback]');
        const boxes = tile?.querySelector('canvas[data-boxes]');
        const surface = tile?.querySelector<HTMLCanvasElement>('canvas[data-surface]:not([data-left])');
        const video = tile?.querySelector('video');
        const picture = surface ?? video;
        if (!boxes || !picture || noted.length > 2000) return;
        const [wide, high] =
          picture instanceof HTMLVideoElement
            ? [picture.videoWidth, picture.videoHeight]
            : [picture.width, picture.height];
        const fit = Math.min(boxes.clientWidth / wide, boxes.clientHeight / high);
        const left = (boxes.clientWidth - wide * fit) / 2;
        const top = (boxes.clientHeight - high * fit) / 2;
        noted.push({
          x: (x + width / 2 - left) / (wide * fit),
          y: (y + height / 2 - top) / (high * fit),
          ...strip(picture),
        });
      };
    },
    { rows: STRIP_ROWS, perWidth: STRIP_BLOCKS_PER_WIDTH },
  );
}

/** Since the last question; those of actors alone, and of pictures whose strip could be read. */
export async function drawnBoxes(page: Page): Promise<readonly DrawnBox[]> {
  const noted = await page.evaluate(
    () => (window as unknown as { noted: Noted[] }).noted.splice(0) as readonly Noted[],
  );
  return noted.flatMap(({ x, y, width, luma }) => {
    const strip = readStripFromLuma(Buffer.from(luma, 'base64'), width, width);
    if (strip === null) return [];
    const [nearest] = actorsAt(strip.wallMs)
      .filter((actor) => Math.abs(actor.y - y) < NEAR_Y && Math.abs(actor.x - x) < NEAR_X)
      .toSorted((one, other) => Math.abs(one.x - x) - Math.abs(other.x - x));
    return nearest ? [{ wallMs: strip.wallMs, offX: Math.abs(nearest.x - x), speed: nearest.speed }] : [];
  });
}

interface ActorPlace {
  readonly x: number;
  readonly y: number;
  readonly speed: number;
}

/** Cameras paint by the local time of their machine, which is that of the tests. */
function actorsAt(utcMs: number): readonly ActorPlace[] {
  const localMs = utcMs - new Date(utcMs).getTimezoneOffset() * 60_000;
  return street.actors.flatMap((actor) => {
    for (let variant = 0; variant < VARIANTS; variant += 1) {
      const look = { night: 0, variant };
      const [now, before] = [actor.place(localMs, look), actor.place(localMs - 100, look)];
      const sprite = now && street.sprites[now.sprite];
      if (!now || !sprite) continue;
      // Of one that is cut off by the edge, the box is around what is left.
      if (now.x < 0 || now.x + sprite.width > SCENE.width) return [];
      const x = (now.x + sprite.width / 2) / SCENE.width;
      const y = (now.y + sprite.height / 2) / SCENE.height;
      return [{ x, y, speed: before ? (Math.abs(now.x - before.x) * 10) / SCENE.width : 0 }];
    }
    return [];
  });
}
