// Steps on a picture with lines and zones: points are dragged by the pointer.
import type { Locator, Page } from 'playwright-core';

/** To a place in shares of the picture. */
export async function dragPoint(
  page: Page,
  handle: Locator,
  to: { readonly x: number; readonly y: number },
): Promise<void> {
  const [from, picture] = [await handle.boundingBox(), await page.locator('[data-picture-overlay]').boundingBox()];
  if (from === null || picture === null) throw new Error('nothing to drag');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(picture.x + picture.width * to.x, picture.y + picture.height * to.y, { steps: 4 });
  await page.mouse.up();
}
