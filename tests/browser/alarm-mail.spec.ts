// Alarm mail from the form to the mailbox: confirmation, answers without an account, test, unsubscribe; every state, in both languages.
import pg from 'pg';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIL_CONSENT } from '@vedette/contract/limits.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type PageOptions, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { LANGUAGES, type Words } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const [{ words }] = LANGUAGES;
const CHANNELS = '/homepage/alarmMsg?view=channels';

let product: Product;
let browser: Browser;
let sink: SmtpSink;
let operator: ApiClient;

beforeAll(async () => {
  [product, browser, sink] = await Promise.all([Product.start(), openBrowser(), SmtpSink.start()]);
  operator = await product.setUp(...OPERATOR);
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', {
    config: { ...config, mail: sink.settings, consoleUrl: product.url },
    version,
  });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await sink?.stop();
});

async function runSql(text: string): Promise<void> {
  const client = new pg.Client({ host: `${product.data}/run`, user: 'vedette', database: 'vedette' });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Names that no earlier try of the same test left behind. */
function fresh(name: string) {
  const word = `${name}${Date.now() % 1_000_000}`;
  return { name: word, address: `${word.toLowerCase()}@example.org` };
}

async function saveChannel(name: string, to: string): Promise<string> {
  const wish = { kind: 'email', name, isEnabled: true, settings: { to } } as const;
  return (await operator.ok('alarm/channel/save', wish)).channel.channelId;
}

const rowOf = (page: Page, name: string): Locator => page.locator(`[data-channel="${name}"]`);
const link = async (address: string) => `${product.url}/alarmMail#mail=${await sink.consentToken(address)}`;

async function openLink(url: string, options: PageOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, options);
  await watched.page.goto(url);
  return watched;
}

const say = (page: Page, words: Words, name: 'confirm' | 'refuse' | 'stop') =>
  page.getByRole('button', { name: words[`mailConsent.${name}`], exact: true }).click();

describe.each(LANGUAGES)('an e-mail address in $lang', ({ locale, lang, words: said }) => {
  it('[SE-100] gets a confirmation mail, agrees on a page without an account, and then receives the test', async () => {
    const colorScheme = lang === 'en' ? 'dark' : 'light';
    await operator.ok('account/update', { language: lang === 'en' ? 1 : 0 });
    const { name, address } = fresh('Guard');
    const watched = await openSignedIn(browser, product, { path: CHANNELS, locale, colorScheme });
    const { page } = watched;
    await page.getByRole('button', { name: said['alarmChannels.add'] }).first().click();
    const form = page.getByRole('complementary', { name: said['alarmChannels.new'] });
    await form.getByRole('combobox', { name: said['alarmChannels.kind'] }).click();
    await page.getByRole('option', { name: said.channelKind_email, exact: true }).click();
    await form.getByLabel(said['alarmRules.name'], { exact: true }).fill(name);
    await form.getByLabel(said.channelField_to, { exact: true }).fill(address);
    await expectNoProblems(watched, `mail-channel-form-${lang}`);
    await form.getByRole('button', { name: said['alarmRules.save'] }).click();
    await rowOf(page, name).locator('[data-consent="waiting"]').waitFor();
    const off = rowOf(page, name).getByRole('button', { name: said['mailConsent.testOff'].replace('{name}', name) });
    await off.hover();
    await page.getByRole('tooltip').waitFor();
    await expectNoProblems(watched, `mail-channel-waiting-${lang}`);
    expect(await off.getAttribute('aria-disabled')).toBe('true');

    // A scanner of mails opens the link before anybody reads it: nothing is agreed to by that.
    const url = await link(address);
    expect((await fetch(url.replace('#', '?'))).status).toBe(200);
    const theirs = await openLink(url, { locale, colorScheme });
    const their = theirs.page;
    await their.getByText(said['mailConsent.what'], { exact: true }).waitFor();
    await expectNoProblems(theirs, `mail-consent-${lang}`);
    expect(their.url(), 'the word is gone from the address').toBe(`${product.url}/alarmMail`);
    expect((await operator.ok('alarm/channel/list', {})).channelList.find((one) => one.name === name)).toMatchObject({
      addressList: [{ address, state: 'waiting' }],
    });
    await say(their, said, 'confirm');
    await their.getByRole('heading', { name: said['mailConsent.confirmedTitle'] }).waitFor();
    await expectNoProblems(theirs, `mail-consent-confirmed-${lang}`);
    await theirs.close();

    const before = sink.mails.length;
    await page.reload();
    await rowOf(page, name)
      .getByRole('button', { name: said['alarmRules.testOf'].replace('{name}', name) })
      .click();
    const dialog = page.getByRole('dialog', { name: said['alarmRules.tested'].replace('{name}', name) });
    await dialog.getByText(said['alarmRules.testDone']).waitFor();
    const { text } = await sink.mail(address, before);
    await dialog.getByRole('button', { name: said['common.close'] }).click();
    await rowOf(page, name)
      .getByRole('button', { name: said['alarmRules.editOf'].replace('{name}', name) })
      .click();
    await page.locator('[data-consent="confirmed"]').waitFor();
    await expectNoProblems(watched, `mail-channel-confirmed-${lang}`);

    const stop = /http\S+\/alarmMail#mail=[\w-]+/.exec(text)?.[0] ?? '';
    const stopping = await openLink(stop, { locale, colorScheme });
    await stopping.page.getByRole('heading', { name: said['mailConsent.stopTitle'] }).waitFor();
    await expectNoProblems(stopping, `mail-consent-stop-${lang}`);
    await say(stopping.page, said, 'stop');
    await stopping.page.getByRole('heading', { name: said['mailConsent.refusedTitle'] }).waitFor();
    await stopping.close();
    await page.reload();
    await rowOf(page, name).locator('[data-consent="refused"]').waitFor();
    await watched.close();
    await operator.ok('account/update', { language: 1 });
  }, 120_000);
});

it('the operator sets the base address of links in mails, without a path', async () => {
  const watched = await openSignedIn(browser, product, { path: '/homepage/system?section=mail' });
  const { page } = watched;
  const field = page.getByLabel(words['accounts.consoleUrl'], { exact: true });
  await field.fill('https://cameras.example.org/console');
  await page.getByRole('button', { name: words['system.save'], exact: true }).click();
  await page.getByText(words['accounts.bad']).first().waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await field.scrollIntoViewIfNeeded();
  await expectNoProblems(watched, 'mail-console-url');
  await watched.close();
});

it('a refusal can be undone on its page, and an expired link shows only that', async () => {
  const { name, address } = fresh('Never');
  await saveChannel(name, address);
  const url = await link(address);
  const theirs = await openLink(url, { colorScheme: 'light' });
  await say(theirs.page, words, 'refuse');
  await theirs.page.getByRole('heading', { name: words['mailConsent.refusedTitle'] }).waitFor();
  await expectNoProblems(theirs, 'mail-consent-refused');
  const back = words['mailConsent.changeMind'].replace('{name}', OPERATOR[0]);
  await theirs.page.getByRole('button', { name: back }).click();
  await theirs.page.getByRole('heading', { name: words['mailConsent.confirmedTitle'] }).waitFor();
  await theirs.close();
  for (const over of [url.replace(/=.*$/, '=MISSING0'), `${product.url}/alarmMail`]) {
    const gone = await openLink(over);
    await gone.page.getByRole('heading', { name: words['mailConsent.goneTitle'] }).waitFor();
    if (over.includes('#')) await expectNoProblems(gone, 'mail-consent-gone');
    await gone.close();
  }
});

it('an address that did not answer can be asked again from the list, on a phone too', async () => {
  const { name, address } = fresh('Late');
  const second = `also-${address}`;
  await saveChannel(name, `${address}, ${second}`);
  await sink.consentToken(second);
  await runSql(`update mail_consent set asked_at = asked_at - ${MAIL_CONSENT.lifeMs}, expires_at = 1 where address = '${address}';
    delete from mail_consent where address = '${second}'; delete from mail_address; delete from send_budget`);
  const watched = await openSignedIn(browser, product, { path: CHANNELS });
  const { page } = watched;
  const seen = sink.mails.length;
  await rowOf(page, name).locator('[data-consent="ended"]').waitFor();
  await rowOf(page, name).locator('[data-consent="unasked"]').waitFor();
  await expectNoProblems(watched, 'mail-channel-ended');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoProblems(watched, 'mail-channel-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  for (const [one, label] of [
    [address, words['mailConsent.askAgain']],
    [second, words['mailConsent.ask']],
  ] as const) {
    await page.getByRole('button', { name: `${label} ${one}`, exact: true }).click();
    await rowOf(page, name).locator(`[data-address="${one}"][data-consent="waiting"]`).waitFor();
    await sink.consentToken(one, seen);
  }
  await watched.close();
});

it('after an upgrade every page says that recipients must agree, and links to the channels', async () => {
  const { userId } = await operator.ok('account/info', {});
  await runSql(`insert into account_notice (notice_id, account_id, kind, by_name, at)
    values ('upgraded${Date.now()}', '${userId}', 'mailUnconfirmed', '', ${Date.now()})`);
  const watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
  const { page } = watched;
  const notice = page.getByRole('alert', { name: words['notice.title'] });
  await notice.getByText(words['notice.mailUnconfirmed']).waitFor();
  await expectNoProblems(watched, 'mail-consent-upgraded');
  await notice.getByRole('button', { name: words['notice.toChannels'] }).click();
  await page.locator('[data-channel]').first().waitFor();
  await notice.getByRole('button', { name: words['notice.seen'] }).click();
  await notice.waitFor({ state: 'detached' });
  await watched.close();
});
