// Region and brand in System: set by the operator, seen on every page that is loaded afterwards, bad values refused.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerConfig } from '@vedette/contract/entities.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { choose } from './alarm-setup-steps.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const REGION = '/homepage/system?section=region';
const OLD = 'https://old.example.org';
const CENTER = 'https://center.example.org';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  // Codes can be sent: only then a page asks for phone numbers.
  const { config, version } = await operator.ok('system/account/get', {});
  const sms = { url: 'http://127.0.0.1:9/sms' };
  await operator.ok('system/account/set', { config: { ...config, sms }, version });
  watched = await openSignedIn(browser, product, { path: REGION });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const field = (key: 'environment.phoneCode' | 'environment.oldWebsite' | 'environment.centerServer') =>
  page.getByLabel(words[key], { exact: true });
const save = async () => await page.getByRole('button', { name: words['system.save'] }).click();

async function told(): Promise<ServerConfig> {
  return (await (await fetch(`${product.url}/serverConfig.json`)).json()) as ServerConfig;
}

it('[EN-08] refuses bad values at their fields, and the usual ones go on', async () => {
  const usual = await told();
  for (const [key, bad] of [
    ['environment.phoneCode', '+86'],
    ['environment.oldWebsite', 'javascript:alert(1)'],
    ['environment.centerServer', 'center'],
  ] as const) {
    await field(key).fill(bad);
    await save();
    await page.getByRole('alert').getByText(words['accounts.bad']).first().waitFor();
    await expect.poll(() => field(key).getAttribute('aria-invalid'), { message: key }).toBe('true');
    if (key === 'environment.centerServer') await expectNoProblems(watched, 'region-bad');
    await field(key).fill('');
  }
  expect(await told()).toEqual(usual);
  await page.getByText(words['system.unsaved']).waitFor({ state: 'detached' });
});

it('[EN-08] [LM-03] [LM-04] is set, and seen in dates, documents, links and phone fields of other pages', async () => {
  const before = await told();
  await choose(page, words['environment.region'], words['environment.china']);
  await page.getByRole('switch', { name: words['environment.noBrand'] }).click();
  await field('environment.phoneCode').fill('86');
  await field('environment.oldWebsite').fill(OLD);
  await field('environment.centerServer').fill(CENTER);
  await expectNoProblems(watched, 'region');
  await save();
  await page.getByRole('status').getByText(words['accounts.saved']).waitFor();
  const environment = { isOverseasFlag: false, isNoBrandFlag: true, oldWebsite: OLD, centerServer: CENTER };
  expect(await told()).toEqual({ ...before, ...environment });

  const other = await openSignedIn(browser, product, { path: '/homepage/system?section=certificate' });
  await other.page
    .getByText(/^\d{4}-\d{2}-\d{2}$/)
    .first()
    .waitFor();
  await other.page.goto(`${product.url}/homepage/personalContainer?tab=documents`);
  const document = (key: 'personal.privacyDoc' | 'personal.agreementDoc' | 'personal.oldWebsite') =>
    other.page.getByRole('link', { name: words[key] });
  expect(await document('personal.oldWebsite').getAttribute('href')).toBe(OLD);
  for (const key of ['personal.privacyDoc', 'personal.agreementDoc'] as const) {
    await expect.poll(() => document(key).getAttribute('href'), { message: key }).toMatch(/\/en\/plain$/);
    const text = await (await fetch(new URL((await document(key).getAttribute('href')) ?? '', product.url))).text();
    expect(text, key).not.toContain('Vedette');
  }
  const opened = other.context.waitForEvent('page');
  await other.page.getByRole('link', { name: words['personal.manualDoc'], exact: true }).click();
  const manual = await opened;
  await manual.waitForURL(`${product.url}/help`);
  await manual.getByRole('heading', { level: 1, name: words['manual.title'] }).waitFor();
  await other.close();

  const stranger = await openPage(browser);
  await stranger.page.goto(`${product.url}/retrievePwd`);
  await stranger.page.getByText(words['account.phoneCode'].replace('{code}', '86')).waitFor();
  await stranger.close();
});

it('[EN-08] [LM-03] goes back to the former values, and dates begin with the month again', async () => {
  await page.reload();
  await choose(page, words['environment.region'], words['environment.overseas']);
  await page.getByRole('switch', { name: words['environment.noBrand'] }).click();
  await field('environment.oldWebsite').fill('');
  await save();
  await page.getByRole('status').getByText(words['accounts.saved']).waitFor();
  expect(await told()).toMatchObject({ isOverseasFlag: true, isNoBrandFlag: false, oldWebsite: '' });
  const { config } = await operator.ok('system/account/get', {});
  expect(config.environment).toMatchObject({ phoneCode: '86', centerServer: CENTER });
  await page.goto(`${product.url}/homepage/system?section=certificate`);
  await page
    .getByText(/^\d{2}\/\d{2}\/\d{4}$/)
    .first()
    .waitFor();
});
