// The manual: opened beside a screen at the place that explains it, read as pages, searched, in both languages and on a phone.
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { goTo, LANGUAGES, type Words } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const [{ words }, { words: chinese }] = LANGUAGES;
const PHONE = { width: 390, height: 844 } as const;

let product: Product;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  await product.setUp(...OPERATOR);
  watched = await openSignedIn(browser, product, { path: '/homepage/alarmMsg?view=channels' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function titleOf(name: string, language: 'en' | 'zh-CN' = 'en'): Promise<string> {
  const text = await readFile(new URL(`../../docs/manual/${language}/${name}.md`, import.meta.url), 'utf8');
  return text.slice(2, text.indexOf('\n'));
}

const panel = (said: Words = words): Locator => page.getByRole('complementary', { name: said['manual.title'] });
const title = async (name: string): Promise<Locator> =>
  panel().getByRole('heading', { level: 1, name: await titleOf(name), exact: true });
const focusedHeading = (): Promise<string | null> =>
  page.evaluate('document.activeElement?.getAttribute("data-heading")');

it('F1 opens the panel at the heading of the screen, and closes it', async () => {
  await page.getByRole('button', { name: words['alarmChannels.add'] }).first().waitFor();
  await page.keyboard.press('F1');
  await (await title('alarm-rules')).waitFor();
  await expect.poll(focusedHeading).toBe('notifications');
  await expectNoProblems(watched, 'manual-panel');
  await page.keyboard.press('F1');
  await panel().waitFor({ state: 'hidden' });
});

it('goes on beside the screen: links, back, contents and search leave it as it is', async () => {
  await goTo(page, words, 'live');
  await page.getByRole('searchbox').or(page.getByLabel(words['tree.search'])).first().focus();
  await page.keyboard.press('F1');
  await (await title('live-wall')).waitFor();
  await panel().getByRole('link', { name: 'PTZ', exact: true }).click();
  await (await title('ptz')).waitFor();
  await panel().getByRole('button', { name: words['common.back'] }).click();
  await (await title('live-wall')).waitFor();
  await panel().getByRole('button', { name: words['manual.contents'] }).click();
  await panel()
    .getByRole('link', { name: await titleOf('playback') })
    .click();
  await (await title('playback')).waitFor();

  const search = panel().getByRole('textbox', { name: words['manual.search'] });
  await search.fill('xylophone');
  await panel().getByText(words['manual.noResults'].replace('{keyWord}', 'xylophone')).waitFor();
  await search.fill('recovery codes');
  await panel()
    .getByRole('link', { name: /^Two-factor authentication/ })
    .first()
    .click();
  await (await title('my-account')).waitFor();
  await expect.poll(focusedHeading).toBe('two-factor');
  expect(new URL(page.url()).pathname).toBe('/homepage/liveVideo');
});

it('opens the shown place as a page, from which the browser goes back to the screen', async () => {
  await panel().getByRole('button', { name: words['manual.asPage'] }).click();
  await page.waitForURL(/\/help\/my-account#two-factor$/);
  await panel().waitFor({ state: 'hidden' });
  await expect.poll(focusedHeading).toBe('two-factor');
  await expectNoProblems(watched, 'manual-page');
  await page.goBack();
  await page.waitForURL(/\/homepage\/liveVideo/);
  await page.getByRole('article').waitFor({ state: 'hidden' });
});

it('is opened by the button of the rail, and closed by Escape', async () => {
  await goTo(page, words, 'system');
  await page.locator('[data-part="site"]').first().waitFor();
  const help = page.getByRole('navigation').getByRole('button', { name: words['manual.help'] });
  await help.click();
  await (await title('system-settings')).waitFor();
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'hidden' });
  await expect.poll(() => help.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('prints the page alone and whole', async () => {
  await page.goto(`${product.url}/help/keyboard`);
  const article = page.getByRole('article');
  await article.getByRole('heading', { level: 1 }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('navigation').first().waitFor({ state: 'hidden' });
  const [height, shown] = await page.evaluate<[number, number]>(
    '[document.querySelector("article").scrollHeight, document.documentElement.scrollHeight]',
  );
  expect(shown).toBeGreaterThanOrEqual(height);
  expect(height).toBeGreaterThan(900);
  await page.emulateMedia({ media: 'screen' });
  await watched.close();
});

it('reads in Chinese on a phone, by the keyboard and by addresses', async () => {
  watched = await openSignedIn(browser, product, { path: '/help', locale: 'zh-CN', ...PHONE });
  page = watched.page;
  const contents = page.getByRole('navigation', { name: chinese['manual.contents'] });
  await contents.waitFor();
  await expectNoProblems(watched, 'manual-phone-contents');
  await page.getByRole('textbox', { name: chinese['manual.search'] }).fill('预置点');
  await page
    .getByRole('link', { name: /^预置点/ })
    .first()
    .press('Enter');
  await page.waitForURL(/\/help\/ptz#presets$/);
  await expect.poll(focusedHeading).toBe('presets');
  const picture = page.getByRole('article').locator('img').first();
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBeGreaterThan(600);
  const isWider = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  expect(isWider).toBe(false);
  await expectNoProblems(watched, 'manual-phone-page');
  await page.goBack();
  await contents.waitFor();

  await page.goto(`${product.url}/help/nowhere`);
  await page.getByText(chinese['manual.noPage']).waitFor();
  await page.goto(`${product.url}/homepage/liveVideo`);
  await page.getByRole('navigation').getByRole('button', { name: chinese['manual.help'] }).click();
  await panel(chinese)
    .getByRole('heading', { level: 1, name: await titleOf('live-wall', 'zh-CN') })
    .waitFor();
  await expectNoProblems(watched, 'manual-phone-panel');
  await watched.close();
});

it('is there before sign-in too, in the light theme', async () => {
  watched = await openPage(browser, { colorScheme: 'light' });
  page = watched.page;
  await page.goto(`${product.url}/login`);
  await page.getByRole('link', { name: words['manual.help'] }).click();
  await page.getByRole('heading', { level: 1, name: await titleOf('first-start') }).waitFor();
  await expectNoProblems(watched, 'manual-signed-out');
  await watched.close();
});
