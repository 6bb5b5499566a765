// The table of devices: its menus and those of the tree offer what a tile does, and a search finds cameras for it.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowserWithMicrophone, type WatchedPage } from '../harness/browser.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const VIEWER = ['viewer', 'Visit-2026'] as const;
const ROOF = 'VDROOF0005';
const GATE = 'VDGATE0001';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowserWithMicrophone()]);
  operator = await product.setUp(...OPERATOR);
  await waitFor(
    'the demo to be online',
    async () => (await operator.ok('device/list', { status: 1 })).total === 9,
    60_000,
  );
  await operator.ok('user/add', { username: VIEWER[0], password: VIEWER[1], userType: 2 });
  const items = [ROOF, GATE].map((deviceSerial) => ({ deviceSerial, channelNo: 1 }));
  await operator.ok('share/add', { account: VIEWER[0], items, permission: ['videoView'] });
  watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const menu = (on = page): Locator => on.getByRole('menu');
const entry = (name: string, on = page): Locator => menu(on).getByRole('menuitem', { name });
const tile = (): Locator => page.locator('[data-cell]:not([data-warm])').filter({ has: page.locator('video') });

async function areSnapshots(name: string, choose: () => Promise<void>): Promise<void> {
  const saved = page.waitForEvent('download');
  await choose();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^${name} \\d{4}-\\d{2}-\\d{2} .*\\.jpg$`));
  expect(await verifyMedia(await file.path())).toMatchObject({ codecs: ['mjpeg'], frames: 1, errors: '' });
}

async function emptyWall(): Promise<void> {
  const clear = page.getByRole('button', { name: words['live.clear'], exact: true });
  if (await clear.isEnabled()) await clear.click();
  await waitFor('an empty wall', async () => (await page.locator('[data-cell]:not([data-state=empty])').count()) === 0);
}

async function isOnWall(name: string): Promise<void> {
  await page.waitForURL(/\/liveVideo$/);
  await tile()
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .waitFor();
}

describe('the menu of a device', () => {
  beforeEach(async () => {
    await page.goto(`${product.url}/homepage/deviceManage`);
  });

  async function ask(name: string, on = page): Promise<void> {
    await on.getByRole('row', { name, exact: true }).click({ button: 'right' });
    await entry(words['live.deviceDetails'], on).waitFor();
  }

  it('saves a snapshot without a wall', async () => {
    await ask('Roof');
    await entry(words['ptz.button']).waitFor();
    await expectNoProblems(watched, 'device-menu');
    await areSnapshots('Roof', () => entry(words['live.still']).click());
    expect(watched.problems).toEqual([]);
  });

  it('leads to the wall two minutes ago', async () => {
    await ask('Roof');
    await entry(words['replay.start']).click();
    await isOnWall('Roof');
    await page.locator('[data-replay]').waitFor();
    await page.reload();
    await isOnWall('Roof');
    await page.locator('[data-cell][data-state=live]').waitFor({ timeout: 45_000 });
    expect(await page.locator('[data-replay]').count(), 'begun once').toBe(0);
  });

  it('leads to the wall with PTZ', async () => {
    await ask('Roof');
    await entry(words['ptz.button']).click();
    await isOnWall('Roof');
    await page.getByRole('button', { name: words['ptz.leave'], exact: true }).first().waitFor();
  });

  it('leads to the wall and talks, which no address does', async () => {
    await page.goto(`${product.url}/homepage/liveVideo?device=${GATE}&channel=1&liveAction=talk`);
    await isOnWall('Gate House');
    await page.goBack();
    await ask('Gate House');
    await entry(words['talk.start']).click();
    await isOnWall('Gate House');
    await page.getByRole('button', { name: words['talk.stop'] }).first().waitFor();
    await page.getByRole('button', { name: words['talk.stop'] }).first().click();
    await page.getByRole('button', { name: words['talk.stop'] }).first().waitFor({ state: 'detached' });
  });

  it('chooses the stream with which the camera comes to the wall, also the one that it has', async () => {
    for (const time of ['first', 'again']) {
      await page.goto(`${product.url}/homepage/deviceManage?${time}`);
      await ask('Roof');
      await menu().getByRole('menuitemradio', { name: words['live.quality1'] }).click();
      await isOnWall('Roof');
    }
    await page.keyboard.press('1');
    await waitFor('one window', async () => (await page.locator('[data-cell]').count()) === 1);
    const shown = page
      .locator('[data-cell]')
      .filter({ has: page.getByRole('button', { name: /Roof/ }) })
      .first();
    await shown.hover();
    await shown.getByText(new RegExp(words['live.quality1'])).waitFor({ timeout: 30_000 });
  });

  it('offers a viewer neither replay nor PTZ nor talk', async () => {
    const guest = await openSignedIn(browser, product, { path: '/homepage/deviceManage', account: VIEWER });
    await ask('Roof', guest.page);
    await menu(guest.page).getByRole('menuitemradio', { name: words['live.quality1'] }).waitFor();
    await entry(words['live.still'], guest.page).waitFor();
    for (const key of ['replay.start', 'live.playBack', 'ptz.button', 'talk.start'] as const)
      expect(await entry(words[key], guest.page).count(), key).toBe(0);
    await guest.close();
  });
});

describe('the menu of a camera in the tree that is not on the wall', () => {
  beforeEach(async () => {
    await page.goto(`${product.url}/homepage/liveVideo`);
    await page.getByRole('treeitem', { name: 'Roof' }).waitFor();
    await emptyWall();
    await page.getByRole('treeitem', { name: 'Roof' }).click({ button: 'right' });
    await entry(words['live.showOnWall']).waitFor();
  });

  it('saves a snapshot and leaves the wall as it is', async () => {
    await areSnapshots('Roof', () => entry(words['live.still']).click());
    expect(await page.locator('[data-cell]:not([data-state=empty])').count()).toBe(0);
  });

  it('replays, moves and chooses the stream on the wall', async () => {
    await entry(words['ptz.button']).click();
    await page.getByRole('button', { name: words['ptz.leave'], exact: true }).first().waitFor();
    await emptyWall();
    await page.getByRole('treeitem', { name: 'Roof' }).click({ button: 'right' });
    await expectNoProblems(watched, 'tree-menu');
    await menu().getByRole('menuitemradio', { name: words['live.quality1'] }).click();
    await page.locator('[data-cell][data-state=live]').waitFor({ timeout: 45_000 });
    await emptyWall();
    await page.getByRole('treeitem', { name: 'Roof' }).click({ button: 'right' });
    await entry(words['replay.start']).click();
    await page.locator('[data-replay]').waitFor();
  });
});

describe('the network of the demo', () => {
  it('[DM-01] shows two cameras that nobody has added, which ask for no password', async () => {
    const found = await openSignedIn(browser, product, { path: '/homepage/deviceManage?add=1' });
    const pane = found.page.getByRole('complementary', { name: words['add.title'] });
    for (const name of ['North Pier', 'Back Yard']) await pane.getByRole('checkbox', { name }).check();
    await pane.getByText(words['find.known']).first().waitFor();
    await expectNoProblems(found, 'demo-found');
    await pane.getByRole('button', { name: words['find.addMany_other'].replace('{count}', '2') }).click();
    for (const name of ['North Pier', 'Back Yard']) {
      const row = found.page.getByRole('row', { name, exact: true });
      await row.getByText(words['status.online']).waitFor({ timeout: 45_000 });
    }
    await found.close();
  });
});
