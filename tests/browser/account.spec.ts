// Accounts in the browser: registration with a mailed code, password reset, 2FA and trusted browsers, account screen, invitations.
import { accentTones } from '@vedette/rules/theme.ts';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { waitFor } from '../harness/wait-for.ts';
import { askForCode, LANGUAGES, newPassword, openedHere, signIn, signOut, type Words } from './console-steps.ts';
import { expectNoProblems, openBySignIn, openSignedIn, OPERATOR } from './signed-in.ts';

const [{ words }, { words: chinese }] = LANGUAGES;
const MAIL = 'ann@example.org';
const FIRST = 'Garden-2026';
const SECOND = 'Meadow-2026';

let product: Product;
let browser: Browser;
let sink: SmtpSink;
let operator: ApiClient;

beforeAll(async () => {
  [product, browser, sink] = await Promise.all([Product.start(), openBrowser(), SmtpSink.start()]);
  operator = await product.setUp(...OPERATOR);
  await configure({ mail: sink.settings });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await sink?.stop();
});

async function configure(change: object): Promise<void> {
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, ...change }, version });
}

/** A code comes once a minute; here the minute has passed. */
const passMinute = (): Promise<void> => forget('attempt');

async function forget(table: 'attempt' | 'second_factor'): Promise<void> {
  const client = new pg.Client({ host: `${product.data}/run`, user: 'vedette', database: 'vedette' });
  await client.connect();
  await client.query(`delete from ${table}`);
  await client.end();
}

describe('a new user', () => {
  it('[RT-04] registers with a code sent by mail', async () => {
    const watched = await openPage(browser);
    const { page } = watched;
    await page.goto(`${product.url}/login`);
    await page.getByRole('link', { name: words['register.link'] }).click();
    await page.waitForURL(/\/register$/);
    await askForCode(page, words, MAIL);
    await page.getByLabel(words['account.code'], { exact: true }).fill(await sink.code(MAIL));
    await page.getByLabel(words['setup.username'], { exact: true }).fill('ann');
    await newPassword(page, words, words['setup.password'], FIRST);
    await page.getByRole('button', { name: words['register.submit'] }).click();
    await page.getByRole('alert').getByText(words['register.agreeFirst']).waitFor();
    await expectNoProblems(watched, 'register-step');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: words['register.submit'] }).click();
    await page.waitForURL(/\/homepage\/liveVideo$/);
    await signOut(page, words);
    await watched.close();
  });

  it('[RT-04] resets the password by mail, in Chinese, and signs in with it', async () => {
    await passMinute();
    const seen = sink.mails.length;
    const watched = await openPage(browser, { locale: 'zh-CN', colorScheme: 'light' });
    const { page } = watched;
    await page.goto(`${product.url}/login`);
    const link = page.getByRole('link', { name: chinese['retrieve.link'] });
    await link.waitFor();
    await expectNoProblems(watched, 'login-with-ways');
    await link.click();
    await askForCode(page, chinese, MAIL);
    await page.getByLabel(chinese['account.code'], { exact: true }).fill(await sink.code(MAIL, seen));
    await newPassword(page, chinese, chinese['personal.newPassword'], SECOND);
    await expectNoProblems(watched, 'retrieve-step');
    await page.getByRole('button', { name: chinese['retrieve.submit'] }).click();
    await page.getByText(chinese['retrieve.done']).waitFor();
    await signIn(page, chinese, MAIL, SECOND);
    await watched.close();
  });
});

describe('two-factor authentication', () => {
  it('[PM-07] is enabled with an authenticator, required at sign-in, and skipped by a trusted browser until it is removed', async () => {
    // Of an earlier try.
    await forget('second_factor');
    const watched = await openSignedIn(browser, product, {
      path: '/homepage/personalContainer?tab=factor',
      account: ['ann', SECOND],
    });
    const { page } = watched;
    const { secret, recoveryCodes } = await enableFactor(watched);
    await signOut(page, words);

    await page.getByLabel(words['login.account'], { exact: true }).fill('ann');
    await page.getByLabel(words['login.password'], { exact: true }).fill(SECOND);
    await page.getByRole('button', { name: words['login.submit'], exact: true }).click();
    const code = page.getByLabel(words['factor.code'], { exact: true });
    await code.fill('000000');
    await page.getByRole('checkbox', { name: words['factor.trust'] }).check();
    await page.getByRole('button', { name: words['factor.submit'] }).click();
    await page.getByRole('alert').getByText(words['factor.wrong']).waitFor();
    await expectNoProblems(watched, 'login-factor');
    // The next step of the clock is taken early: the one before was used up by switching it on.
    await code.fill(await codeOf(secret, 30_000));
    await page.getByRole('button', { name: words['factor.submit'] }).click();
    await page.waitForURL(/\/homepage\//);
    await signOut(page, words);
    await signIn(page, words, 'ann', SECOND);

    await page.goto(`${product.url}/homepage/personalContainer?tab=browsers`);
    await page.getByText(words['personal.thisBrowser']).waitFor();
    await expectNoProblems(watched, 'personal-browsers');
    await page.getByRole('button', { name: words['personal.distrust'] }).click();
    await page.getByRole('dialog', { name: words['stepUp.title'] }).waitFor();
    await expectNoProblems(watched, 'step-up');
    await proveBy(page, words, SECOND, recoveryCodes[0]);
    await page.getByText(words['personal.noBrowsers']).waitFor();
    await signOut(page, words);
    await page.getByLabel(words['login.account'], { exact: true }).fill('ann');
    await page.getByLabel(words['login.password'], { exact: true }).fill(SECOND);
    await page.getByRole('button', { name: words['login.submit'], exact: true }).click();
    await page.getByLabel(words['factor.code'], { exact: true }).waitFor();
    await watched.close();
  });
});

async function enableFactor(watched: WatchedPage): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const { page } = watched;
  await page.getByRole('button', { name: words['personal.useTotp'] }).click();
  const dialog = page.getByRole('dialog', { name: words['stepUp.title'] });
  await dialog.waitFor();
  await proveBy(page, words, 'Wrong-2026');
  await dialog.getByText(words['personal.passwordWrong']).waitFor();
  await proveBy(page, words, SECOND);
  await page.getByRole('img', { name: words['personal.scanLabel'] }).waitFor();
  await expectNoProblems(watched, 'personal-factor');
  const secret = ((await page.locator('form code').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel(words['factor.code'], { exact: true }).fill(await codeOf(secret));
  await page.getByRole('button', { name: words['personal.enable'] }).click();
  const codes = page.getByRole('dialog').getByRole('listitem');
  await codes.first().waitFor();
  const recoveryCodes = await codes.allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  await page.getByRole('button', { name: words['personal.recoveryDone'] }).click();
  await page.getByText(words['personal.factorTotp']).waitFor();
  return { secret, recoveryCodes };
}

/** By keys alone: the password has the focus, and Enter sends. */
async function proveBy(page: Page, said: Words, password: string, code?: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: said['stepUp.title'] });
  await dialog.getByLabel(said['personal.yourPassword'], { exact: true }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name') ?? '')).toBe('password');
  await page.keyboard.type(password);
  if (code !== undefined) await dialog.getByLabel(said['factor.code'], { exact: true }).fill(code);
  await page.keyboard.press('Enter');
}

/** Never at the end of a step: the server would see it in the next. */
async function codeOf(secret: string, offMs = 0): Promise<string> {
  await waitFor('a step that lasts', () => Date.now() % 30_000 < 26_000, 6000);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offMs });
}

describe('the account screen', () => {
  it.each(LANGUAGES)('[RT-06] shows all sections in $lang, by keyboard alone', async ({
    locale,
    lang,
    words: said,
  }) => {
    const watched = await openSignedIn(browser, product, {
      path: '/homepage/personalContainer',
      locale,
      colorScheme: lang === 'en' ? 'dark' : 'light',
    });
    const { page } = watched;
    await page.getByRole('tab', { name: said['personal.profile'] }).focus();
    for (const [part, title] of [
      ['profile', 'personal.profile'],
      ['password', 'personal.password'],
      ['factor', 'personal.factor'],
      ['identity', 'identity.ownTitle'],
      ['browsers', 'personal.browsers'],
      ['sessions', 'personal.sessions'],
      ['authorized', 'personal.authorized'],
      ['apps', 'personal.apps'],
      ['appearance', 'personal.appearance'],
      ['documents', 'personal.documents'],
      ['erase', 'personal.erase'],
    ] as const) {
      await page.getByRole('tab', { name: said[title], selected: true }).waitFor();
      await page.getByRole('heading', { level: 2, name: said[title] }).waitFor();
      await page.getByRole('status', { name: said['common.loading'] }).waitFor({ state: 'detached' });
      await expectNoProblems(watched, `personal-${part}-${lang}`);
      await page.keyboard.press('ArrowDown');
    }
    await page.getByRole('tab', { name: said['personal.profile'], selected: true }).waitFor();
    await watched.close();
  });

  it('[WG-03] [VA-09] [CA-06] applies a colour at once, stores it with the account, and loads it in another browser', async () => {
    const watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
    const { page } = watched;
    const accent = (on: Page) =>
      on.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'));
    const before = await accent(page);
    await page.getByRole('navigation').getByRole('button', { name: words['shell.account'] }).click();
    await page.getByRole('menuitem', { name: words['theme.open'] }).click();
    const dialog = page.getByRole('dialog', { name: words['theme.title'] });
    await dialog.waitFor();
    expect((await dialog.boundingBox())?.width).toBe(622);
    const [sheet] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith('.css')),
      dialog.getByRole('button', { name: words['theme.teal'] }).click(),
    ]);
    expect(sheet.method()).toBe('GET');
    await expect.poll(() => accent(page)).not.toBe(before);
    await expectNoProblems(watched, 'theme-dialog');
    const custom = dialog.getByLabel(words['theme.custom'], { exact: true });
    await custom.fill('no colour');
    await dialog.getByText(words['theme.customBad']).waitFor();
    await custom.fill('hsl(32, 100%, 50%)');
    await waitFor('the own colour', async () => (await accent(page)) === '#ff8800');
    await waitFor('the account to keep it', async () =>
      (await operator.ok('account/info', {})).theme?.endsWith('#ff8800'),
    );
    await page.reload();
    await expect.poll(() => accent(page)).toBe('#ff8800');
    await watched.close();

    const other = await openBySignIn(browser, product, { path: '/homepage/liveVideo', colorScheme: 'light' });
    await expect.poll(() => accent(other.page)).toBe(accentTones('#ff8800', 'light')['--accent']);
    await operator.ok('account/update', { theme: 'light', language: 0 });
    await signOut(other.page, words);
    await signIn(other.page, words, ...OPERATOR);
    await waitFor('Chinese', async () => (await other.page.locator('html').getAttribute('lang')) === 'zh-CN');
    await expect.poll(() => other.page.locator('html').getAttribute('data-theme')).toBe('light');
    await operator.ok('account/update', { theme: 'system', language: 1 });
    await other.close();
  });

  it('[RT-15] [UI-04] shows maintenance once per session, and asks for consent to a newer privacy policy', async () => {
    const endTime = Date.now() + 3_600_000;
    await configure({
      maintenance: { text: 'New disks tonight', startTime: Date.now(), endTime },
      privacyUpdateTime: Date.now() - 1000,
    });
    const watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage', colorScheme: 'light' });
    const { page } = watched;
    await page.getByRole('dialog', { name: words['consent.title'] }).waitFor();
    await page.getByText('New disks tonight').waitFor();
    await expectNoProblems(watched, 'consent-and-maintenance');
    await page.getByRole('button', { name: words['consent.agree'] }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: words['maintenance.close'] }).click();
    await page.reload();
    await page.getByRole('heading', { name: words['screen.devices'] }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('New disks tonight').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await configure({ maintenance: null, privacyUpdateTime: 0 });
    await watched.close();
  });
});

describe('an account reset by another account', () => {
  it.each(
    LANGUAGES,
  )('names who reset it until confirmed, and opens its video by a recovery code, in $lang', async (said) => {
    const { locale, lang, words: spoken } = said;
    const username = `reset_${lang.slice(0, 2)}_${Date.now() % 100_000}`;
    const { userId } = await operator.ok('user/add', { username, password: FIRST, userType: 2 });
    const own = await product.signIn(username, FIRST);
    await own.ok('account/stepUp', { password: FIRST });
    const { secret } = await own.ok('account/twofactor/begin', {});
    const { recoveryCodes } = await own.ok('account/twofactor/enable', { code: await codeOf(secret, -30_000) });

    await operator.ok('account/update', { language: lang === 'en' ? 1 : 0 });
    const watched = await openSignedIn(browser, product, { path: '/homepage/permissionConfig', locale });
    const { page } = watched;
    await page.locator('#content').getByText(spoken['perm.accounts'], { exact: true }).first().click();
    await page.getByText(username, { exact: true }).first().click();
    await page.getByRole('button', { name: spoken['perm.resetPassword'] }).click();
    await page.getByRole('dialog').getByRole('button', { name: spoken['perm.resetPassword'] }).click();
    await page.getByRole('dialog', { name: spoken['stepUp.title'] }).waitFor();
    await proveBy(page, spoken, OPERATOR[1]);
    const link = openedHere(product, await page.getByLabel(spoken['perm.resetLink'], { exact: true }).inputValue());
    await expectNoProblems(watched, `reset-link-${lang}`);
    await watched.close();

    const theirs = await openPage(browser, { locale });
    const their = theirs.page;
    await their.goto(link);
    expect(their.url()).toBe(`${product.url}/resetPwd`);
    await newPassword(their, spoken, spoken['personal.newPassword'], SECOND);
    await expectNoProblems(theirs, `reset-pwd-${lang}`);
    await their.getByRole('button', { name: spoken['retrieve.submit'] }).click();
    await their.getByText(spoken['retrieve.done']).waitFor();
    await their.getByLabel(spoken['login.account'], { exact: true }).fill(username);
    await their.getByLabel(spoken['login.password'], { exact: true }).fill(SECOND);
    await their.getByRole('button', { name: spoken['login.submit'], exact: true }).click();
    await their.getByLabel(spoken['factor.code'], { exact: true }).fill(await codeOf(secret));
    await their.getByRole('button', { name: spoken['factor.submit'] }).click();
    const notice = their.getByRole('alert', { name: spoken['notice.title'] });
    await notice.getByText(OPERATOR[0]).waitFor();
    await expectNoProblems(theirs, `account-notice-${lang}`);
    await notice.getByRole('button', { name: spoken['notice.openVideo'] }).click();
    await their.getByLabel(spoken['notice.recoveryCode'], { exact: true }).fill(recoveryCodes[0] ?? '');
    await their.keyboard.press('Enter');
    await notice.getByRole('button', { name: spoken['notice.seen'] }).click();
    await notice.waitFor({ state: 'detached' });
    await their.reload();
    await their.waitForLoadState('networkidle');
    expect(await notice.count()).toBe(0);
    await theirs.close();
    await operator.ok('account/update', { language: 1 });
    await operator.ok('user/delete', { userId });
  });
});

describe('an invitation', () => {
  it('is created under System, opened from its link, and gone afterwards', async () => {
    const watched = await openSignedIn(browser, product, { path: '/homepage/system?section=accounts' });
    const { page } = watched;
    await page.getByRole('button', { name: words['invitation.new'] }).click();
    await page.getByRole('button', { name: words['invitation.create'] }).click();
    const link = openedHere(product, await page.getByLabel(words['invitation.link'], { exact: true }).inputValue());
    await expectNoProblems(watched, 'invitation-link');
    await page.getByRole('button', { name: words['theme.done'] }).click();
    await page.getByRole('region', { name: words['accounts.notices'] }).scrollIntoViewIfNeeded();
    await expectNoProblems(watched, 'system-accounts');
    await watched.close();

    const guest = await openPage(browser, { colorScheme: 'light' });
    await guest.page.goto(link);
    await guest.page.getByText(OPERATOR[0]).first().waitFor();
    expect(guest.page.url()).toBe(`${product.url}/invitation`);
    await expectNoProblems(guest, 'invitation');
    await guest.page.getByLabel(words['setup.username'], { exact: true }).fill('guest');
    await newPassword(guest.page, words, words['setup.password'], FIRST);
    await guest.page.getByRole('button', { name: words['invitation.submit'] }).click();
    await guest.page.waitForURL(/\/homepage\/liveVideo$/);
    await signOut(guest.page, words);
    await guest.page.goto(link);
    await guest.page.getByText(words['invitation.gone']).waitFor();
    await guest.close();
  });
});
