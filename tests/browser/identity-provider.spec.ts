// Sign-in by an identity provider in real browsers: the operator sets it up, its user signs in by a button with the mapped role, links and proves itself.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { StrangerProvider } from '../harness/stranger-provider.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, signOut, type Words } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let stranger: StrangerProvider;
const { words } = LANGUAGES[0];
const NAME = 'Head office';
const PRESSED = 'Go on as this user';

beforeAll(async () => {
  [product, browser, stranger] = await Promise.all([Product.start(), openBrowser(), StrangerProvider.start()]);
  operator = await product.setUp(...OPERATOR);
  const permissions = ['Realplay', 'AlarmPush'] as const;
  await operator.ok('org/add', { organizationName: 'North' });
  await operator.ok('role/add', { roleName: 'Guards', permissions: [...permissions], resources: null });
  stranger.isQuick = false;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  stranger?.stop();
});

const SECTION = '/homepage/system?section=identity';

/** The password that settings of providers ask for. */
async function confirmIdentity(page: Page, said: Words): Promise<void> {
  await page.getByLabel(said['personal.yourPassword'], { exact: true }).fill(OPERATOR[1]);
  await page.getByRole('button', { name: said['stepUp.submit'], exact: true }).click();
}

async function openLogin(options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, options);
  await watched.page.goto(`${product.url}/login`);
  return watched;
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

it('the operator sets a provider up, signs out, and somebody signs in by its button with the mapped role', async () => {
  const watched = await openSignedIn(browser, product, { path: SECTION });
  const { page } = watched;
  await page.getByRole('button', { name: words['identity.add'] }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words['identity.name'], { exact: true }).fill(NAME);
  await dialog.getByLabel(words['identity.issuer'], { exact: true }).fill(stranger.issuer);
  await dialog.getByLabel(words['identity.clientId'], { exact: true }).fill('vedette');
  await dialog.getByLabel(words['identity.clientSecret'], { exact: true }).fill('a-secret-of-the-tests-only');
  await dialog.getByRole('button', { name: words['identity.addRow'] }).click();
  await dialog.getByLabel(words['identity.value'], { exact: true }).fill('guards');
  await choose(page, words['identity.role'], 'Guards');
  await choose(page, words['identity.organization'], 'North');
  await dialog.getByRole('button', { name: words['identity.test'] }).click();
  // Nobody answers there before the provider knows the product.
  await dialog.getByRole('alert').getByText(words['reason_identityBadProvider']).waitFor();
  await dialog.getByRole('button', { name: words['common.save'] }).click();
  await confirmIdentity(page, words);
  await page.getByRole('list', { name: words['identity.title'] }).getByText(NAME).waitFor();
  const { providerList } = await operator.ok('identity/provider/list', {});
  stranger.register(providerList[0]?.redirectUrl ?? '');
  expect(providerList[0]?.redirectUrl.startsWith(product.url)).toBe(true);
  await expectNoProblems(watched, 'identity-providers');
  await signOut(page, words);

  stranger.user = { sub: 'anna', preferred_username: 'anna', groups: ['guards'] };
  await page.getByRole('button', { name: words['identity.signInWith'].replace('{name}', NAME) }).click();
  await page.getByRole('button', { name: PRESSED }).click();
  await page.waitForURL(/\/homepage\//);
  expect(page.url()).not.toContain('code=');
  await page.getByRole('navigation').getByRole('button', { name: words['shell.account'] }).getByText('anna').waitFor();
  const made = (await operator.ok('user/list', { keyWord: 'anna' })).userList[0];
  const { roleList } = await operator.ok('role/list', {});
  expect(made).toMatchObject({ userType: 5, roleIds: [roleList[0]?.roleId], ownerName: OPERATOR[0] });
  expect(watched.problems).toEqual([]);
  await watched.close();
});

it('an account without a password proves itself in a window of its provider, and its call goes on', async () => {
  const watched = await openLogin();
  const { page, context } = watched;
  stranger.user = { sub: 'anna', preferred_username: 'anna', groups: ['guards'] };
  await page.getByRole('button', { name: words['identity.signInWith'].replace('{name}', NAME) }).click();
  await page.getByRole('button', { name: PRESSED }).click();
  await page.waitForURL(/\/homepage\//);
  await page.goto(`${product.url}/homepage/personalContainer?tab=identity`);
  await page.getByText(words['identity.onlyWay']).waitFor();
  await expectNoProblems(watched, 'identity-links-only-way');
  await page.getByRole('tab', { name: words['personal.factor'] }).click();
  await page.getByRole('button', { name: words['personal.useTotp'] }).click();
  const open = page.getByRole('button', { name: words['identity.proofOpen'].replace('{name}', NAME) });
  await open.waitFor();
  await expectNoProblems(watched, 'identity-proof');
  const opened = context.waitForEvent('page');
  await open.click();
  const popup = await opened;
  await popup.getByRole('button', { name: PRESSED }).click();
  await page.getByLabel(words['factor.code'], { exact: true }).waitFor();
  await waitFor('a window that closes or says that it may be closed', async () => {
    if (popup.isClosed()) return true;
    return (await popup.getByText(words['identity.mayClose']).count()) > 0;
  });
  expect(watched.problems).toEqual([]);
  await watched.close();
});

describe.each(LANGUAGES)('in $lang', ({ locale, lang, words: said }) => {
  const colorScheme = lang === 'en' ? 'light' : 'dark';
  const signInWith = said['identity.signInWith'].replace('{name}', NAME);

  it('the sign-in page offers the provider and says why nobody was signed in', async () => {
    const watched = await openLogin({ locale, colorScheme });
    const { page } = watched;
    await page.getByRole('button', { name: signInWith }).waitFor();
    await expectNoProblems(watched, `identity-login-${lang}`);
    // Of what everybody sees: unlinking ends the operator's other sessions.
    const { identityProviderList } = await operator.ok('server/version', {});
    const providerId = identityProviderList[0]?.providerId ?? '';
    await page.goto(`${product.url}/signIn/provider/${providerId}?state=forged&code=x`);
    await page.getByRole('alert').getByText(said['reason_identityExpired']).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await expectNoProblems(watched, `identity-refused-${lang}`);
    await page.getByRole('link', { name: said['identity.toLogin'] }).click();
    await page.getByRole('button', { name: signInWith }).waitFor();
    await watched.close();
  });

  it('the operator sees the provider, and links and unlinks the own account', async () => {
    stranger.user = { sub: `boss ${lang}`, preferred_username: 'boss' };
    const watched = await openSignedIn(browser, product, { path: SECTION, locale, colorScheme });
    const { page } = watched;
    await page.getByRole('button', { name: said['identity.more'].replace('{name}', NAME) }).click();
    await page.getByRole('menuitem', { name: said['identity.change'] }).click();
    await page.getByRole('dialog').getByLabel(said['identity.issuer'], { exact: true }).waitFor();
    await expectNoProblems(watched, `identity-dialog-${lang}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoProblems(watched, `identity-dialog-390-${lang}`);
    await page.getByRole('dialog').getByRole('button', { name: said['identity.addRow'] }).scrollIntoViewIfNeeded();
    await expectNoProblems(watched, `identity-mapping-390-${lang}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${product.url}/homepage/personalContainer?tab=identity`);
    await page.getByRole('button', { name: said['identity.link'], exact: true }).click();
    await confirmIdentity(page, said);
    await page.getByRole('button', { name: PRESSED }).click();
    await page.getByRole('button', { name: said['identity.unlink'], exact: true }).waitFor();
    await page.getByText('boss').waitFor();
    await expectNoProblems(watched, `identity-linked-${lang}`);
    await page.getByRole('button', { name: said['identity.unlink'], exact: true }).click();
    await page.getByRole('button', { name: said['identity.link'], exact: true }).waitFor();
    await watched.close();
  });
});
