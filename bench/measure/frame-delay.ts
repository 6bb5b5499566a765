// Measures frame delay of a tile in a page: reads the burned-in clock at the moment of presentation.
import { readStrip, STRIP_BLOCKS_PER_WIDTH, STRIP_COLUMNS } from '../../virtual-devices/scene/painting/strip.ts';
import type { Page } from 'playwright-core';

export interface FrameSample {
  /** Counter of the picture. */
  readonly frame: number;
  /** From the instant of the picture to the screen, ms. */
  readonly delayMs: number;
}

interface RawSample {
  readonly at: number;
  /** Luma of each block of the strip, row by row. */
  readonly lumas: readonly number[];
}

/** Watches the tile in the first cell from now on; call before `takeSamples`. */
export async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(watchStrip, { columns: STRIP_COLUMNS, perWidth: STRIP_BLOCKS_PER_WIDTH });
}

/** The pictures that came on screen since the last call; a picture that is shown twice counts once. */
export async function takeSamples(page: Page): Promise<FrameSample[]> {
  const raw = (await page.evaluate('window.stripSamples.splice(0)')) as RawSample[];
  let last = -1;
  return raw.flatMap(({ at, lumas }) => {
    const strip = readStrip((x, y) => lumas[y * STRIP_COLUMNS + x] ?? 0, STRIP_BLOCKS_PER_WIDTH);
    if (!strip || strip.frame === last) return [];
    last = strip.frame;
    return [{ frame: strip.frame, delayMs: at - strip.wallMs }];
  });
}

/** Runs in the page. A video tells when a frame is presented; the worker's canvas is looked at when the worker said that it drew. */
function watchStrip({ columns, perWidth }: { columns: number; perWidth: number }): void {
  const samples: RawSample[] = [];
  Object.assign(globalThis, { stripSamples: samples });
  const scratch = new OffscreenCanvas(1, 1);
  const context = scratch.getContext('2d', { willReadFrequently: true });
  const take = (picture: HTMLVideoElement | HTMLCanvasElement, width: number, at: number): void => {
    if (width === 0 || !context) return;
    const block = width / perWidth;
    if (scratch.width !== columns * block) [scratch.width, scratch.height] = [columns * block, 2 * block];
    context.drawImage(picture, 0, 0);
    const { data, width: stride } = context.getImageData(0, 0, scratch.width, scratch.height);
    const lumas: number[] = [];
    for (let row = 0; row < 2; row++) {
      for (let column = 0; column < columns; column++) {
        const pixel = Math.floor((row + 0.5) * block) * stride + Math.floor((column + 0.5) * block);
        lumas.push(data[pixel * 4 + 1] ?? 0);
      }
    }
    samples.push({ at, lumas });
  };
  const now = (): number => performance.timeOrigin + performance.now();
  const tile = document.querySelector('[data-cell="0"]');
  const video = tile?.querySelector('video');
  const onVideo = (): void => {
    if (video) take(video, video.videoWidth, now());
    video?.requestVideoFrameCallback(onVideo);
  };
  video?.requestVideoFrameCallback(onVideo);
  const onCanvas = (): void => {
    const surface = tile?.querySelector<HTMLCanvasElement>('canvas[data-surface]');
    if (surface) take(surface, surface.width, now());
    requestAnimationFrame(onCanvas);
  };
  onCanvas();
}
