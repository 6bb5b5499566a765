// Two-way talk from the wall: a real browser with a fake microphone, and a virtual camera that reports what it received.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowserWithMicrophone, shot, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

interface Heard {
  readonly isOpen: boolean;
  readonly samples: number;
  readonly lost: number;
  readonly level: number;
}

const GATE = 'VDGATE0001';
const GUARD = ['guard', 'Watch-2026'] as const;
const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
/** Binary messages that the page sent through its sockets of talk. */
let socketPieces = 0;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowserWithMicrophone()]);
  operator = await product.setUp(...OPERATOR);
  await waitFor(
    'the demo to be online',
    async () => (await operator.ok('device/list', { status: 1 })).total === 9,
    60_000,
  );
  await operator.call('user/add', { username: GUARD[0], password: GUARD[1], userType: 2 });
  const items = [{ deviceSerial: GATE, channelNo: 1 }];
  await operator.ok('share/add', { account: GUARD[0], items, permission: ['videoView', 'talk'] });
  watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
  page = watched.page;
  page.on('websocket', (socket) => {
    if (!socket.url().includes('/media/talk')) return;
    socket.on('framesent', ({ payload }) => {
      if (typeof payload !== 'string') socketPieces += 1;
    });
  });
  await page.getByRole('tree').getByRole('treeitem', { name: 'Gate House' }).dblclick();
  await waitFor('the picture', async () => (await page.locator('[data-cell][data-state=live]').count()) === 1, 45_000);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const button = (): Locator => page.getByRole('button', { name: words['talk.button'] });
const stop = (): Locator => page.getByRole('button', { name: words['talk.stop'] });
const said = (text: string): Locator => page.getByText(text, { exact: true });

async function controlUrl(): Promise<string> {
  return (JSON.parse(await readFile(join(product.data, 'demo.json'), 'utf8')) as { controlUrl: string }).controlUrl;
}

async function heard(): Promise<Heard> {
  const answer = await fetch(`${await controlUrl()}/state`);
  const { devices } = (await answer.json()) as { devices: { serial: string; heard: Record<string, Heard> }[] };
  return devices.find(({ serial }) => serial === GATE)?.heard['1'] as Heard;
}

async function command(name: string, input: object): Promise<void> {
  const url = `${await controlUrl()}/devices/${GATE}/${name}`;
  await fetch(url, { method: 'POST', body: JSON.stringify(input) });
}

it('[LV-04] a tap opens talk: the camera receives the microphone, the tile shows its level, another tap ends it', async () => {
  await page.locator('[data-cell="0"]').hover();
  await button().click();
  await said(words['talk.talking']).waitFor();
  await waitFor('sound at the camera', async () => {
    const now = await heard();
    return now.samples > 8000 && now.level > 0.005;
  });
  // From here on it goes by WebRTC, which the page did not have to be told.
  await page.locator('[data-direct]').waitFor();
  const [before, piecesBefore] = [(await heard()).samples, socketPieces];
  expect(piecesBefore).toBeGreaterThan(0);
  await waitFor('two seconds of sound by WebRTC', async () => {
    const now = await heard();
    return now.samples - before > 16_000 && now.level > 0.005;
  });
  expect(socketPieces).toBe(piecesBefore);
  await waitFor('the meter', async () => Number(await page.getByRole('meter').getAttribute('aria-valuenow')) > 5);
  await expectNoProblems(watched, 'talk-open');
  expect((await heard()).lost).toBe(0);
  await page.locator('[data-cell="0"]').hover();
  await stop().click();
  await waitFor('the line to be free', async () => !(await heard()).isOpen);
  await said(words['talk.talking']).waitFor({ state: 'detached' });
});

it('[LV-04] the key T talks while it is pressed', async () => {
  await page.locator('[data-cell="0"] [data-handle]').focus();
  const pressedMs = await page.evaluate(() => performance.now());
  await page.keyboard.down('t');
  await said(words['talk.talking']).waitFor();
  await waitFor('the line', async () => (await heard()).isOpen);
  await said(words['talk.holdHint']).waitFor();
  // Let go sooner it would be a tap, which keeps the line open.
  await page.waitForFunction((from) => performance.now() - from > 500, pressedMs);
  await page.keyboard.up('t');
  await waitFor('the line to be free', async () => !(await heard()).isOpen);
  await said(words['talk.talking']).waitFor({ state: 'detached' });
});

it('[LV-04] a refusing camera, and one in use by another talker, are reported on the tile', async () => {
  await command('rtsp-fault', { kind: 'status', status: 453, reason: 'Not Enough Bandwidth', method: 'PLAY' });
  await page.locator('[data-cell="0"]').hover();
  await button().click();
  await said(words['reason_fault']).waitFor();
  await shot(page, 'talk-refused');
  await page.getByRole('button', { name: words['talk.dismiss'] }).click();
  const other = await openSignedIn(browser, product, { path: '/homepage/liveVideo', account: GUARD });
  await other.page.getByRole('tree').getByRole('treeitem', { name: 'Gate House' }).dblclick();
  await page.locator('[data-cell="0"]').hover();
  await button().click();
  await said(words['talk.talking']).waitFor();
  await other.page.locator('[data-cell="0"]').hover();
  await other.page.getByRole('button', { name: words['talk.button'] }).click();
  await other.page.getByText('operator is talking to this device.').waitFor();
  await shot(other.page, 'talk-busy');
  await other.close();
  await said(words['talk.talking']).waitFor();
});

it('[LV-04] a browser without WebRTC talks through the socket', async () => {
  await page.locator('[data-cell="0"]').hover();
  await stop().click();
  await waitFor('the line to be free', async () => !(await heard()).isOpen);
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'RTCPeerConnection'));
  const before = (await heard()).samples;
  await button().click();
  await waitFor('sound at the camera', async () => (await heard()).samples > before + 8000);
  await said(words['talk.talking']).waitFor();
  expect(await page.locator('[data-direct]').count()).toBe(0);
});

it('[FT-46] closing a page while it talks frees the camera within two seconds', async () => {
  await waitFor('the line', async () => (await heard()).isOpen);
  await page.close();
  const closedMs = performance.now();
  await waitFor('the line to be free', async () => !(await heard()).isOpen);
  expect(performance.now() - closedMs).toBeLessThan(2000);
});
