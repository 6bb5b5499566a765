// Client versions in the console: a background account adds one, uploads its signed package, publishes it, and a client is offered it.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const BACKGROUND = ['backoffice', 'Visit-2026'] as const;
const SCREEN = '/homepage/backgroundPage';
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await operator.ok('user/add', { username: BACKGROUND[0], password: BACKGROUND[1], userType: 3 });
  watched = await openSignedIn(browser, product, { path: SCREEN, account: BACKGROUND });
  page = watched.page;
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const button = (name: string, on: Page | Locator = page): Locator => on.getByRole('button', { name, exact: true });
const field = (name: string): Locator => page.getByLabel(name, { exact: true });
const client = () => new ApiClient(product.url);

/** Two parts and a bit. */
const whole = randomBytes(17_000_000);
const sha256 = createHash('sha256').update(whole).digest('hex');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
const signature = sign(null, Buffer.from(`sha256:${sha256}`), privateKey).toString('base64');

it('[VE-03] a background account adds a version and is shown what is wrong with its numbers', async () => {
  await page.getByText(words['clientVersions.noneDetail']).waitFor();
  await expectNoProblems(watched, 'versions-empty-dark');
  await button(words['clientVersions.add']).click();
  await field(words['clientVersions.name']).fill('Vedette Desktop');
  await field(words['clientVersions.number']).fill('1.10');
  await page.getByText(words['clientVersions.numberFormat']).waitFor();
  expect(await button(words['common.save']).isDisabled()).toBe(true);
  await field(words['clientVersions.number']).fill('1.10.0.0');
  await field(words['clientVersions.mustUpgrade']).fill('1.2.0.0');
  await field(words['clientVersions.contentEn']).fill('Faster start.');
  await field(words['clientVersions.contentZh']).fill('启动更快。');
  await expectNoProblems(watched, 'versions-form-dark');
  await button(words['common.save']).click();
  await page.getByRole('row', { name: 'Vedette Desktop 1.10.0.0', exact: true }).waitFor();
  expect((await client().ok('version/check', { softVersion: '1.0.0.0' })).externalVersion, 'not published').toBe('');
});

it('[CA-01] a package is uploaded with progress and a success message, and refused with a wrong signature', async () => {
  await page.getByRole('row', { name: 'Vedette Desktop 1.10.0.0', exact: true }).click();
  const file = { name: 'vedette-desktop.deb', mimeType: 'application/octet-stream', buffer: whole };
  await page.locator('input[type=file]').setInputFiles(file);
  await field(words['clientVersions.publicKey']).fill(key);
  await field(words['clientVersions.signature']).fill(`${'A'.repeat(86)}==`);
  await button(words['clientVersions.upload']).click();
  await page.getByText(words['clientVersions.wrongSignature']).waitFor();
  await field(words['clientVersions.signature']).fill(signature);
  await button(words['clientVersions.upload']).click();
  await page.getByText(sha256).waitFor();
  await expectNoProblems(watched, 'versions-package-dark');
});

it('[VE-01] [VE-02] a published version is offered to clients, who download what was uploaded', async () => {
  const closing = page.getByRole('dialog').getByRole('button').first();
  if (await closing.isVisible()) await closing.click();
  await page.getByRole('switch', { name: words['clientVersions.published'], exact: true }).click();
  await button(words['common.save']).click();
  await page.getByText(words['clientVersions.publishedTo'].replace('{percent}', '100')).waitFor();
  const offer = await client().ok('version/check', { softVersion: '1.0.0.0', platform: 'linux' });
  expect(offer).toMatchObject({
    versionName: 'Vedette Desktop',
    externalVersion: '1.10.0.0',
    mustUpgradeVersion: '1.2.0.0',
    mustUpgrade: true,
    contentEn: 'Faster start.',
    contentZh: '启动更快。',
    sha256,
    signature,
    publicKey: key,
  });
  const question = { softVersion: '1.0.0.0', externalVersion: offer.externalVersion };
  const { path } = await client().ok('version/download', question);
  const got = await fetch(product.url + path);
  expect(got.headers.get('content-disposition')).toContain('vedette-desktop.deb');
  expect(Buffer.from(await got.arrayBuffer()).equals(whole)).toBe(true);
});

it('[VE-03] an operator deletes it, in Chinese and in light', async () => {
  const light = await openSignedIn(browser, product, { path: SCREEN, locale: 'zh-CN', colorScheme: 'light' });
  await light.page.getByRole('row', { name: 'Vedette Desktop 1.10.0.0', exact: true }).click();
  await light.page.getByText(chinese['clientVersions.packageKept']).waitFor();
  await expectNoProblems(light, 'versions-published-light-zh');
  await button(chinese['clientVersions.delete'], light.page).click();
  await button(chinese['clientVersions.delete'], light.page.getByRole('dialog')).click();
  await light.page.getByText(chinese['clientVersions.noneDetail']).waitFor();
  expect((await client().ok('version/check', { softVersion: '1.0.0.0' })).externalVersion).toBe('');
});
