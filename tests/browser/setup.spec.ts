// First start in the browser: the one-time link, form errors, and single use.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage, type PageOptions, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { LANGUAGES, setUp } from './console-steps.ts';
import { expectNoProblems, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let link: string;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  link = product.ready.setupUrl ?? '';
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function open(address: string, options: PageOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, options);
  await watched.page.goto(address);
  return watched;
}

/** Lets the code of the live screen come only when `release` is called. */
async function holdLiveScreen(page: Page): Promise<{ isWanted: Promise<void>; release: () => void }> {
  const wanted = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/live-video-screen-*.js', async (route) => {
    wanted.resolve();
    await released.promise;
    await route.continue();
  });
  return { isWanted: wanted.promise, release: () => released.resolve() };
}

/** All that the page keeps, as text. */
function stored(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
}

describe('before the first administrator', () => {
  it('sign-in says that set-up comes first, and /setup without its secret says where the link is', async () => {
    const watched = await open(`${product.url}/login`);
    await watched.page.getByText(words['login.needsSetup']).waitFor();
    await expectNoProblems(watched, 'login-needs-setup');
    await watched.page.goto(`${product.url}/setup`);
    await watched.page.getByText(words['setup.noSecret']).waitFor();
    await expectNoProblems(watched, 'setup-no-secret');
    await watched.page.getByRole('button', { name: words['setup.toLogin'] }).click();
    await watched.page.waitForURL(/\/login$/);
    await watched.close();
  });
});

describe.each(LANGUAGES)('the form in $lang', ({ locale, lang, words: said }) => {
  it('[VA-01] [VA-03] [VA-06] says per field what is missing or wrong, and how strong the password is', async () => {
    const watched = await open(link, { locale, colorScheme: lang === 'en' ? 'light' : 'dark' });
    const { page } = watched;
    const name = page.getByLabel(said['setup.username'], { exact: true });
    const password = page.getByLabel(said['setup.password'], { exact: true });
    const confirmation = page.getByLabel(said['setup.confirm'], { exact: true });
    const submit = page.getByRole('button', { name: said['setup.submit'] });
    const strength = page.getByRole('status', { name: new RegExp(`^${said['strength.label']}`) });

    await submit.click();
    await page.getByText(said['login.accountRequired']).waitFor();
    await page.getByText(said['login.passwordRequired']).waitFor();
    expect(page.url()).toBe(`${product.url}/setup`);
    expect(await stored(page)).not.toContain(new URL(link).hash.slice('#secret='.length));

    await name.fill('12345');
    await password.fill('abcdef');
    await confirmation.fill('abcdeg');
    for (const key of ['valid.username', 'valid.passwordRange', 'valid.passwordsDiffer'] as const) {
      await page.getByText(said[key]).waitFor();
    }
    await expect.poll(() => strength.textContent()).toBe(said['strength.weak']);
    await expectNoProblems(watched, `setup-wrong-${lang}`);

    await password.fill('Abcdef-1');
    await page.getByText(said['valid.passwordRange']).waitFor({ state: 'detached' });
    await expect.poll(() => strength.textContent()).toBe(said['strength.strong']);
    await password.fill('abcdef-1');
    await expect.poll(() => strength.textContent()).toBe(said['strength.medium']);
    await password.fill('');
    await expect.poll(() => strength.textContent()).toBe(said['strength.none']);
    await watched.close();
  });
});

describe('the set-up secret', () => {
  it('that is wrong is refused with a message, and the typed values stay', async () => {
    const watched = await open(`${product.url}/setup#secret=guessed`, { colorScheme: 'light' });
    const { page } = watched;
    await page.getByLabel(words['setup.username'], { exact: true }).fill('operator');
    await page.getByLabel(words['setup.password'], { exact: true }).fill('Watch-2026');
    await page.getByLabel(words['setup.confirm'], { exact: true }).fill('Watch-2026');
    await page.getByRole('button', { name: words['setup.submit'] }).click();
    await page.getByRole('alert').getByText(words['setup.secretUsed']).waitFor();
    expect(await page.getByLabel(words['setup.username'], { exact: true }).inputValue()).toBe('operator');
    await expectNoProblems(watched, 'setup-wrong-secret');
    await watched.close();
  });

  it('is removed from address and history at once, creates the operator, and works once', async () => {
    const watched = await open(link);
    const { page } = watched;
    await page.getByRole('button', { name: words['setup.submit'] }).waitFor();
    expect(page.url()).toBe(`${product.url}/setup`);
    const live = await holdLiveScreen(page);
    const entering = setUp(page, words, ...OPERATOR);
    await live.isWanted;
    expect(await page.getByLabel(words['setup.username'], { exact: true }).count()).toBe(1);
    expect(await page.getByText(words['setup.noSecret']).count()).toBe(0);
    live.release();
    await entering;
    expect(new URL(page.url()).pathname).toBe('/homepage/liveVideo');
    expect(await stored(page)).not.toContain(OPERATOR[1]);
    await page.goBack();
    expect(page.url()).not.toContain('secret');
    expect(watched.problems).toEqual([]);
    await watched.close();

    const again = await open(link);
    await again.page.getByLabel(words['setup.username'], { exact: true }).fill('second');
    await again.page.getByLabel(words['setup.password'], { exact: true }).fill('Watch-2026');
    await again.page.getByLabel(words['setup.confirm'], { exact: true }).fill('Watch-2026');
    await again.page.getByRole('button', { name: words['setup.submit'] }).click();
    await again.page.getByRole('alert').getByText(words['setup.secretUsed']).waitFor();
    expect(again.problems).toEqual([]);
    await again.page.goto(`${product.url}/login`);
    await again.page.getByRole('button', { name: words['login.submit'] }).waitFor();
    await again.page.waitForLoadState('networkidle');
    expect(await again.page.getByText(words['login.needsSetup']).count()).toBe(0);
    await again.close();
  });
});
