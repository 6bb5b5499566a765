// Device transfer in the console: offered by its owner, accepted or refused by the recipient, pushed to both pages.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { saying } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const FRIEND = ['friend', 'Visit-2026'] as const;
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let product: Product;
let browser: Browser;
let site: VirtualSite;
let operator: ApiClient;
let giver: WatchedPage;
let friend: WatchedPage;
let name: string;

beforeAll(async () => {
  [product, browser, site] = await Promise.all([Product.start(), openBrowser(), startVirtualSite(['--cameras', '1'])]);
  operator = await product.setUp(...OPERATOR);
  await addAll(operator, site.devices);
  await operator.ok('user/add', { username: FRIEND[0], password: FRIEND[1], userType: 2 });
  name = (await operator.ok('device/list', {})).deviceList[0]?.deviceName ?? '';
  giver = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  friend = await openSignedIn(browser, product, {
    path: '/homepage/deviceManage',
    account: FRIEND,
    colorScheme: 'light',
  });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

const button = (on: Page | Locator, label: string): Locator => on.getByRole('button', { name: label, exact: true });

async function offer(): Promise<void> {
  const { page } = giver;
  await button(page, words['give.open']).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words['give.account'], { exact: true }).fill(FRIEND[0]);
  await button(dialog, words['give.submit']).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(saying(words['give.offered'].replace('{account}', FRIEND[0]))).waitFor();
}

describe('[DM-01] [SE-34] transferring a device', () => {
  it('is offered, kept until accepted, and withdrawn by its owner', async () => {
    const { page } = giver;
    await page.getByRole('row', { name, exact: true }).click();
    await offer();
    await expectNoProblems(giver, 'device-offered-dark');
    await page.getByRole('row', { name, exact: true }).waitFor();
    await button(page, words['give.withdraw']).click();
    await button(page.getByRole('dialog'), words['give.withdraw']).click();
    await button(page, words['give.open']).waitFor();
  });

  it('waits for the recipient, who refuses it', async () => {
    await offer();
    const { page } = friend;
    // Told at once: the page was open all the time.
    await page
      .getByRole('navigation')
      .getByText(words['share.waiting_one'].replace('{count}', '1'))
      .waitFor({ state: 'attached' });
    await page.goto(`${product.url}/homepage/myShareContainer`);
    await page.getByText(words['give.waiting_one'].replace('{count}', '1')).waitFor();
    await expectNoProblems(friend, 'device-offers-notice-light');
    await button(page, words['share.showOffers']).click();
    await page.getByRole('row', { name: `${name}, ${OPERATOR[0]}` }).click();
    await page.getByText(words['give.lead'].replace('{owner}', OPERATOR[0])).waitFor();
    await expectNoProblems(friend, 'device-offer-received-light');
    await button(page, words['give.refuse']).click();
    await button(page.getByRole('dialog'), words['give.refuse']).click();
    await page.getByText(words['give.empty']).waitFor();
    await expectNoProblems(friend, 'device-offers-empty-light');
    await button(giver.page, words['give.open']).waitFor();
  });

  it('moves to the recipient on acceptance, and disappears from the page of its owner', async () => {
    await offer();
    const { page } = friend;
    await page.getByRole('row', { name: `${name}, ${OPERATOR[0]}` }).click();
    await button(page, words['give.accept']).click();
    await page.getByText(words['give.empty']).waitFor();
    await giver.page.getByRole('row', { name, exact: true }).waitFor({ state: 'detached' });
    await page.goto(`${product.url}/homepage/deviceManage`);
    await page.getByRole('row', { name, exact: true }).waitFor();
    expect([...giver.problems, ...friend.problems]).toEqual([]);
  });

  it('is offered in Chinese too, by keyboard alone', async () => {
    const back = await product.signIn(...FRIEND);
    const { deviceSerial } = (await back.ok('device/list', {})).deviceList[0] ?? { deviceSerial: '' };
    await back.ok('device/transfer', { deviceSerial, account: OPERATOR[0] });
    const path = '/homepage/myShareContainer?tab=devices';
    const watched = await openSignedIn(browser, product, { path, locale: 'zh-CN' });
    const { page } = watched;
    const row = page.getByRole('row', { name: `${name}, ${FRIEND[0]}` });
    await row.focus();
    await page.keyboard.press('Enter');
    const accept = button(page, chinese['give.accept']);
    await accept.waitFor();
    await expectNoProblems(watched, 'device-offer-received-zh-dark');
    await accept.focus();
    await page.keyboard.press('Enter');
    await page.getByText(chinese['give.empty']).waitFor();
    expect((await operator.ok('device/list', {})).deviceList[0]?.deviceSerial).toBe(deviceSerial);
    await page.close();
  });
});
