// Our own origin for CDNs over a running product: the operator adds it, starts a camera, and a page of a stranger plays it in low latency.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { lowLatencyState, playLowLatency } from './low-latency-page.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const SCREEN = '/homepage/resourceManage?section=cdn-live';
const words = wordsOf('en-US');

let product: Product;
let virtual: VirtualSite;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;

const button = (name: string, on: Page | Locator = page): Locator => on.getByRole('button', { name, exact: true });
const row = (name: string): Locator => page.getByRole('list', { name }).getByRole('listitem');

beforeAll(async () => {
  [product, virtual, browser] = await Promise.all([
    Product.start(),
    startVirtualSite(['--cameras', '1']),
    openBrowser(),
  ]);
  operator = await product.setUp(...OPERATOR);
  await addAll(operator, virtual.devices);
  watched = await openSignedIn(browser, product, { path: SCREEN });
  page = watched.page;
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), virtual?.stop()]);
});

it('[RS-02] the origin is added, a camera is started there, and its addresses are shown', async () => {
  await button(words['cdn.addProvider']).click();
  await page.getByLabel(words['cdn.name'], { exact: true }).fill('Our viewers');
  await page.getByRole('combobox', { name: words['cdn.kind'] }).click();
  await page.getByRole('option', { name: words['cdn.kind.origin'] }).click();
  await expectNoProblems(watched, 'cdn-origin-form-dark');
  await button(words['common.save']).click();
  await row(words['cdn.providers']).filter({ hasText: words['cdn.kind.origin'] }).waitFor();
  await button(words['cdn.startLive']).click();
  await page.getByRole('combobox', { name: words['cdn.camera'] }).click();
  await page.getByRole('option').first().click();
  await button(words['cdn.start']).click();
  await row(words['cdn.lives']).and(page.locator('[data-state=live]')).waitFor({ timeout: 60_000 });
  await row(words['cdn.lives']).getByRole('button').click();
  await page.getByRole('menuitem', { name: words['cdn.addresses'] }).click();
  const address = page.getByLabel(words['cdn.hlsAddress'], { exact: true });
  expect(await address.inputValue()).toMatch(/\/media\/cdn\/[\w-]{36}\/\w+-0\/live\.m3u8$/);
  await expectNoProblems(watched, 'cdn-origin-addresses-dark');
  await button(words['common.close'], page.getByRole('dialog')).first().click();
}, 180_000);

it('[LV-07] hls.js plays it in low-latency mode, and stops within seconds when it is stopped', async () => {
  const [live] = (await operator.ok('cdn/video/list', {})).liveList;
  const stranger = await (await browser.newContext()).newPage();
  await playLowLatency(stranger, live?.hlsUrl ?? '');
  await waitFor('some seconds of video', async () => (await lowLatencyState(stranger)).width > 0, 60_000);
  const { currentTime } = await lowLatencyState(stranger);
  const played = await waitFor('it to go on', async () => {
    const state = await lowLatencyState(stranger);
    return state.currentTime > currentTime + 5 && state;
  });
  expect(played.errors).toEqual([]);
  expect(played.latency).toBeLessThan(5);
  await operator.ok('cdn/live/stop', { liveId: live?.liveId ?? '' });
  expect((await fetch(live?.hlsUrl ?? '')).status).toBe(404);
}, 180_000);
