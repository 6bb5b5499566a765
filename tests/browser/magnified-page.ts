// A page at 200 %: half as many CSS pixels each way, in which everything is still to be reached (WCAG 1.4.10).
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** 1440 × 900 at 200 %. */
export const MAGNIFIED = { width: 720, height: 450 } as const;

/** What stands over the right edge of `scope` and can't be scrolled into sight, in words. */
export async function cutOff(page: Page, scope: string): Promise<string[]> {
  return await page.locator(scope).evaluate((root) => {
    const { right } = root.getBoundingClientRect();
    const scrollsSideways = (one: Element | null): boolean => {
      if (one === null || one === root) return false;
      return /auto|scroll/.test(getComputedStyle(one).overflowX) || scrollsSideways(one.parentElement);
    };
    return [...root.querySelectorAll('button, input, select, textarea, a, p, h1, h2, h3, label, code, canvas')]
      .filter((one) => !one.classList.contains('visually-hidden') && one.getBoundingClientRect().width > 0)
      .filter((one) => one.getBoundingClientRect().right > right + 1 && !scrollsSideways(one))
      .map((one) => `${one.tagName} ${one.textContent?.trim().slice(0, 40) ?? ''}`);
  });
}

/** Wholly within what the page shows. */
export async function expectInside(page: Page, one: Locator): Promise<void> {
  const { width, height } = page.viewportSize() ?? MAGNIFIED;
  await expect
    .poll(async () => {
      const box = await one.boundingBox();
      return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    })
    .toBe(true);
}
