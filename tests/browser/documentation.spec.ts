// The documentation site in a browser: offered by a product under its strict policy, searched, in both languages and on a phone, and opened from a disk.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSite } from '../../docs/site/build-site.ts';
import { openBrowser, openPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const PHONE = { width: 390, height: 844 } as const;
const words = wordsOf('en-US');

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  await product.setUp(...OPERATOR);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function search(page: Page, question: string): Promise<string[]> {
  await page.getByRole('searchbox').fill(question);
  await page.locator('#found li').first().waitFor();
  return await page.locator('#found b').allTextContents();
}

it('is linked from the manual, runs under its policy, and is searched', async () => {
  const { page: console } = await openSignedIn(browser, product, { path: '/help' });
  const link = console.getByRole('link', { name: words['manual.documentation'] });
  const address = await link.getAttribute('href');
  const watched = await openPage(browser, { colorScheme: 'light' });
  const { page } = watched;
  await page.goto(product.url + address);
  await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
  await page.getByRole('link', { name: 'Sizing', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Sizing' }).waitFor();
  await expectNoProblems(watched, 'documentation-sizing-light');
  expect((await search(page, 'trusted proxies'))[0]).toContain('Reverse proxies');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Reverse proxies' }).waitFor();
  expect(await search(page, 'zzzz')).toEqual([]);
  await page.getByText('Nothing found.').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#found').waitFor({ state: 'hidden' });
  await page.goto(`${product.url}/docs`);
  await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
  expect(watched.problems).toEqual([]);
}, 120_000);

it('changes to the same page of the other language, is dark where the system is, and fits a phone', async () => {
  const watched = await openPage(browser, { colorScheme: 'dark', ...PHONE });
  const { page } = watched;
  await page.goto(`${product.url}/docs/manual/en/live-wall.html`);
  await page.getByRole('link', { name: '简体中文' }).click();
  await page.waitForURL(/\/docs\/manual\/zh-CN\/live-wall\.html$/);
  expect((await search(page, '轮巡'))[0]).toContain('轮巡');
  await page.keyboard.press('Escape');
  await expectNoProblems(watched, 'documentation-phone-dark');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  await page.getByText('目录', { exact: true }).click();
  await page.getByRole('navigation').getByRole('link', { name: '云台与预置点' }).click();
  await page.waitForURL(/ptz\.html$/);
}, 120_000);

it('is searched from a disk without a server, and prints the text alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-docs-'));
  await buildSite({ root: ROOT, target: folder, version: '1.2.3' });
  const { page, problems } = await openPage(browser, { colorScheme: 'light' });
  await page.goto(pathToFileURL(join(folder, 'operations/backup.html')).href);
  const found = await search(page, 'recovery key');
  expect(found.length).toBeGreaterThan(3);
  await page.locator('#found a').first().click();
  await page.waitForURL(/^file:.*\.html/);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await page.locator('details.contents').isVisible()).toBe(false);
  expect(await page.getByRole('main').isVisible()).toBe(true);
  expect(problems).toEqual([]);
  await rm(folder, { recursive: true });
}, 120_000);
