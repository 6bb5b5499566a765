// The example of examples/: signed in by a user, it shows the camera that was allowed, hears of an alarm, and goes dark when it is revoked.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packagePlayer } from '../../sdk/build/package-player.ts';
import { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, shot, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { newLaunchingApp } from './launch-token.ts';
import { OPERATOR, wordsOf } from './signed-in.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const SECRET = `whsec_${Buffer.from('a secret of the example').toString('base64')}`;
const words = wordsOf('en-US');

/** The example, with the package of the player as npm installs it. */
let folder: string;
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
  [product, browser, cameras, folder] = await Promise.all([
    Product.start(),
    openBrowser(),
    startVirtualSite(['--cameras', '1']),
    installExample(),
  ]);
  operator = await product.setUp(...OPERATOR);
  const [first] = await addAll(operator, cameras.devices);
  if (first === undefined) throw new Error('no camera');
  camera = first;
  const order = { appName: 'Example', redirectUriList: ['http://127.0.0.1/callback'], isPublic: true };
  const registered = { ...order, scopeList: ['openid' as const, 'device.list' as const, 'live' as const] };
  const { app } = await operator.ok('app/save', registered);
  [program, address] = await startProgram(app.appId);
  const embedOriginList = [new URL(address).origin];
  await operator.ok('app/save', { ...registered, embedOriginList, appId: app.appId, version: app.version });
  watched = await openPage(browser, { ignoreHTTPSErrors: true, allowed: /401|403.*\/media\/fragments\// });
  page = watched.page;
}, 180_000);

afterAll(async () => {
  program?.kill();
  await browser?.close();
  await product?.stop();
  await cameras?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function installExample(): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'vedette-example-'));
  cpSync(join(ROOT, 'examples', 'third-party-app'), copy, { recursive: true });
  const installed = join(copy, 'node_modules', '@vedette', 'player');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', [
    'xzf',
    await packagePlayer({ root: ROOT, into: copy }),
    '--strip-components=1',
    '-C',
    installed,
  ]);
  return copy;
}

async function startProgram(appId: string): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: folder,
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

/** What the test asks of the element. */
interface Player {
  readonly state: { readonly kind: string };
  readonly currentTime: number | null;
  snapshot(): Promise<Blob | null>;
}

const player = () => page.locator('vedette-player');
const state = () => player().evaluate((one) => (one as unknown as Player).state.kind);
const currentTime = () => player().evaluate((one) => (one as unknown as Player).currentTime);
/** Of the picture on screen; undefined where there is none. */
const pictureBytes = () => player().evaluate(async (one) => (await (one as unknown as Player).snapshot())?.size);

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
  await expect.poll(state, { timeout: 60_000 }).toBe('live');
  const first = await currentTime();
  await expect.poll(currentTime).toBeGreaterThan(first ?? 0);
  expect(await pictureBytes()).toBeGreaterThan(1000);
  await shot(page, 'example-app-live');
});

it('its player speaks the language of the page, and is worked by keys', async () => {
  const sound = player().getByRole('button', { name: 'Unmute' });
  await sound.waitFor();
  await player().evaluate((one) => one.setAttribute('lang', 'zh-CN'));
  await player().getByRole('button', { name: '取消静音' }).waitFor();
  await player().focus();
  await page.keyboard.press('m');
  await player().getByRole('button', { name: '静音', exact: true }).waitFor();
  await page.keyboard.press('m');
  await player().evaluate((one) => one.setAttribute('lang', 'en'));
});

it('its player takes the buttons away that its token does not open', async () => {
  await player().evaluate((one) => one.toggleAttribute('ptz', true));
  await player().getByRole('button', { name: 'Left' }).click();
  await page.getByText('The player was refused: 1004.').waitFor();
  await player().getByRole('button', { name: 'Left' }).waitFor({ state: 'hidden' });
  await expect.poll(state).toBe('live');
});

it('with a token of more scopes its player asks the camera to move, plays recordings, and is dark soon after that app is disabled', async () => {
  const scopeList = ['device.list' as const, 'live' as const, 'playback' as const, 'ptz' as const];
  const embedOriginList = [new URL(address).origin];
  const app = await newLaunchingApp(product, operator, { scopeList, embedOriginList });
  const token = await app.newToken('device.list live playback ptz');
  await player().evaluate((one, text) => Object.assign(one, { tokenSource: () => text }), token);
  await expect.poll(state).toBe('live');
  const answered = page.waitForResponse((response) => response.url().endsWith('/ptz/start'));
  await player().getByRole('button', { name: 'Left' }).click();
  // The camera has none; whether the token may is asked before.
  expect(await (await answered).json()).toMatchObject({ code: 1006 });
  const from = Date.now() - 6000;
  await player().evaluate((one, at) => one.setAttribute('at', String(at)), from);
  await expect.poll(state).toBe('playing');
  await expect.poll(currentTime).toBeGreaterThan(from + 1000);
  await player().focus();
  await page.keyboard.press('k');
  await expect.poll(state).toBe('paused');
  expect(await pictureBytes()).toBeGreaterThan(1000);
  await shot(page, 'example-app-recorded');
  const { appList } = await operator.ok('app/list', {});
  const { appName, redirectUriList, version } = appList.find(
    ({ appId }) => appId === app.appId,
  ) as (typeof appList)[number];
  const disabledAt = Date.now();
  await operator.ok('app/save', { appId: app.appId, appName, redirectUriList, scopeList, version, isEnabled: false });
  await expect.poll(state).toBe('denied');
  expect(Date.now() - disabledAt).toBeLessThan(2500);
  expect(await pictureBytes()).toBeUndefined();
  await page.goto(address);
  await page.locator('#cameras button').click();
  await expect.poll(state).toBe('live');
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
  await expect.poll(state).toBe('denied');
  expect(Date.now() - revokedAt).toBeLessThan(2000);
  expect(await pictureBytes()).toBeUndefined();
  await player().getByText('No permission').waitFor();
  await shot(page, 'example-app-dark');
  expect(watched.problems).toEqual([]);
});

it('the page of the calls is searched, under its own policy', async () => {
  await page.goto(new URL('/api/docs#ptz/start', product.url).href);
  const call = (path: string) => page.locator(`details[id="${path}"]`);
  await call('ptz/start').getByRole('table').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('talk 1018');
  await call('talk/url').waitFor();
  await call('ptz/start').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'webhooks' }).click();
  await page.getByRole('heading', { name: 'Python' }).waitFor();
  await shot(page, 'api-docs');
  expect(watched.problems).toEqual([]);
});
