// Signed-in pages for specs of single screens, checked for errors.
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import { ApiClient } from '../harness/api-client.ts';
import { axeFindings, openPage, type PageOptions, shot, type WatchedPage } from '../harness/browser.ts';
import { LANGUAGES, signIn, type Words } from './console-steps.ts';

export interface SignedInOptions extends PageOptions {
  /** Where to land, below the product's address. */
  readonly path: string;
  readonly account?: readonly [name: string, password: string];
}

/** The account that every spec makes with the set-up link. */
export const OPERATOR = ['operator', 'Watch-2026'] as const;

export function wordsOf(locale: PageOptions['locale']): Words {
  return LANGUAGES.find((one) => one.locale === (locale ?? 'en-US'))?.words ?? LANGUAGES[0].words;
}

/** Where a page reaches the product. */
type Address = { readonly url: string };

/** With a session from the server: the form, which costs as much as the page behind it, belongs to the tests of sign-in. */
export async function openSignedIn(browser: Browser, product: Address, options: SignedInOptions): Promise<WatchedPage> {
  const { path, account = OPERATOR, ...rest } = options;
  const [watched, auth] = await Promise.all([openPage(browser, rest), newSession(product, account)]);
  const { page } = watched;
  // Any small answer of the product: the storage of its origin is open from there on.
  await page.goto(`${product.url}/serverConfig.json`);
  await page.evaluate((text) => sessionStorage.setItem('vedette.auth', text), JSON.stringify({ version: 1, auth }));
  await page.goto(product.url + path);
  return watched;
}

/** By the form, as a user: the browser then keeps the name, and shows what the account prefers. */
export async function openBySignIn(browser: Browser, product: Address, options: SignedInOptions): Promise<WatchedPage> {
  const { path, account = OPERATOR, ...rest } = options;
  const watched = await openPage(browser, rest);
  await watched.page.goto(`${product.url}/login?${new URLSearchParams({ from: path })}`);
  await signIn(watched.page, wordsOf(options.locale), ...account);
  return watched;
}

async function newSession(product: Address, [name, password]: readonly [string, string]): Promise<SignedIn> {
  const client = new ApiClient(product.url);
  return client.ok('account/login', { account: name, password, browserId: 'test', clientType: 'web' });
}

/** Waits for what fades or slides to come to rest; what turns for ever does not count. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        (one) => one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  );
}

/** Keeps a picture, and fails on serious findings of axe and on anything the console said. */
export async function expectNoProblems(watched: WatchedPage, name: string): Promise<void> {
  await settled(watched.page);
  await shot(watched.page, name);
  expect(await axeFindings(watched.page), `axe on ${name}`).toEqual([]);
  expect(watched.problems, `console of ${name}`).toEqual([]);
}
