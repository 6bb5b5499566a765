// CDN live in the console over a running product: the operator adds a provider, pushes a camera to it, and an RTMP server that is not ours decodes what comes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';
import { freePort } from '../harness/free-port.ts';

const SCREEN = '/homepage/resourceManage?section=cdn-live';
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let product: Product;
let virtual: VirtualSite;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let folder: string;
let port: number;
let receiver: ChildProcess | null = null;

const button = (name: string, on: Page | Locator = page): Locator => on.getByRole('button', { name, exact: true });
const field = (name: string): Locator => page.getByLabel(name, { exact: true });
const row = (name: string): Locator => page.getByRole('list', { name }).getByRole('listitem');
const received = () => join(folder, 'received.mkv');

beforeAll(async () => {
  [product, virtual, browser, folder, port] = await Promise.all([
    Product.start(),
    startVirtualSite(['--cameras', '1']),
    openBrowser(),
    mkdtemp(join(tmpdir(), 'cdn-')),
    freePort(),
  ]);
  operator = await product.setUp(...OPERATOR);
  const { config, version } = await operator.ok('system/config/get', {});
  const network = { cameraNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, network }, version });
  await addAll(operator, virtual.devices);
  watched = await openSignedIn(browser, product, { path: SCREEN });
  page = watched.page;
}, 240_000);
afterAll(async () => {
  receiver?.kill('SIGKILL');
  await browser?.close();
  await Promise.all([product?.stop(), virtual?.stop(), folder && rm(folder, { recursive: true })]);
});

it('[ER-05] an empty list says so in the fixed words, and a provider is added and tested', async () => {
  await page.getByText(words['cdn.interfaceError'], { exact: true }).waitFor();
  expect(words['cdn.interfaceError']).toBe('Interface Error');
  expect(await button(words['cdn.startLive']).isDisabled()).toBe(true);
  await button(words['cdn.addProvider']).click();
  await field(words['cdn.name']).fill('Delivery');
  await field(words['cdn.publishAddress']).fill(`rtmp://127.0.0.1:${port}/live/{stream}`);
  await field(words['cdn.hlsAddress']).fill('https://play.example/live/{stream}.m3u8');
  await expectNoProblems(watched, 'cdn-provider-form-dark');
  await button(words['common.save']).click();
  const provider = row(words['cdn.providers']).filter({ hasText: 'Delivery' });
  await provider.getByRole('button').click();
  await page.getByRole('menuitem', { name: words['cdn.test'] }).click();
  await page.getByText(words['cdn.reason.unreachable']).waitFor();
}, 120_000);

it('[RS-02] a camera is pushed, shown with its bit rate, decoded by the receiver, and stopped', async () => {
  const address = `rtmp://127.0.0.1:${port}/live/any`;
  const args = ['-v', 'error', '-listen', '1', '-i', address, '-c', 'copy', '-y', received()];
  receiver = spawn('ffmpeg', args, { stdio: 'ignore' });
  const ended = once(receiver, 'exit');
  await button(words['cdn.startLive']).click();
  await page.getByRole('combobox', { name: words['cdn.camera'] }).click();
  await page.getByRole('option').first().click();
  await expectNoProblems(watched, 'cdn-live-form-dark');
  await button(words['cdn.start']).click();
  await row(words['cdn.lives'])
    .getByText(/[1-9]\d* kbit\/s/)
    .waitFor({ timeout: 60_000 });
  await expectNoProblems(watched, 'cdn-live-dark');
  const bytes = async () => (await operator.ok('cdn/video/list', {})).liveList[0]?.sentBytes ?? 0;
  await waitFor('some seconds of video', async () => (await bytes()) > 200_000, 60_000);
  const other = await openSignedIn(browser, product, { path: SCREEN, locale: 'zh-CN', colorScheme: 'light' });
  await other.page.getByText(/[1-9]\d* kbit\/s/).waitFor();
  await expectNoProblems(other, 'cdn-live-light-zh');
  await other.page.getByText(chinese['cdn.providers'], { exact: true }).waitFor();
  await other.close();
  await row(words['cdn.lives']).getByRole('button').click();
  await page.getByRole('menuitem', { name: words['cdn.addresses'] }).click();
  expect(await field(words['cdn.hlsAddress']).inputValue()).toMatch(/^https:\/\/play\.example\/live\/\S+-0\.m3u8$/);
  await button(words['common.close'], page.getByRole('dialog')).first().click();
  await row(words['cdn.lives']).getByRole('button').click();
  await page.getByRole('menuitem', { name: words['cdn.stop'] }).click();
  await button(words['cdn.stop'], page.getByRole('dialog')).click();
  await page.getByText(words['cdn.noLives']).waitFor();
  await ended;
  const report = await verifyMedia(received());
  expect(report.errors).toBe('');
  expect(report.codecs).toContain('h264');
  expect(report.frames).toBeGreaterThan(20);
}, 240_000);

it('[VA-05] a code of the operator opens minutes and streams for another account, once', async () => {
  await button(words['cdn.createCode']).click();
  await button(words['cdn.create'], page.getByRole('dialog')).click();
  const code = (await page.locator('[data-code]').textContent()) ?? '';
  expect(code).toMatch(/^[A-Z0-9]{16}$/);
  await expectNoProblems(watched, 'cdn-code-dark');
  await operator.ok('user/add', { username: 'holder', password: 'Secret-1', userType: 2 });
  const other = await openSignedIn(browser, product, { path: SCREEN, account: ['holder', 'Secret-1'] });
  await other.page.getByText(textOf('cdn.package', { usedMinutes: 0, minutes: 0, streams: 0 })).waitFor();
  expect(await other.page.getByText(words['cdn.addProvider']).count()).toBe(0);
  await button(words['cdn.activate'], other.page).click();
  await other.page.getByLabel(words['cdn.code'], { exact: true }).fill(code.toLowerCase());
  await expectNoProblems(other, 'cdn-activate-dark');
  await button(words['cdn.activateNow'], other.page).click();
  await other.page.getByText(textOf('cdn.package', { usedMinutes: 0, minutes: 1440, streams: 1 })).waitFor();
  await button(words['cdn.activate'], other.page).click();
  await other.page.getByLabel(words['cdn.code'], { exact: true }).fill(code);
  await button(words['cdn.activateNow'], other.page).click();
  await other.page.getByText(words['cdn.codeUsed']).waitFor();
  await other.close();
}, 120_000);

function textOf(key: 'cdn.package', values: Readonly<Record<string, number>>): string {
  return words[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
