// The table of devices with what sites measure and snapshots show, in columns that are chosen.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { type GstreamerPeer, startGstreamer } from '../harness/gstreamer.ts';
import { Product } from '../harness/product.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let camera: GstreamerPeer;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser, camera] = await Promise.all([Product.start(), openBrowser(), startGstreamer()]);
  operator = await product.setUp(...OPERATOR);
  await operator.ok('device/add', { target: camera.url('/h264'), deviceName: 'Yard gate' });
  watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), camera?.stop()]);
});

const row = (name: string): Locator => page.getByRole('row', { name, exact: true });

it('shows what its site measures, and a snapshot, in columns that are chosen', async () => {
  await row('Yard gate').waitFor();
  await page.getByRole('button', { name: words['devices.columns'] }).click();
  const choice = (name: 'onlineSince' | 'kbps' | 'lastRecording' | 'thumbnail' | 'address' | 'organization') =>
    page.getByRole('dialog').getByLabel(words[`devices.${name}`], { exact: true });
  for (const name of ['address', 'organization'] as const) await choice(name).uncheck();
  for (const name of ['onlineSince', 'kbps', 'lastRecording', 'thumbnail'] as const) await choice(name).check();
  await expectNoProblems(watched, 'devices-columns');
  await page.keyboard.press('Escape');
  const gate = row('Yard gate');
  await gate.getByText(/^[\d.]+ [kM]bit\/s$/).waitFor({ timeout: 30_000 });
  await expect
    .poll(() => gate.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 30_000 })
    .toBeGreaterThan(0);
  await page.getByRole('columnheader').getByRole('button', { name: words['devices.onlineSince'] }).click();
  await expect.poll(() => page.locator('th[aria-sort]').textContent()).toContain(words['devices.onlineSince']);
  // Rows of before are pale until those in the new order have come.
  await expect.poll(() => page.locator('[data-stale]').count()).toBe(0);
  await expectNoProblems(watched, 'devices-measured');
  const { deviceSerial } = (await operator.ok('device/list', {})).deviceList[0] ?? { deviceSerial: '' };
  const measured = async () =>
    (await operator.ok('device/measure/list', { deviceSerialList: [deviceSerial] })).measureList[0];
  await expect.poll(async () => (await measured())?.lastRecordingAt ?? 0, { timeout: 40_000 }).toBeGreaterThan(0);
  expect(watched.problems).toEqual([]);
});
