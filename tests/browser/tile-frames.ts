// Counts what a live tile draws, and notes when it ended.
import type { Page } from 'playwright-core';

export interface TileFrames {
  readonly count: number;
  /** When the last frame was drawn, ms since 1970. */
  readonly lastAt: number;
  /** When the tile ended. */
  readonly darkAt: number;
}

/** Looks at the tile once per frame of the page: on the worker's canvas or in the video element, a change is a new picture. */
export async function watchFrames(on: Page): Promise<void> {
  await on.evaluate(() => {
    const frames = { count: 0, lastAt: 0, darkAt: 0 };
    Object.assign(window, { frames });
    const tile = document.querySelector('[data-cell="0"]');
    const video = tile?.querySelector('video');
    const context = new OffscreenCanvas(320, 2).getContext('2d', { willReadFrequently: true });
    let last = '';
    const look = (): void => {
      requestAnimationFrame(look);
      const surface = tile?.querySelector<HTMLCanvasElement>('canvas[data-surface]');
      const isOnCanvas = surface !== null && surface !== undefined && surface.style.visibility !== 'hidden';
      const picture = isOnCanvas ? surface : video && video.readyState >= 2 ? video : null;
      if (!picture || !context) return;
      // The camera's counter stands there, 36 blocks of 8 pixels wide.
      context.drawImage(picture, 0, 0);
      const seen = String(context.getImageData(0, 0, 320, 2).data);
      if (seen === last) return;
      last = seen;
      frames.count += 1;
      frames.lastAt = Date.now();
    };
    look();
    if (!tile) return;
    // A picture that stalls for a moment on a busy machine has not ended.
    new MutationObserver(() => {
      if (frames.darkAt === 0 && tile.getAttribute('data-state') === 'ended') frames.darkAt = Date.now();
    }).observe(tile, { attributes: true, attributeFilter: ['data-state'] });
  });
}

export function framesOf(on: Page): Promise<TileFrames> {
  return on.evaluate(() => (window as unknown as { frames: TileFrames }).frames);
}
