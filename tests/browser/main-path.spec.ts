// Main path in a real browser: set-up, sign-in, tree, a live clock in the pixels, playback at the right second, sign-out; in both languages.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, openBrowser, openPage, shot, type WatchedPage } from '../harness/browser.ts';
import { goTo, LANGUAGES, liveClock, setUp, signIn, signOut } from './console-steps.ts';
import { seeTiles } from './playback-frame.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';

const ACCOUNT = ['operator', 'Watch-2026'] as const;

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function looksRight(watched: WatchedPage, name: string): Promise<void> {
  await shot(watched.page, name);
  expect(await axeFindings(watched.page), `axe on ${name}`).toEqual([]);
  expect(watched.problems, `console of ${name}`).toEqual([]);
}

describe('first start', () => {
  it('[RT-01] [RT-02] [RT-08] the set-up link creates the operator and shows the demo live', async () => {
    const watched = await openPage(browser);
    const { page } = watched;
    const { words } = LANGUAGES[0];
    await page.goto(product.url);
    await page.waitForURL(/\/login$/);
    await page.goto(`${product.url}/homepage/deviceManage`);
    await page.waitForURL(/\/login/);
    await page.goto(product.ready.setupUrl ?? '');
    await page.getByRole('button', { name: words['setup.submit'] }).waitFor();
    expect(page.url()).not.toContain('secret');
    await looksRight(watched, 'setup-dark-en');
    await setUp(page, words, ...ACCOUNT);
    // The demo's cameras come online one after the other; before the first there is nothing to fill the wall with.
    await waitFor(
      'a live tile',
      async () => {
        const tile = page.locator('[data-state=live]').first();
        if ((await tile.count()) > 0) return true;
        // Where the wall is full already there is nothing to press.
        await page
          .getByRole('button', { name: words['live.fill'] })
          .first()
          .click({ timeout: 2000 })
          .catch(() => null);
        return tile.waitFor({ timeout: 3000 }).then(() => true);
      },
      60_000,
    );
    expect(await liveClock(page, '[data-state=live]')).toBeLessThan(2000);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});

/** The first test makes the account in the browser; run alone, a later one makes it by call. */
async function accountExists(): Promise<void> {
  await product.signIn(...ACCOUNT).catch(() => product.setUp(...ACCOUNT));
}

describe.each(LANGUAGES)('in $lang', ({ locale, lang, words }) => {
  beforeAll(accountExists);

  // Specs of single screens look at each in both themes.
  it.each([
    lang === 'en' ? 'dark' : 'light',
  ] as const)('[LV-01] [ST-07] [UI-03] signs in, watches live and playback, signs out (%s)', async (colorScheme) => {
    const watched = await openPage(browser, { locale, colorScheme });
    const { page } = watched;
    const picture = (name: string): Promise<void> => looksRight(watched, `${name}-${colorScheme}-${lang}`);
    await page.goto(`${product.url}/login`);
    await page.getByRole('button', { name: words['login.submit'] }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(lang);
    await picture('login');
    await signIn(page, words, ...ACCOUNT);

    await goTo(page, words, 'live');
    await page.getByRole('tree').getByText('Harbour Campus').waitFor();
    const fill = page.getByRole('button', { name: words['live.fill'] }).first();
    await fill.click();
    await waitFor('four live tiles', async () => (await page.locator('[data-state=live]').count()) === 4, 45_000);
    expect(await liveClock(page, '[data-state=live]')).toBeLessThan(2000);
    await picture('live');

    await goTo(page, words, 'playback');
    await page.getByRole('tabpanel').waitFor();
    await page
      .getByRole('tree')
      .getByRole('treeitem', { name: /Gate House/ })
      .first()
      .dblclick();
    const slider = page.getByRole('slider').first();
    await slider.waitFor();
    await waitFor(
      'a picture whose clock is the timeline’s',
      async () => {
        const { strips, shownAt } = await seeTiles(page);
        // Half a second of rounding, and the clock of a fresh stream is only nearly the camera's.
        return strips[0] && Math.abs(strips[0].wallMs - shownAt) <= 2000;
      },
      45_000,
    );
    await picture('playback');

    await goTo(page, words, 'devices');
    await page.getByRole('row', { name: /Gate House/ }).waitFor();
    await picture('devices');
    await goTo(page, words, 'system');
    await page.locator('[data-part="site"]').first().waitFor();
    await picture('system');

    await signOut(page, words);
    expect(watched.problems).toEqual([]);
    await watched.close();
  }, 180_000);
});

describe('from another machine', () => {
  it.each([
    'dark',
    'light',
  ] as const)('the %s page about trust shows the fingerprint that the start printed', async (colorScheme) => {
    const watched = await openPage(browser, { colorScheme });
    await watched.page.goto(`${product.url}/trust`);
    const fingerprint = (await watched.page.locator('code').first().textContent()) ?? '';
    expect(fingerprint).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/u);
    expect(product.log).toContain(`fingerprint of its certificate authority: ${fingerprint}`);
    await looksRight(watched, `trust-${colorScheme}`);
    await watched.close();
  });

  it('opens over HTTPS with the local authority and shows a live clock', async () => {
    const address = product.ready.httpsUrls?.find((url) => !/localhost|127\.0\.0\.1|\[::1\]/.test(url));
    expect(address, 'an address that is not loopback').toBeDefined();
    const { words, locale } = LANGUAGES[0];
    const watched = await openPage(browser, { locale, ignoreHTTPSErrors: true });
    await watched.page.goto(`${address}/login`);
    await signIn(watched.page, words, ...ACCOUNT);
    await goTo(watched.page, words, 'live');
    await watched.page.getByRole('tree').getByText('Harbour Campus').waitFor();
    await watched.page.getByRole('button', { name: words['live.fill'] }).first().click();
    expect(await liveClock(watched.page, '[data-state=live]')).toBeLessThan(2000);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
