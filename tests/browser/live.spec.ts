// Live wall with the demo's devices: layouts and streams, drag, keys, tiles without video, and a share that ends.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, shot, type WatchedPage } from '../harness/browser.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { findProcess } from '../harness/processes.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, liveClock, saying, signIn } from './console-steps.ts';
import { phoneMisfits } from './phone-misfits.ts';
import { framesOf, watchFrames } from './tile-frames.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const GUEST = ['guest', 'Visit-2026'] as const;
const GATE = { deviceSerial: 'VDGATE0001', channelNo: 1 };
const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await waitFor(
    'the demo to be online',
    async () => (await operator.ok('device/list', { status: 1 })).total === 9,
    60_000,
  );
  watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const wall = (): Locator => page.getByRole('list', { name: words['live.wall'] });
const tiles = (state = ''): Locator => page.locator(state === '' ? '[data-cell]' : `[data-cell][data-state=${state}]`);
const fill = (): Locator => page.getByRole('button', { name: words['live.fill'] }).first();
const clear = (): Locator => page.getByRole('button', { name: words['live.clear'] });
const row = (name: string): Locator => page.getByRole('tree').getByRole('treeitem', { name });

async function areLive(count: number): Promise<void> {
  await waitFor(`${count} live tiles`, async () => (await tiles('live').count()) === count, 45_000);
}

/** Tells a virtual device what to do, by its control port. */
async function control(serial: string, command: string): Promise<void> {
  const { controlUrl } = JSON.parse(await readFile(join(product.data, 'demo.json'), 'utf8')) as { controlUrl: string };
  const answer = await fetch(`${controlUrl}/devices/${serial}/${command}`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(200);
}

async function emptyWall(): Promise<void> {
  if (await clear().isEnabled()) await clear().click();
  await waitFor('an empty wall', async () => (await tiles('empty').count()) === (await tiles().count()));
}

describe('layouts', () => {
  it.each([
    { split: 1, key: '1', shown: 1, quality: 0 },
    { split: 4, key: '2', shown: 4, quality: 0 },
    { split: 9, key: '3', shown: 9, quality: 1 },
    { split: 16, key: '4', shown: 12, quality: 2 },
  ] as const)('[LM-02] $split windows by click and by key use stream $quality', async ({
    split,
    key,
    shown,
    quality,
  }) => {
    await emptyWall();
    const choice = page.getByRole('radiogroup', { name: words['live.windows'] });
    await choice.getByText(String(split), { exact: true }).click();
    await waitFor(`${split} windows`, async () => (await tiles().count()) === split);
    await page.keyboard.press(split === 1 ? '2' : '1');
    await waitFor('the other layout', async () => (await tiles().count()) === (split === 1 ? 4 : 1));
    await page.keyboard.press(key);
    await waitFor(`${split} windows`, async () => (await tiles().count()) === split);
    await fill().click();
    await areLive(shown);
    const label = words[`live.quality${quality}`];
    await waitFor(`${shown} tiles on ${label}`, async () => {
      const texts = await tiles('live').allTextContents();
      return texts.filter((text) => text.includes(`${label} ·`)).length === shown;
    });
    await expectNoProblems(watched, `live-${split}`);
  });
});

describe('by mouse and keyboard', () => {
  it('[LV-01] dragging a camera fills a window, dragging a recorder fills the free ones', async () => {
    await emptyWall();
    await page.keyboard.press('2');
    await waitFor('four windows', async () => (await tiles().count()) === 4);
    await row('Main Lobby').dragTo(page.locator('[data-cell="2"]'));
    await page.locator('[data-cell="2"][data-state=live]').getByText('Main Lobby').waitFor({ timeout: 30_000 });
    expect(await liveClock(page, '[data-cell="2"]')).toBeLessThan(2000);
    await row('Main Lobby').getByText(words['tree.playing']).waitFor();
    await row('Roof').dragTo(page.locator('[data-cell="2"]'));
    await page.locator('[data-cell="2"][data-state=live]').getByText('Roof').waitFor({ timeout: 30_000 });
  });

  it('[LV-01] maximises by double click and by Enter, on the main stream, and comes back with Escape', async () => {
    await page.keyboard.press('3');
    await waitFor('nine windows', async () => (await tiles().count()) === 9);
    await fill().click();
    await areLive(9);
    const first = page.locator('[data-cell="0"]');
    await first.dblclick({ position: { x: 60, y: 60 } });
    await waitFor('one tile alone', async () => (await wall().getAttribute('data-maximised')) === 'true');
    await first.getByText(new RegExp(words['live.quality0'])).waitFor({ timeout: 30_000 });
    await expect.poll(() => page.locator('[data-cell][data-behind]').count()).toBe(8);
    await expectNoProblems(watched, 'live-maximised');
    await page.keyboard.press('Escape');
    await waitFor('the wall again', async () => (await wall().getAttribute('data-maximised')) === null);
    await areLive(9);

    await first.locator('[data-handle]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const fifth = page.locator('[data-cell="4"]');
    await waitFor('the tile in the middle', async () => (await fifth.getAttribute('data-selected')) === 'true');
    await fifth.locator('[data-handle]:focus').waitFor();
    await page.keyboard.press('Enter');
    await waitFor('it alone', async () => (await wall().getAttribute('data-maximised')) === 'true');
    expect(await fifth.getAttribute('data-behind')).toBeNull();
    await page.keyboard.press('Escape');
    await waitFor('the wall once more', async () => (await wall().getAttribute('data-maximised')) === null);
    await page.keyboard.press('Delete');
    await waitFor('its place free', async () => (await fifth.getAttribute('data-state')) === 'empty');
  });

  it('Tab reaches the selected tile, then its own buttons', async () => {
    await emptyWall();
    await page.keyboard.press('2');
    await waitFor('four windows', async () => (await tiles().count()) === 4);
    await row('Car Park').click();
    await areLive(1);
    // What a camera can do is known a moment after its picture is there, and has its buttons then.
    const walked = async () => {
      await page.locator('[data-cell="0"] [data-handle]').focus();
      const own = await page
        .locator('[data-cell="0"] [role="toolbar"] button')
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
      const names: string[] = [];
      while (names.length < own.length) {
        await page.keyboard.press('Tab');
        names.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''));
      }
      for (const key of ['live.still', 'live.record', 'live.unmute', 'live.maximise', 'live.remove'] as const) {
        expect(own).toContain(words[key]);
      }
      expect(names).toEqual(own);
      return true;
    };
    await waitFor('each button by Tab', walked);
    expect(watched.problems).toEqual([]);
  });

  it('offers PTZ and talk by what the camera can do, as soon as the pointer is on its tile', async () => {
    await row('Roof').click();
    await areLive(2);
    const second = page.locator('[data-cell="1"]');
    await page.locator('[data-cell="0"] [data-handle]').focus();
    await waitFor('the first tile selected', async () => (await second.getAttribute('data-selected')) === null);
    await second.hover();
    await second.getByRole('button', { name: words['ptz.button'] }).waitFor();
    const { capabilities } = await operator.ok('channel/capacity', { deviceSerial: 'VDROOF0005', channelNo: 1 });
    expect(await second.getByRole('button', { name: words['talk.button'] }).count()).toBe(
      capabilities.includes('talk') ? 1 : 0,
    );
    expect(await second.getAttribute('data-selected'), 'the pointer selects nothing').toBeNull();
    await shot(page, 'live-hover-controls');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await page.locator('[data-cell="0"] [data-handle]').focus();
  });

  it('says at 1280 pixels what was done below the bar above the wall, over none of its buttons', async () => {
    const usual = page.viewportSize();
    await page.setViewportSize({ width: 1280, height: 800 });
    const bar = await page.locator('[data-page-bar]').boundingBox();
    await clear().click();
    const toast = page.getByRole('status').filter({ hasText: words['live.cleared'] });
    const place = await toast.boundingBox();
    expect(place?.y ?? 0).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
    await shot(page, 'live-toast');
    await toast.getByRole('button').click();
    await areLive(1);
    if (usual !== null) await page.setViewportSize(usual);
    await page.locator('[data-cell="0"] [data-handle]').focus();
  });

  it('has a menu on tiles and on rows of the tree, by the right button and by Shift+F10', async () => {
    const menu = page.getByRole('menu');
    const entry = (name: string): Locator => menu.getByRole('menuitem', { name });
    await row('Roof').click({ button: 'right' });
    await entry(words['live.showOnWall']).click();
    await areLive(2);
    const second = page.locator('[data-cell="1"]');
    await second.click({ button: 'right', position: { x: 120, y: 80 } });
    for (const key of ['live.maximise', 'live.still', 'live.record', 'replay.start', 'live.playBack'] as const)
      await entry(words[key]).waitFor();
    await entry(words['ptz.button']).waitFor();
    await entry(words['live.deviceDetails']).waitFor();
    await expectNoProblems(watched, 'live-menu');
    await menu.getByRole('menuitemradio', { name: words['live.quality1'] }).click();
    await second.hover();
    await second.getByText(new RegExp(words['live.quality1'])).waitFor({ timeout: 30_000 });
    await second.locator('[data-handle]').focus();
    await page.keyboard.press('Shift+F10');
    await page.locator('[role=menu]:focus, [role=menu] :focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await entry(words['live.remove']).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await waitFor('its place free', async () => (await second.getAttribute('data-state')) === 'empty');
    await page.getByRole('tree').focus();
    await page.keyboard.press('Shift+F10');
    await entry(words['live.deviceDetails']).waitFor();
    await shot(page, 'live-row-menu');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await page.locator('[data-cell="0"] [data-handle]').focus();
  });

  it('[LV-09] saves the snapshot of a tile; the capture call returns a JPEG; both decode', async () => {
    await page.locator('[data-cell="0"] [data-handle]').focus();
    const saved = page.waitForEvent('download');
    await page.keyboard.press('s');
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^Car Park \d{4}-\d{2}-\d{2} .*\.jpg$/);
    const still = await verifyMedia(await file.path());
    expect(still).toMatchObject({ codecs: ['mjpeg'], frames: 1, errors: '' });

    const { url } = await operator.ok('capture/get', GATE);
    const answer = await fetch(new URL(url, product.url));
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    const capture = await verifyMedia('-', Buffer.from(await answer.arrayBuffer()));
    expect(capture).toMatchObject({ codecs: ['mjpeg'], frames: 1, errors: '' });
  });
});

describe('a tile without video', () => {
  it('[LV-01] [PM-03] says that its camera is offline, and why', async () => {
    await emptyWall();
    await row('Pier Camera').click();
    const tile = page.locator('[data-cell][data-state=offline]');
    await tile.getByText(words['live.offline'], { exact: true }).waitFor({ timeout: 30_000 });
    await tile.getByText(words.reason_unreachable).waitFor();
    await tile.getByRole('button', { name: words['common.retry'] }).waitFor();
    await expectNoProblems(watched, 'live-offline');
  });

  it('says in an instant replay that nothing was recorded', async () => {
    await page.keyboard.press('b');
    const replay = page.locator('[data-replay]');
    await replay.getByText(words['replay.nothing']).waitFor({ timeout: 30_000 });
    await expectNoProblems(watched, 'live-replay-nothing');
    await replay.getByRole('button', { name: words['replay.toLive'] }).click();
    await replay.waitFor({ state: 'detached' });
  });

  it('[LV-01] shows the last snapshot with its age while its camera is offline, and recovers by itself', async () => {
    await emptyWall();
    await row('Dock 3').click();
    await areLive(1);
    await liveClock(page, '[data-state=live]');
    await control('VDDOCK0006', 'stop');
    const tile = page.locator('[data-cell="0"]');
    await waitFor(
      'the tile to say so',
      async () => /stalled|offline/.test((await tile.getAttribute('data-state')) ?? ''),
      20_000,
    );
    await tile.getByText(saying(words['live.stillAge'])).waitFor();
    expect(
      await tile.locator('canvas[data-shown]').evaluate((still: HTMLCanvasElement) => still.width),
    ).toBeGreaterThan(0);
    await shot(page, 'live-stalled');
    await waitFor('the state offline', async () => (await tile.getAttribute('data-state')) === 'offline', 45_000);
    await tile.getByText(words.reason_unreachable).waitFor();
    await tile.getByText(saying(words['live.stillAge'])).waitFor();
    await expectNoProblems(watched, 'live-camera-stopped');
    await control('VDDOCK0006', 'start');
    await areLive(1);
    expect(await liveClock(page, '[data-state=live]')).toBeLessThan(2000);
    expect(watched.problems).toEqual([]);
  }, 150_000);

  it('blames no camera while the server does not answer, and recovers by itself', async () => {
    await emptyWall();
    await row('Gate House').click();
    await areLive(1);
    const tile = page.locator('[data-cell="0"]');
    const connection = page.locator('[data-connection]');
    await connection.getByText(words['connection.online']).waitFor();
    const gateway = await findProcess(product.process.pid ?? 0, 'main-gateway.ts');
    const said: string[] = [];
    process.kill(gateway.pid, 'SIGSTOP');
    try {
      await waitFor(
        'the tile to say so',
        async () => {
          said.push(...(await tile.locator('p').allTextContents()));
          return said.includes(words['live.serverAway']);
        },
        20_000,
      );
      await connection.getByText(words['connection.reconnecting']).waitFor();
      await tile.getByText(saying(words['live.stillAge'])).waitFor();
      await shot(page, 'live-server-away');
    } finally {
      process.kill(gateway.pid, 'SIGCONT');
    }
    for (const key of ['live.stalledStream', 'live.stalledConnection', 'live.offline'] as const)
      expect(said).not.toContain(words[key]);
    await areLive(1);
    await connection.getByText(words['connection.online']).waitFor({ timeout: 20_000 });
    expect(await liveClock(page, '[data-state=live]')).toBeLessThan(2000);
  }, 90_000);

  it('[LV-01] pauses while the page is hidden, and is live again at once', async () => {
    await setHidden(true);
    await waitFor('the tile to pause', async () => (await tiles('paused').count()) === 1, 15_000);
    await page.getByText(words['live.pausedDetail']).waitFor();
    await expectNoProblems(watched, 'live-paused');
    await setHidden(false);
    await areLive(1);
    expect(await liveClock(page, '[data-state=live]')).toBeLessThan(2000);
  });

  /** A browser without a screen never hides a page: the page is told that it is. */
  async function setHidden(isHidden: boolean): Promise<void> {
    await page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => (hidden ? 'hidden' : 'visible'),
      });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  }
});

describe.each([
  { how: 'withdrawn', colorScheme: 'dark' },
  { how: 'over by its time', colorScheme: 'light' },
] as const)('a share that is $how', ({ how, colorScheme }) => {
  it('[PM-04] [SE-33] stops its video within 2 s, and the tile says why', async () => {
    await operator.call('user/add', { username: GUEST[0], password: GUEST[1], userType: 2 });
    const given = { account: GUEST[0], items: [GATE], permission: ['videoView'] as const };
    const { shareId } = await operator.ok('share/add', { ...given, permission: [...given.permission] });
    const guest = await openSignedIn(browser, product, { path: '/homepage/liveVideo', account: GUEST, colorScheme });
    await guest.page.getByRole('treeitem', { name: 'Gate House' }).waitFor();
    await expect.poll(() => guest.page.getByRole('treeitem').count()).toBe(1);
    await guest.page.getByRole('treeitem', { name: 'Gate House' }).click();
    await liveClock(guest.page, '[data-state=live]');
    await watchFrames(guest.page);
    await waitFor('frames to be counted', async () => (await framesOf(guest.page)).count > 5);

    const endedAt = how === 'withdrawn' ? Date.now() : Date.now() + 4000;
    if (how === 'withdrawn') await operator.ok('share/delete', { shareId, shareType: 2 });
    else await operator.ok('share/update', { shareId, endTime: endedAt });
    const tile = guest.page.locator('[data-cell="0"]');
    await tile.getByText(words.errCode_1017).waitFor({ timeout: 40_000 });
    const { lastAt, darkAt } = await framesOf(guest.page);
    expect(lastAt - endedAt).toBeLessThan(2000);
    expect(darkAt - endedAt).toBeLessThan(2000);
    // Not before its time either.
    if (how !== 'withdrawn') expect(darkAt - endedAt).toBeGreaterThan(-100);
    expect(await tile.getAttribute('data-state')).toBe('ended');
    expect(await tile.locator('canvas').evaluate((still: HTMLCanvasElement) => still.width)).toBe(0);
    expect(await tile.locator('video').evaluate((video: HTMLVideoElement) => video.readyState)).toBe(0);
    await guest.page.getByRole('treeitem', { name: 'Gate House' }).waitFor({ state: 'detached' });
    await tile.getByText('Gate House').waitFor();
    await expectNoProblems(guest, `live-share-${colorScheme}`);
    await guest.close();
  });
});

describe('at phone width', () => {
  it('[LV-01] signs in, shows the tree over the wall, and one tile below the other, sized for touch', async () => {
    const said = LANGUAGES[1].words;
    const phone = await openPage(browser, { width: 390, height: 844, locale: 'zh-CN', colorScheme: 'light' });
    const { page: on } = phone;
    await on.goto(`${product.url}/login?${new URLSearchParams({ from: '/homepage/liveVideo' })}`);
    await on.getByLabel(said['login.account'], { exact: true }).waitFor();
    const misfits = await phoneMisfits(phone, 'phone-login');
    await signIn(on, said, ...OPERATOR);
    for (const [at, name] of ['Main Lobby', 'Roof'].entries()) {
      await on.getByRole('button', { name: said['live.showTree'] }).click();
      const drawer = on.getByRole('dialog', { name: said['tree.label'] });
      await drawer.getByRole('treeitem', { name }).click();
      await drawer.waitFor({ state: 'detached' });
      await waitFor('the picture', async () => (await on.locator('[data-cell][data-state=live]').count()) > at, 45_000);
    }
    const boxes = await on
      .locator('[data-cell][data-state=live]')
      .evaluateAll((tiles) =>
        tiles.map((tile) => tile.getBoundingClientRect()).map(({ left, top, width }) => ({ left, top, width })),
      );
    expect(boxes.map(({ left, width }) => [left, width])).toEqual([
      [0, 390],
      [0, 390],
    ]);
    expect(boxes[0]?.top).not.toBe(boxes[1]?.top);
    misfits.push(...(await phoneMisfits(phone, 'phone-live')));
    await on.getByRole('button', { name: said['live.showTree'] }).click();
    await on.getByRole('dialog', { name: said['tree.label'] }).getByRole('treeitem', { name: 'Roof' }).waitFor();
    misfits.push(...(await phoneMisfits(phone, 'phone-tree')));
    await on.keyboard.press('Escape');
    for (const [screen, name] of [
      ['screen.playback', 'phone-playback'],
      ['screen.alarms', 'phone-alarms'],
    ] as const) {
      await on.getByRole('navigation').getByRole('link', { name: said[screen] }).click();
      await on.getByRole('heading', { level: 1, name: said[screen] }).waitFor({ state: 'attached' });
      await on.getByRole('status', { name: said['common.loading'] }).waitFor({ state: 'detached' });
      misfits.push(...(await phoneMisfits(phone, name)));
    }
    expect(misfits).toEqual([]);
    await phone.close();
  });
});
