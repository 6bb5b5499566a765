// Command palette: cameras, screens and actions by the keyboard alone, recent ones first, in both languages.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  const operator = await product.setUp(...OPERATOR);
  await waitFor('the cameras', async () => (await operator.ok('device/list', {})).total >= 9, 60_000);
  watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const tiles = (): Locator => page.locator('[data-cell]:not([data-warm])');
const palette = (on = page): Locator => on.getByRole('dialog').filter({ has: on.getByRole('combobox') });
const options = (on = page): Locator => palette(on).getByRole('option');
const chosen = (on = page): Locator => palette(on).getByRole('option', { selected: true });
async function find(text: string, expected: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette().getByRole('combobox').pressSequentially(text);
  await expect.poll(() => chosen().textContent()).toContain(expected);
}

it('opens cameras, screens and actions by keyboard alone, also while a field has the focus', async () => {
  await page.getByRole('tree').getByRole('treeitem', { name: 'Main Lobby' }).waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('/');
  await find('main lob', 'Main Lobby');
  await expectNoProblems(watched, 'palette-camera');
  await page.keyboard.press('Enter');
  await palette().waitFor({ state: 'detached' });
  await tiles()
    .getByRole('button', { name: /Main Lobby/ })
    .first()
    .waitFor();

  await find('four', words['live.split4']);
  await page.keyboard.press('Enter');
  await expect.poll(() => tiles().count()).toBe(4);

  await find('main lob', 'Main Lobby');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/homepage\/container/);
  await find(words['devices.add'], words['devices.add']);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/homepage\/deviceManage/);
  await page.getByRole('heading', { name: words['add.title'] }).first().waitFor();
});

it('shows what was opened last first, says when nothing matches, and gives the focus back', async () => {
  await page.getByRole('tree').or(page.locator('#content')).first().waitFor();
  const before = page.getByRole('navigation').getByRole('link', { name: words['screen.live'] });
  await before.focus();
  await page.keyboard.press('Control+k');
  await expect.poll(() => options().nth(1).textContent()).toContain('Main Lobby');
  expect(await options().first().textContent()).toContain(words['devices.add']);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => options().last().getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => options().first().getAttribute('aria-selected')).toBe('true');
  await page.keyboard.type('no such thing');
  await palette().getByText(words['palette.none']).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await palette().waitFor({ state: 'detached' });
  await expect.poll(() => before.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/homepage\/liveVideo/);
});

it('[UI-03] shows the same in Chinese and in the light theme, on a small page', async () => {
  const small = await openSignedIn(browser, product, {
    path: '/homepage/deviceManage',
    locale: 'zh-CN',
    colorScheme: 'light',
    width: 720,
    height: 450,
  });
  await small.page.getByRole('heading', { level: 1 }).waitFor();
  await small.page.keyboard.press('Control+k');
  await expect.poll(() => chosen(small.page).textContent()).toContain(LANGUAGES[1].words['screen.live']);
  await expectNoProblems(small, 'palette-zh-light');
  await small.close();
});
