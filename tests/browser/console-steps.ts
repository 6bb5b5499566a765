// Steps that a person takes in the console, by what is on the screen in either language, and what a test reads off its pictures.
import { readStripFromRgba, STRIP_BLOCKS_PER_WIDTH, STRIP_ROWS } from '@vedette/virtual-devices/scene/strip.ts';
import type { Page } from 'playwright-core';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { pack as chinese } from '@vedette/phrases/zh-CN/pack.ts';
import { waitFor } from '../harness/wait-for.ts';

export type Words = typeof english | typeof chinese;

export const LANGUAGES = [
  { locale: 'en-US', lang: 'en', words: english },
  { locale: 'zh-CN', lang: 'zh-CN', words: chinese },
] as const;

export async function setUp(page: Page, words: Words, username: string, password: string): Promise<void> {
  await page.getByLabel(words['setup.username'], { exact: true }).fill(username);
  await page.getByLabel(words['setup.password'], { exact: true }).fill(password);
  await page.getByLabel(words['setup.confirm'], { exact: true }).fill(password);
  await page.getByRole('button', { name: words['setup.submit'] }).click();
  await page.waitForURL(/\/homepage\//);
}

export async function signIn(page: Page, words: Words, username: string, password: string): Promise<void> {
  await page.getByLabel(words['login.account'], { exact: true }).fill(username);
  await page.getByLabel(words['login.password'], { exact: true }).fill(password);
  await page.getByRole('button', { name: words['login.submit'], exact: true }).click();
  await page.waitForURL(/\/homepage\//);
}

export async function goTo(
  page: Page,
  words: Words,
  screen: 'live' | 'playback' | 'devices' | 'system',
): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: words[`screen.${screen}`] })
    .click();
}

/** Wall clock in ms burned into the picture below `scope`, with the browser's time of reading it; undefined where nothing is readable. */
export async function clockInPicture(
  page: Page,
  scope: string,
): Promise<{ wallMs: number; readAt: number } | undefined> {
  const rows = STRIP_ROWS;
  const perWidth = STRIP_BLOCKS_PER_WIDTH;
  const taken = await page.evaluate(
    ({ selector, rows, perWidth }) => {
      // A tile's picture stands on a canvas of the worker's, or else in the video element.
      const surface = document.querySelector<HTMLCanvasElement>(`${selector} canvas[data-surface]`);
      const video = document.querySelector<HTMLVideoElement>(`${selector} video`);
      const isOnCanvas = surface !== null && surface.style.visibility !== 'hidden';
      const picture = isOnCanvas ? surface : video;
      const width = isOnCanvas ? surface.width : (video?.videoWidth ?? 0);
      if (!picture || width === 0) return null;
      const height = Math.ceil((width / perWidth) * rows);
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      context?.drawImage(picture, 0, 0);
      const readAt = Date.now();
      const pixels = context?.getImageData(0, 0, width, height).data;
      return pixels ? { width, readAt, pixels: [...pixels] } : null;
    },
    { selector: scope, rows, perWidth },
  );
  if (!taken) return undefined;
  const strip = readStripFromRgba(Uint8ClampedArray.from(taken.pixels), taken.width);
  return strip ? { wallMs: strip.wallMs, readAt: taken.readAt } : undefined;
}

/** Waits until the clock in the picture is within `withinMs` of the machine's. */
export async function liveClock(page: Page, scope: string, withinMs = 2000): Promise<number> {
  return waitFor(
    `a live clock in ${scope}`,
    async () => {
      const seen = await clockInPicture(page, scope);
      const behindMs = seen ? seen.readAt - seen.wallMs : Number.POSITIVE_INFINITY;
      return Math.abs(behindMs) <= withinMs ? Math.max(1, behindMs) : undefined;
    },
    45_000,
  );
}

export async function signOut(page: Page, words: Words): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: words['shell.account'] }).click();
  await page.getByRole('menuitem', { name: words['shell.signOut'] }).click();
  await page.waitForURL(/\/login/);
}
