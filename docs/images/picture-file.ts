// Writes what a page shows as WebP, as good as fits into the size that the manual allows for a picture.
import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';

/** Bytes of one picture; tests/project/manual.test.ts checks it. */
const MOST_BYTES = 58_000;
const QUALITIES = [0.86, 0.78, 0.7, 0.6, 0.5, 0.4, 0.3] as const;

export async function writePicture(browser: Browser, page: Page, file: string): Promise<void> {
  const png = await page.screenshot();
  const encoder = await browser.newPage();
  try {
    for (const quality of QUALITIES) {
      const encoded = Buffer.from(await encodeWebp(encoder, png.toString('base64'), quality), 'base64');
      if (encoded.length > MOST_BYTES && quality !== QUALITIES.at(-1)) continue;
      await writeFile(file, encoded);
      return;
    }
  } finally {
    await encoder.close();
  }
}

/** Chromium writes WebP from a canvas; Playwright itself only PNG and JPEG. */
function encodeWebp(page: Page, png: string, quality: number): Promise<string> {
  return page.evaluate(
    async ([data, asked]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', asked).split(',')[1] ?? '';
    },
    [png, quality] as const,
  );
}
