// Live wall: saved layouts, tours, detached windows, digital zoom, keys, manual recording.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, signIn, signOut } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const GUARD = ['guard', 'Visit-2026'] as const;

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

const tiles = (state = '', on = page): Locator =>
  on.locator(`[data-cell]:not([data-warm])${state === '' ? '' : `[data-state=${state}]`}`);
const row = (name: string): Locator => page.getByRole('tree').getByRole('treeitem', { name });
const menu = (): Locator => page.getByRole('dialog', { name: words['layouts.menu'] });
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

async function areLive(count: number, on = page): Promise<void> {
  await waitFor(
    `${count} live tiles`,
    async () => {
      const states = await tiles('', on).evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['state']));
      if (states.filter((state) => state === 'live').length === count) return true;
      throw new Error(`they are ${states.join(', ')}`);
    },
    45_000,
  );
}

async function layoutNames(): Promise<string[]> {
  return (await operator.ok('layout/list', {})).layoutList.map(({ name }) => name);
}

async function openMenu(): Promise<void> {
  await page.keyboard.press('l');
  await menu().waitFor();
}

async function saveAs(name: string, isShared: boolean): Promise<void> {
  await openMenu();
  await menu().getByRole('button', { name: words['layouts.saveAs'] }).click();
  const dialog = page.getByRole('dialog', { name: words['layouts.saveNew'] });
  await dialog.getByLabel(words['layouts.name'], { exact: true }).fill(name);
  if (isShared) await dialog.getByLabel(words['layouts.share']).click();
  await dialog.getByRole('button', { name: words['common.save'] }).click();
  await dialog.waitFor({ state: 'detached' });
  await waitFor(`the layout ${name}`, async () => (await layoutNames()).includes(name));
  await page.keyboard.press('Escape');
  await menu().waitFor({ state: 'detached' });
}

describe('saved layouts', () => {
  it('[LV-01] fills the wall with a whole organisation, by drag and by key, and saves it by name', async () => {
    await row('Main Building').dragTo(page.locator('[data-cell="0"]'));
    await areLive(3);
    await row('Waterfront').click();
    await page.locator('[role=tree]:focus').waitFor();
    await page.keyboard.press('Shift+Enter');
    await waitFor('the fourth window', async () => (await tiles('empty').count()) === 0);
    // The click has closed its row.
    await row('Waterfront').click();
    await saveAs('Buildings', true);
    const [saved] = (await operator.ok('layout/list', {})).layoutList;
    expect(saved).toMatchObject({ name: 'Buildings', split: 4, shared: true });
    expect(saved?.tiles).toHaveLength(4);
  });

  it('shows when the wall differs from the layout, and saves it again', async () => {
    await page.keyboard.press('3');
    const control = page.getByRole('button', { name: `${words['layouts.menu']}: Buildings` });
    await control.getByText(words['layouts.unsaved']).waitFor();
    await openMenu();
    await expectNoProblems(watched, 'wall-layouts-changed');
    await menu().getByRole('button', { name: words['layouts.save'], exact: true }).click();
    await control.getByText(words['layouts.unsaved']).waitFor({ state: 'detached' });
    expect((await operator.ok('layout/list', {})).layoutList[0]).toMatchObject({ split: 9, version: 2 });
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'detached' });
  });

  it('refuses a stale save, shows the newer layout, and loads it', async () => {
    const [seen] = (await operator.ok('layout/list', {})).layoutList;
    if (!seen) throw new Error('no layout');
    const { layoutId, version, tiles: kept } = seen;
    await operator.ok('layout/save', {
      layoutId,
      version,
      name: 'Front',
      split: 4,
      tiles: kept.slice(0, 2),
      shared: true,
    });
    await page.keyboard.press('4');
    await waitFor('sixteen windows', async () => (await tiles().count()) === 16);
    await openMenu();
    await menu().getByRole('button', { name: words['layouts.save'], exact: true }).click();
    const dialog = page.getByRole('dialog', { name: words['layouts.staleTitle'] });
    await dialog.getByText('Front').waitFor();
    await expectNoProblems(watched, 'wall-layouts-stale');
    await dialog.getByRole('button', { name: words['layouts.staleShow'] }).click();
    await waitFor('the newer wall', async () => (await tiles().count()) === 4 && (await tiles('empty').count()) === 2);
    await page.getByRole('button', { name: `${words['layouts.menu']}: Front` }).waitFor();
  });

  it('[SE-20] shows a shared layout to a sub-account without channels it may not view', async () => {
    const { orgList } = await operator.ok('org/list', {});
    const campus = orgList.find((one) => one.organizationName === 'Harbour Campus');
    const { orgList: below } = await operator.ok('org/list', { organizationId: campus?.organizationId ?? '' });
    const waterfront = below.find((one) => one.organizationName === 'Waterfront');
    await operator.ok('user/add', {
      username: GUARD[0],
      password: GUARD[1],
      userType: 5,
      organizationIds: [waterfront?.organizationId ?? ''],
    });
    await row('Dock 3').click();
    await saveAs('Harbour', true);
    const guard = await openSignedIn(browser, product, {
      path: '/homepage/liveVideo',
      account: GUARD,
      colorScheme: 'light',
    });
    await guard.page.getByRole('treeitem', { name: 'Dock 3' }).waitFor();
    await guard.page.keyboard.press('l');
    await guard.page.getByRole('button', { name: /^4 Harbour/ }).waitFor();
    await expectNoProblems(guard, 'wall-layouts-shared');
    expect(await guard.page.getByRole('button', { name: /^Delete / }).count()).toBe(0);
    await guard.page.getByRole('button', { name: /^4 Harbour/ }).click();
    await areLive(1, guard.page);
    expect(await tiles('empty', guard.page).count()).toBe(3);
    await guard.page.locator('[data-state=live]').getByText('Dock 3').waitFor();
    expect(guard.problems).toEqual([]);
    await guard.close();
  });

  it('is deleted after confirmation', async () => {
    await openMenu();
    await menu().getByRole('button', { name: 'Delete Harbour' }).click();
    await menu().getByText(words['layouts.deleteShared']).waitFor();
    await menu().getByRole('button', { name: words['common.delete'], exact: true }).click();
    await waitFor('it to be gone', async () => !(await layoutNames()).includes('Harbour'));
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'detached' });
  });
});

describe('a tour', () => {
  it('cycles through layouts, each page live when shown, and pauses on demand', async () => {
    await page.keyboard.press('1');
    await waitFor('one window', async () => (await tiles().count()) === 1);
    await row('Car Park').click();
    await areLive(1);
    await saveAs('Car park alone', false);
    await page.mouse.move(0, 0);
    await button(words['tour.menu']).click();
    const form = page.getByRole('dialog', { name: words['tour.menu'] });
    await form.getByLabel(words['tour.dwell']).fill('3');
    await form.getByRole('button', { name: words['tour.start'] }).click();
    await form.getByText(words['tour.dwellProblem']).waitFor();
    await form.getByLabel(words['tour.dwell']).fill('5');
    await form.getByRole('button', { name: words['tour.start'] }).click();
    const bar = page.getByRole('group', { name: words['tour.title'] });
    await bar.getByText('1 of 2').waitFor();
    await waitFor('the first page', async () => (await tiles().count()) === 1);
    await areLive(1);
    await watchTurns();
    await bar.getByText('2 of 2').waitFor({ timeout: 20_000 });
    await bar.getByText('1 of 2').waitFor({ timeout: 20_000 });
    expect(await page.evaluate(() => (window as unknown as { dark: string[] }).dark)).toEqual([]);
    await page.keyboard.press('Space');
    await bar.getByText(words['tour.held']).waitFor();
    // On a busy machine it has turned once more before it held.
    if ((await bar.getByText('1 of 2').count()) === 1) await page.keyboard.press('PageDown');
    await bar.getByText('2 of 2').waitFor();
    await areLive(2);
    await expectNoProblems(watched, 'wall-tour-held');
    await page.reload();
    await bar.getByText('2 of 2').waitFor();
    await bar.getByText(words['tour.held']).waitFor();
    await areLive(2);
    await page.keyboard.press('Space');
    await bar.getByText('1 of 2').waitFor({ timeout: 20_000 });
    await page.keyboard.press('Shift+T');
    await bar.waitFor({ state: 'detached' });
    expect(await page.locator('[data-warm]').count()).toBe(0);
  });

  /** Notes every tile that comes into sight without a picture. */
  async function watchTurns(): Promise<void> {
    await page.evaluate(() => {
      const dark: string[] = [];
      Object.assign(window, { dark });
      const look = (): void => {
        for (const tile of document.querySelectorAll('[data-cell]:not([data-warm]):not([data-state=empty])')) {
          const video = tile.querySelector('video');
          const canvas = tile.querySelector('canvas[data-shown]');
          // One that stalls on a busy machine keeps its picture.
          const isLive = /^(?:live|stalled)$/.test(tile.getAttribute('data-state') ?? '');
          const hasPicture =
            (video?.videoWidth ?? 0) > 0 || canvas !== null || tile.querySelectorAll('canvas').length > 1;
          if (!isLive || !hasPicture) dark.push(`${tile.getAttribute('data-cell')} ${tile.getAttribute('data-state')}`);
        }
      };
      const wall = document.querySelector('[data-split]');
      if (wall)
        new MutationObserver(look).observe(wall, { subtree: true, attributeFilter: ['data-warm'], childList: true });
    });
  }
});

describe('by pointer and by key', () => {
  it('zooms into the image by wheel, drag and keys, with a map, and resets', async () => {
    // By its place: a tile that stalls for a moment is still the same one.
    const tile = page.locator('[data-cell]:not([data-state=empty])').first();
    const picture = tile.locator('video').locator('..');
    const transform = (): Promise<string> => picture.evaluate((element) => element.style.transform);
    const map = tile.locator('[data-zoom-map]');
    const box = await tile.boundingBox();
    if (!box) throw new Error('no tile');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -300);
    await map.getByText('2.1×').waitFor();
    const before = await transform();
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4, { steps: 4 });
    await page.mouse.up();
    await expect.poll(transform).not.toBe(before);
    await expectNoProblems(watched, 'wall-zoom');
    await page.keyboard.press('+');
    await map.getByText('2.6×').waitFor();
    const panned = await transform();
    await page.keyboard.press('ArrowLeft');
    await waitFor('the picture to move', async () => (await transform()) !== panned);
    await page.keyboard.press('Escape');
    await map.waitFor({ state: 'detached' });
    await page.mouse.wheel(0, -200);
    await map.waitFor();
    await tile.dblclick({ position: { x: 40, y: 100 } });
    await map.waitFor({ state: 'detached' });
    expect(await page.locator('[data-maximised]').count()).toBe(0);
  });

  it('shows stream details, and records manually', async () => {
    await page.keyboard.press('i');
    const info = page.locator('[data-selected] [data-tile-info]');
    await info.getByText(/kbit\/s/).waitFor({ timeout: 20_000 });
    await info.getByText(/H\.264/).waitFor();
    await page.keyboard.press('r');
    await page.locator('[data-selected]').getByText(words['live.recordMark'], { exact: true }).waitFor();
    await expectNoProblems(watched, 'wall-info-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expectNoProblems(watched, 'wall-info-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.keyboard.press('i');
    await info.waitFor({ state: 'detached' });
  });

  it('[LV-01] keys select 25, 36, 64 windows and one large window, and move a tile', async () => {
    const placeOf = (): Promise<string> =>
      page.locator('[data-selected]').evaluate((tile: HTMLElement) => tile.style.gridArea);
    for (const [key, count] of [
      ['5', 25],
      ['6', 36],
      ['7', 64],
      ['9', 8],
      ['8', 6],
    ] as const) {
      await page.keyboard.press(key);
      await waitFor(`${count} windows`, async () => (await tiles().count()) === count);
    }
    await tiles().first().locator('[data-handle]').focus();
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    const place = '1 / 1 / span 2 / span 2';
    await expect.poll(placeOf).toBe(place);
    await page.keyboard.press('Shift+ArrowDown');
    await waitFor('it to move', async () => (await placeOf()) !== place);
    await page.keyboard.press('Shift+ArrowUp');
    await waitFor('it to move back', async () => (await placeOf()) === place);
  });

  it('undoes a cleared wall by its message and by Ctrl+Z, and redoes it', async () => {
    const cameras = page.locator('[data-cell]:not([data-state=empty])');
    const before = await cameras.count();
    await page.getByRole('button', { name: words['live.fill'] }).first().click();
    await expect.poll(() => cameras.count()).toBeGreaterThan(before);
    const filled = await cameras.count();
    await page.getByRole('button', { name: words['live.clear'], exact: true }).click();
    await expect.poll(() => cameras.count()).toBe(0);
    await page.getByRole('button', { name: words['common.undo'], exact: true }).click();
    await expect.poll(() => cameras.count()).toBe(filled);
    await page.keyboard.press('Control+Shift+Z');
    await expect.poll(() => cameras.count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => cameras.count()).toBe(filled);
    await page.keyboard.press('Control+z');
    await expect.poll(() => cameras.count()).toBe(before);
  });

  it('lists every key of the wall in the shortcut sheet', async () => {
    await page.keyboard.press('Shift+?');
    const sheet = page.getByRole('dialog', { name: words['keys.title'] });
    for (const key of [
      'live.split64',
      'live.moveLeft',
      'live.zoomIn',
      'live.record',
      'layouts.menu',
      'tour.toggle',
      'live.popOut',
    ] as const) {
      await sheet.getByText(words[key]).waitFor();
    }
    await expectNoProblems(watched, 'wall-keys');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });
});

describe('a detached window', () => {
  it('[LV-01] opens the wall, stays separate, and returns after signing in again', async () => {
    await page.goto(`${product.url}/homepage/liveVideo`);
    await row('Main Building').waitFor();
    await page.keyboard.press('2');
    await waitFor('four windows', async () => (await tiles().count()) === 4);
    await row('Main Building').dragTo(page.locator('[data-cell="0"]'));
    await areLive(3);
    const opened = page.waitForEvent('popup');
    await button(words['live.popOut']).click();
    const other = await opened;
    await other.waitForURL(/\/homepage\/liveWindow\/2$/);
    await areLive(3, other);
    await other.getByRole('heading', { name: 'Wall 2' }).waitFor();
    expect(await other.getByRole('navigation').count()).toBe(0);
    await other.keyboard.press('1');
    await waitFor('one window there', async () => (await tiles('', other).count()) === 1);
    expect(await tiles().count()).toBe(4);
    await areLive(1, other);

    await signOut(page, words);
    await other.waitForURL(/\/login\?from=/);
    await signIn(page, words, ...OPERATOR);
    await other.waitForURL(/\/homepage\/liveWindow\/2$/);
    // Only what is looked at is decoded.
    await other.bringToFront();
    await areLive(1, other);
    await other.close();
    // A window that closes writes its place as its last act, which may come after it is gone for us.
    const kept = await waitFor(
      'its place',
      async () => (await page.evaluate(() => localStorage.getItem('vedette.wall.2.place'))) ?? undefined,
    );
    const place = JSON.parse(kept) as { left: number; top: number; width: number; height: number };
    expect(place).toMatchObject({ width: expect.any(Number), height: expect.any(Number) });
    await page.evaluate(() => {
      const open = window.open.bind(window);
      window.open = (url, name, features) => {
        Object.assign(window, { askedFeatures: features });
        return open(url, name, features);
      };
    });
    const again = page.waitForEvent('popup');
    await button(words['live.popOut']).click();
    await (await again).waitForURL(/\/homepage\/liveWindow\/2$/);
    const asked = await page.evaluate(() => (window as unknown as { askedFeatures: string }).askedFeatures);
    expect(asked).toBe(`popup,left=${place.left},top=${place.top},width=${place.width},height=${place.height}`);
    expect(watched.problems).toEqual([]);
  });
});
