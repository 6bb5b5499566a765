// Trials in the console: an account asks for more devices, the operator decides, and the account sees what runs and until when.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { cutOff } from './magnified-page.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const SECTION = '/homepage/resourceManage?section=trial';
const OWNER = ['owner', 'Watch-2027'] as const;
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let product: Product;
let browser: Browser;
let operator: ApiClient;
let owner: WatchedPage;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await operator.ok('user/add', { username: OWNER[0], password: OWNER[1], userType: 2 });
  owner = await openSignedIn(browser, product, { path: SECTION, account: OWNER });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

it('[RS-04] is applied for by keyboard and pointer, and waits', async () => {
  const { page } = owner;
  await page.getByText(words['trial.none']).waitFor();
  await page.getByRole('button', { name: words['trial.apply'] }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: words['trial.send'] });
  expect(await send.isDisabled(), 'nothing is asked for').toBe(true);
  await dialog.getByLabel(words['quotas.of.devices'], { exact: true }).fill('20');
  await dialog.getByLabel(words['trial.note'], { exact: true }).fill('A second site');
  await expectNoProblems(owner, 'trial-apply-dark');
  await page.keyboard.press('Enter');
  await page.getByText(words['trial.state.applied']).waitFor();
  await page.getByText('A second site').waitFor();
  expect(await page.getByRole('button', { name: words['trial.apply'] }).isDisabled()).toBe(true);
});

it('[RS-04] is granted by the operator, and shown with use and end', async () => {
  const decider = await openSignedIn(browser, product, { path: SECTION, locale: 'zh-CN', colorScheme: 'light' });
  await decider.page.getByRole('button', { name: chinese['trial.decide'] }).click();
  const dialog = decider.page.getByRole('dialog');
  await dialog.getByLabel(chinese['trial.days'], { exact: true }).fill('14');
  await expectNoProblems(decider, 'trial-decide-light-zh');
  await dialog.getByRole('button', { name: chinese['trial.grant'] }).click();
  await decider.page.getByText(chinese['trial.state.running']).waitFor();
  expect(decider.problems).toEqual([]);
  await decider.close();
  const { page } = owner;
  await page.reload();
  await page.getByText(words['trial.state.running']).waitFor();
  await page.getByText(words['trial.used'].replace('{used}', '0').replace('{total}', '520')).waitFor();
  await expectNoProblems(owner, 'trial-running-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await cutOff(page, 'main')).toEqual([]);
  await expectNoProblems(owner, 'trial-phone');
  expect(owner.problems).toEqual([]);
});
