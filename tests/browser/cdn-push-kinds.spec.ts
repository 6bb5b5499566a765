// CDN providers that take WHIP and SRT, in the console over a running product: Chromium and ffmpeg receive a camera from them, and wrong keys are said.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { WhipReceiver } from '../harness/whip-receiver.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const SCREEN = '/homepage/resourceManage?section=cdn-live';
const TOKEN = 'token-of-the-test';
const PASSPHRASE = 'passphrase-of-the-test';
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let product: Product;
let virtual: VirtualSite;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let folder: string;
let whip: WhipReceiver;
let listener: ChildProcess | null = null;

const button = (name: string, on: Page | Locator = page): Locator => on.getByRole('button', { name, exact: true });
const field = (name: string, on: Page = page): Locator => on.getByLabel(name, { exact: true });
const row = (name: string): Locator => page.getByRole('list', { name }).getByRole('listitem');
const choose = async (name: string, option: string, on: Page = page): Promise<void> => {
  await on.getByRole('combobox', { name }).click();
  await on.getByRole('option', { name: option, exact: true }).click();
};

beforeAll(async () => {
  [product, virtual, browser, folder] = await Promise.all([
    Product.start(),
    startVirtualSite(['--cameras', '1']),
    openBrowser(),
    mkdtemp(join(tmpdir(), 'cdn-kinds-')),
  ]);
  operator = await product.setUp(...OPERATOR);
  const { config, version } = await operator.ok('system/config/get', {});
  const network = { cameraNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, network }, version });
  await addAll(operator, virtual.devices);
  watched = await openSignedIn(browser, product, { path: SCREEN });
  page = watched.page;
  whip = await WhipReceiver.start((await openPage(browser)).page, TOKEN);
}, 240_000);
afterAll(async () => {
  listener?.kill('SIGKILL');
  await whip?.stop();
  await browser?.close();
  await Promise.all([product?.stop(), virtual?.stop(), folder && rm(folder, { recursive: true })]);
});

interface Provider {
  readonly name: string;
  readonly kind: 'whip' | 'srt';
  readonly address: string;
  readonly access: string;
  readonly key: string;
}

async function fill({ name, kind, address, access, key }: Provider, on = page, said = words): Promise<void> {
  await button(said['cdn.addProvider'], on).click();
  await field(said['cdn.name'], on).fill(name);
  await choose(said['cdn.kind'], said[`cdn.kind.${kind}`], on);
  await field(said['cdn.publishAddress'], on).fill(address);
  await choose(said['cdn.access'], access, on);
  await field(said[`cdn.key.${kind}`], on).fill(key);
}

async function test(name: string): Promise<void> {
  await row(words['cdn.providers']).filter({ hasText: name }).getByRole('button').click();
  await page.getByRole('menuitem', { name: words['cdn.test'] }).click();
}

async function startLive(provider: string): Promise<void> {
  await button(words['cdn.startLive']).click();
  await page.getByRole('combobox', { name: words['cdn.camera'] }).click();
  await page.getByRole('option').first().click();
  await choose(words['cdn.provider'], provider);
  await button(words['cdn.start'], page.getByRole('dialog')).click();
  await page.getByText(/[1-9]\d* kbit\/s/).waitFor();
}

async function stopLive(): Promise<void> {
  await row(words['cdn.lives']).getByRole('button').click();
  await page.getByRole('menuitem', { name: words['cdn.stop'] }).click();
  await button(words['cdn.stop'], page.getByRole('dialog')).click();
  await page.getByText(words['cdn.noLives']).waitFor();
}

it('[RS-02] a camera goes by WHIP to Chromium, with the token that the operator gave', async () => {
  const provider = {
    name: 'Whip',
    kind: 'whip',
    address: `${whip.url}/whip/{stream}`,
    access: words['cdn.signing.bearer'],
    key: 'another-token',
  } as const;
  await fill(provider);
  await expectNoProblems(watched, 'cdn-whip-form-dark');
  await button(words['common.save']).click();
  await test('Whip');
  await page.getByText(words['cdn.reason.credentials']).waitFor();
  await row(words['cdn.providers']).getByRole('button').click();
  await page.getByRole('menuitem', { name: words['cdn.change'] }).click();
  await field(words['cdn.key.whip']).fill(TOKEN);
  await button(words['common.save']).click();
  await test('Whip');
  await page.getByText(words['cdn.works'].replace('{name}', 'Whip')).waitFor();
  await startLive('Whip');
  await waitFor('frames', async () => ((await whip.media())?.framesDecoded ?? 0) > 20);
  await expectNoProblems(watched, 'cdn-whip-live-dark');
  const before = whip.deletions.length;
  await stopLive();
  await waitFor('the end to be told', () => whip.deletions.length === before + 1);
}, 240_000);

it('[RS-02] a camera goes by SRT to ffmpeg, encrypted with the passphrase that the operator gave', async () => {
  const port = await freePort();
  const file = join(folder, 'received.ts');
  const url = `srt://127.0.0.1:${port}?mode=listener&passphrase=${PASSPHRASE}`;
  const listen = async (): Promise<void> => {
    const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
    listener = spawn('ffmpeg', ['-v', 'error', '-i', url, '-c', 'copy', '-y', file], { stdio: 'ignore' });
    await waitFor('it to listen', () => readFileSync('/proc/net/udp', 'utf8').includes(hex));
  };
  const other = await openSignedIn(browser, product, { path: SCREEN, locale: 'zh-CN', colorScheme: 'light' });
  const provider = {
    name: 'Srt',
    kind: 'srt',
    address: `srt://127.0.0.1:${port}?streamid=#!::r=live/{stream},m=publish`,
    access: chinese['cdn.signing.passphrase'],
    key: PASSPHRASE,
  } as const;
  await fill(provider, other.page, chinese);
  await expectNoProblems(other, 'cdn-srt-form-light-zh');
  await button(chinese['common.save'], other.page).click();
  await other.page.getByText('Srt', { exact: true }).waitFor();
  await other.close();
  await page.reload();
  await test('Srt');
  await page.getByText(words['cdn.reason.unreachable']).waitFor();
  await listen();
  const ended = listener === null ? [] : once(listener, 'exit');
  await startLive('Srt');
  const sent = async () => (await operator.ok('cdn/video/list', {})).liveList[0]?.sentBytes ?? 0;
  await waitFor('some seconds of video', async () => (await sent()) > 300_000, 60_000);
  await stopLive();
  await ended;
  const report = await verifyMedia(file);
  expect(report.codecs).toContain('h264');
  expect(report.frames).toBeGreaterThan(20);
}, 240_000);

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}
