// Steps of a user in the console, in either language, and readings of its video frames.
import { readStripFromRgba, STRIP_BLOCKS_PER_WIDTH, STRIP_ROWS } from '../../virtual-devices/scene/painting/strip.ts';
import type { Page } from 'playwright-core';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { pack as chinese } from '@vedette/phrases/zh-CN/pack.ts';
import { waitFor } from '../harness/wait-for.ts';

export type Words = typeof english | typeof chinese;

export const LANGUAGES = [
  { locale: 'en-US', lang: 'en', words: english },
  { locale: 'zh-CN', lang: 'zh-CN', words: chinese },
] as const;

/** What a phrase says, whatever stands in its places. */
export function saying(phrase: string): RegExp {
  const parts = phrase.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}

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

/** The first step of registering and of a new password: the contact, the robot check, and the code on its way. */
export async function askForCode(page: Page, words: Words, contact: string): Promise<void> {
  await page.getByLabel(words['account.contact'], { exact: true }).fill(contact);
  await page.getByRole('button', { name: words['account.sendCode'] }).click();
  await page.getByText(words['robot.first']).waitFor();
  await page.getByRole('checkbox', { name: words['robot.idle'] }).click();
  await page.getByRole('checkbox', { name: words['robot.done'] }).waitFor();
  await page.getByRole('button', { name: words['account.sendCode'] }).click();
}

export async function newPassword(page: Page, words: Words, label: string, password: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(password);
  await page.getByLabel(words['setup.confirm'], { exact: true }).fill(password);
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

export interface SeenFrame {
  readonly width: number;
  readonly height: number;
  /** The browser's time of reading it, ms. */
  readonly readAt: number;
  /** RGBA of the picture, or of its part that was asked for. */
  readonly pixels: readonly number[];
}

/** The picture below `scope` as it stands: on the worker's canvas, or else in the video element. `top`: so many strip rows alone, in full size. */
export async function frameIn(page: Page, scope: string, top: number | null = null): Promise<SeenFrame | undefined> {
  const seen = await page.evaluate(
    ({ selector, top, perWidth }) => {
      const surface = document.querySelector<HTMLCanvasElement>(`${selector} canvas[data-surface]`);
      const video = document.querySelector<HTMLVideoElement>(`${selector} video`);
      const isOnCanvas = surface !== null && surface.style.visibility !== 'hidden';
      const picture = isOnCanvas ? surface : video;
      if (picture === null) return undefined;
      const [width, height] =
        'videoWidth' in picture ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
      if (width === 0) return undefined;
      // Small is enough to tell one picture from another.
      const taken = top === null ? { width: 64, height: 36 } : { width, height: Math.ceil((width / perWidth) * top) };
      const canvas = new OffscreenCanvas(taken.width, taken.height);
      const context = canvas.getContext('2d');
      if (context === null) return { width, height, readAt: Date.now(), pixels: [] };
      if (top === null) context.drawImage(picture, 0, 0, taken.width, taken.height);
      else context.drawImage(picture, 0, 0);
      const readAt = Date.now();
      const pixels = [...context.getImageData(0, 0, taken.width, taken.height).data];
      return { width, height, readAt, pixels };
    },
    { selector: scope, top, perWidth: STRIP_BLOCKS_PER_WIDTH },
  );
  return seen;
}

/** Waits until the picture below `scope` changes. */
export async function waitForFrameChange(page: Page, scope: string, timeoutMs = 45_000): Promise<SeenFrame> {
  let first: SeenFrame | undefined;
  return waitFor(
    `moving pictures in ${scope}`,
    async () => {
      const seen = await frameIn(page, scope);
      first ??= seen;
      return seen && String(seen.pixels) !== String(first?.pixels) ? seen : undefined;
    },
    timeoutMs,
  );
}

/** What a virtual camera burned into the picture below `scope`, with the browser's time of reading it; undefined where nothing is readable. */
export async function clockInFrame(
  page: Page,
  scope: string,
): Promise<{ frame: number; wallMs: number; readAt: number } | undefined> {
  const seen = await frameIn(page, scope, STRIP_ROWS);
  const strip = seen && readStripFromRgba(Uint8ClampedArray.from(seen.pixels), seen.width);
  return strip ? { ...strip, readAt: seen.readAt } : undefined;
}

/** Waits until the clock in the picture is within `withinMs` of the machine's. */
export async function liveClock(page: Page, scope: string, withinMs = 2000): Promise<number> {
  return waitFor(
    `a live clock in ${scope}`,
    async () => {
      const seen = await clockInFrame(page, scope);
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

/** A link for other machines, with the address by which the test reaches the product. */
export function openedHere(product: { readonly url: string }, link: string): string {
  const { pathname, search, hash } = new URL(link);
  return `${product.url}${pathname}${search}${hash}`;
}
