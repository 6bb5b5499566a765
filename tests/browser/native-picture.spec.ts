// A shell whose picture is beneath the page: the page leaves its place clear, and draws dialogs, bars and boxes of objects over it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { run } from '../harness/ffprobe.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, signIn } from './console-steps.ts';
import { type JoinedShell, joinShell } from './joined-shell.ts';
import { expectNoProblems, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
/** People on the pavement and cars both ways. */
const STREET = '西门街道';
const TILE = 2;
const PICTURE = { window: TILE, width: 1280, height: 720, delayMs: 300 };

let product: Product;
let cameras: VirtualSite;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let shell: JoinedShell;
let shots: string;
let channel: { deviceSerial: string; channelNo: number };

beforeAll(async () => {
  const env = { VEDETTE_ANALYST: analystRuntime };
  [product, browser, cameras] = await Promise.all([Product.start({ env }), openBrowser(), startVirtualSite()]);
  shots = await mkdtemp(join(tmpdir(), 'vedette-clear-'));
  operator = await product.setUp(...OPERATOR);
  const added = await addAll(
    operator,
    cameras.devices.filter(({ name }) => name === STREET),
  );
  channel = added[0] ?? { deviceSerial: '', channelNo: 1 };
  await waitFor('the camera', async () => (await operator.ok('device/list', { status: 1 })).total === 1, 60_000);
  watched = await openPage(browser);
  page = watched.page;
  shell = await joinShell(watched.context, page, {}, { codecs: ['h264'], overlay: 'inside', isBeneath: true });
  await page.goto(`${product.url}/client.html`);
  await signIn(page, words, ...OPERATOR);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), cameras?.stop()]);
  await rm(shots, { recursive: true, force: true });
});

const tile = () => page.locator('[data-cell]').nth(TILE - 1);

/** 0 where what is beneath the page is seen, 255 where the page is: in the middle of the tile, aside, and on the line beside it. */
async function opacity(): Promise<{ middle: number; side: number; beside: number }> {
  const file = join(shots, 'page.png');
  await page.screenshot({ path: file, omitBackground: true });
  const width = page.viewportSize()?.width ?? 0;
  const { bytes } = await run('ffmpeg', ['-v', 'error', '-i', file, '-pix_fmt', 'rgba', '-f', 'rawvideo', '-']);
  const box = (await tile().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = (x: number, y: number): number => bytes[(Math.round(y) * width + Math.round(x)) * 4 + 3] ?? -1;
  return {
    middle: at(box.x + box.width / 2, box.y + box.height / 2),
    side: at(box.x + box.width / 4, box.y + box.height / 3),
    beside: at(box.x - 1, box.y + box.height / 2),
  };
}

it('leaves the place of the picture clear, and draws over it', async () => {
  await shell.peer.ask('live/start', { ...channel, window: TILE });
  await tile().and(page.locator('[data-state=live]')).waitFor({ timeout: 60_000 });
  expect(await opacity()).toEqual({ middle: 255, side: 255, beside: 255 });
  expect(await shell.peer.ask('live/picture', PICTURE)).toMatchObject({ code: 1003, data: { window: 'notAllowed' } });
  expect(await shell.peer.ask('live/switchRtsp', { window: TILE })).toMatchObject({ code: 200 });
  await tile().getByText(words['live.inClient']).waitFor();
  expect(await shell.peer.ask('live/picture', PICTURE)).toMatchObject({ code: 200 });
  await expect.poll(() => tile().getByText(words['live.inClient']).count()).toBe(0);
  await expect.poll(opacity).toEqual({ middle: 0, side: 0, beside: 255 });
  await page.keyboard.press('Shift+?');
  await page.getByRole('dialog').waitFor();
  await expect.poll(async () => (await opacity()).middle).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await opacity()).middle).toBe(0);
  await expectNoProblems(watched, 'native-picture');
});

it.skipIf(!hasAnalystRuntime)(
  '[RS-03] draws boxes over the picture, and asks for none while they are off',
  async () => {
    const points = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 1, y: 1 },
      { x: 0, y: 1 },
    ];
    const zone = { regionId: 'all', regionName: 'Everywhere', kind: 'zone', points, direction: 'both' } as const;
    await operator.ok('ai/task/save', {
      ...channel,
      taskName: 'Street',
      algorithm: 'intrusion',
      regionList: [{ ...zone, colour: '#2f80ed' }],
      classList: ['person', 'vehicle'],
    });
    const boxes = tile().locator('canvas[data-boxes]');
    expect(await boxes.count()).toBe(0);
    await page.keyboard.press('d');
    await expect
      .poll(() => boxes.getAttribute('aria-label'), { timeout: 90_000 })
      .toMatch(new RegExp(`${words['edge.class.person']}|${words['edge.class.vehicle']}`));
    // What is beneath is still seen between them.
    expect((await opacity()).side).toBe(0);
    await expectNoProblems(watched, 'native-picture-boxes');
    await page.keyboard.press('d');
    await expect.poll(() => boxes.count()).toBe(0);
    expect(watched.problems).toEqual([]);
  },
);
