// What a test reads off the pictures of playback: the frame counter and the clock that virtual cameras burn in.
import {
  readStripFromRgba,
  STRIP_BLOCKS_PER_WIDTH,
  STRIP_ROWS,
  type StripContent,
} from '@vedette/virtual-devices/scene/strip.ts';
import type { Page } from 'playwright-core';

/** Of every picture below `selector`, in the order of the page and all in one go; null where nothing is readable. */
export async function stripsOf(page: Page, selector: string): Promise<(StripContent | null)[]> {
  const taken = await page.evaluate(
    ({ selector, rows, perWidth }) =>
      [...document.querySelectorAll<HTMLCanvasElement | HTMLVideoElement>(selector)].map((picture) => {
        const width = picture instanceof HTMLVideoElement ? picture.videoWidth : picture.width;
        if (width < perWidth) return null;
        const height = Math.ceil((width / perWidth) * rows);
        const context = new OffscreenCanvas(width, height).getContext('2d');
        context?.drawImage(picture, 0, 0);
        const pixels = context?.getImageData(0, 0, width, height).data;
        return pixels ? { width, pixels: [...pixels] } : null;
      }),
    { selector, rows: STRIP_ROWS, perWidth: STRIP_BLOCKS_PER_WIDTH },
  );
  return taken.map((one) => one && readStripFromRgba(Uint8ClampedArray.from(one.pixels), one.width));
}

/** Of the first tile. */
export async function clockInTile(page: Page, scope = '[data-playback]'): Promise<StripContent | null> {
  return (await stripsOf(page, `${scope} canvas:not([data-still]), ${scope} video`))[0] ?? null;
}
