// Reads frame counter and clock burned into playback frames by virtual cameras.
import { HLS_AUDIO_LEFT_OUT } from '@vedette/contract/media-wire.ts';
import {
  readStripFromLuma,
  STRIP_BLOCKS_PER_WIDTH,
  STRIP_ROWS,
  type StripContent,
} from '../../virtual-devices/scene/painting/strip.ts';
import type { Page } from 'playwright-core';

export interface SeenTiles {
  /** In the order of the page; null where nothing is readable. */
  readonly strips: readonly (StripContent | null)[];
  readonly states: readonly string[];
  /** Of the timeline, ms. */
  readonly shownAt: number;
}

const FRAME_SELECTOR = '[data-playback] canvas:not([data-still]), [data-playback] video';

/** All in one go: on a busy machine seconds pass between two questions to a page. */
export async function seeTiles(page: Page): Promise<SeenTiles> {
  const taken = await page.evaluate(
    ({ selector, rows, perWidth }) => {
      const shownAt = Number(document.querySelector('[role="slider"]')?.getAttribute('aria-valuenow')) * 1000;
      const states = [...document.querySelectorAll<HTMLElement>('[data-playback]')].map(
        (one) => one.dataset['state'] ?? '',
      );
      const strips = [...document.querySelectorAll<HTMLCanvasElement | HTMLVideoElement>(selector)].map((picture) => {
        const width = picture instanceof HTMLVideoElement ? picture.videoWidth : picture.width;
        if (width < perWidth) return null;
        const height = Math.ceil((width / perWidth) * rows);
        const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
        context?.drawImage(picture, 0, 0);
        const pixels = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
        let luma = '';
        for (let at = 0; at < pixels.length; at += 4) {
          const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
          luma += String.fromCharCode(Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue));
        }
        return { width, luma: btoa(luma) };
      });
      return { shownAt, states, strips };
    },
    { selector: FRAME_SELECTOR, rows: STRIP_ROWS, perWidth: STRIP_BLOCKS_PER_WIDTH },
  );
  const strips = taken.strips.map(
    (one) => one && readStripFromLuma(Buffer.from(one.luma, 'base64'), one.width, one.width),
  );
  return { ...taken, strips };
}

/** As it is typed in the time zone of the page, which is that of the tests. */
export function clockText(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** From now on playlists say what a site without ffmpeg says of recorded G.711. */
export async function leaveAudioOut(page: Page): Promise<void> {
  await page.route('**/index.m3u8*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}\n${HLS_AUDIO_LEFT_OUT}\n` });
  });
}
