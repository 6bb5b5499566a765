// The example of examples/: signed in by a user, it shows the camera that was allowed, hears of an alarm, and goes dark when it is revoked.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { OPERATOR, wordsOf } from './signed-in.ts';

const FOLDER = new URL('../../examples/third-party-app/', import.meta.url).pathname;
const SECRET = `whsec_${Buffer.from('a secret of the example').toString('base64')}`;
const words = wordsOf('en-US');

let product: Product;
let browser: Browser;
let cameras: VirtualSite;
let operator: ApiClient;
let camera: { readonly deviceSerial: string; readonly channelNo: number };
let program: ChildProcess;
let address: string;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser, cameras] = await Promise.all([
    Product.start(),
    openBrowser(),
    startVirtualSite(['--cameras', '1']),
  ]);
  operator = await product.setUp(...OPERATOR);
  const [first] = await addAll(operator, cameras.devices);
  if (first === undefined) throw new Error('no camera');
  camera = first;
  const order = { appName: 'Example', redirectUriList: ['http://127.0.0.1/callback'], isPublic: true };
  const { app } = await operator.ok('app/save', { ...order, scopeList: ['openid', 'device.list', 'live'] });
  [program, address] = await startProgram(app.appId);
  watched = await openPage(browser, { ignoreHTTPSErrors: true, allowed: /401|\/live\// });
  page = watched.page;
}, 180_000);

afterAll(async () => {
  program?.kill();
  await browser?.close();
  await product?.stop();
  await cameras?.stop();
});

async function startProgram(appId: string): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: FOLDER,
    env: {
      VEDETTE_URL: product.url.replace(/^http:/, 'https:'),
      CLIENT_ID: appId,
      WEBHOOK_SECRET: SECRET,
      PORT: '0',
      NODE_EXTRA_CA_CERTS: join(product.data, 'tls', 'ca.pem'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return [child, line.replace('open ', '')];
}

it('[OA-01] a user signs in and allows it the cameras, and it shows one live', async () => {
  await page.goto(address);
  await page.getByRole('link', { name: 'Sign in with Vedette' }).click();
  const [account, password] = OPERATOR;
  await page.getByLabel(words['login.account'], { exact: true }).fill(account);
  await page.getByLabel(words['login.password'], { exact: true }).fill(password);
  await page.getByRole('button', { name: words['login.submit'] }).click();
  const tree = page.getByRole('tree', { name: words['apps.placesLabel'] });
  await tree.getByRole('treeitem').first().click();
  await page.getByRole('button', { name: words['apps.allow'] }).click();
  await page.getByText('You are signed in.').waitFor();
  await page.locator('#cameras button').click();
  const frame = () =>
    page
      .locator('video')
      .evaluate((video: HTMLVideoElement) => video.videoWidth > 0 && video.currentTime > 0 && !video.paused);
  await expect.poll(frame).toBe(true);
});

it('an alarm reaches it by a signed message, and an unsigned one does not', async () => {
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { ...config.alarms, messageNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
  const settings = { url: new URL('/webhook', address).href, secret: SECRET };
  const hook = { kind: 'webhook', name: 'Example', isEnabled: true, settings } as const;
  const { channel } = await operator.ok('alarm/channel/save', hook);
  const always = { isEnabled: true, groups: [], sources: [], plan: null, timeZone: 'UTC' };
  const actions = [{ kind: 'notify' as const, channelIds: [channel.channelId] }];
  await operator.ok('alarm/rule/save', {
    ...always,
    leastSeverity: 'info',
    name: 'Fire',
    types: ['FireAlarm'],
    pauseS: 0,
    actions,
  });
  const forged = await fetch(settings.url, { method: 'POST', body: '{"data":{"type":"Forged"}}' });
  expect(forged.status).toBe(401);
  const source = new ApiClient(product.url);
  source.accessToken = (await operator.ok('event/key/add', { name: 'Fire panel' })).token;
  await source.ok('event/ingest', { ...camera, type: 'FireAlarm', phase: 'pulse', eventId: 'example-1' });
  await page.locator('#alarms li').first().waitFor();
  expect(await page.locator('#alarms').innerText()).toMatch(/^FireAlarm: /);
});

it('is dark within two seconds of its revocation', async () => {
  const { grantList } = await operator.ok('oauth/grant/list', {});
  const grantId = grantList[0]?.grantId ?? '';
  const revokedAt = Date.now();
  await operator.ok('oauth/grant/revoke', { grantId });
  await page.getByText('Access has ended.').waitFor();
  expect(Date.now() - revokedAt).toBeLessThan(2000);
  expect(await page.locator('video').isVisible()).toBe(false);
  const playlist = await page.request.get(new URL(`/live/${camera.deviceSerial}/index.m3u8`, address).href);
  expect(playlist.status()).toBe(401);
  expect(watched.problems).toEqual([]);
});
