// Cameras dragged between windows of the console: the payload goes between pages of one account, the browser carries a token alone.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const GUARD = ['guard', 'Visit-2026'] as const;

let product: Product;
let browser: Browser;
let operator: ApiClient;
let cameras: VirtualSite;
let watched: WatchedPage;
let page: Page;
/** Wall 2, in a window that the page opened. */
let other: Page;

beforeAll(async () => {
  [product, browser, cameras] = await Promise.all([
    Product.start(),
    openBrowser(),
    startVirtualSite(['--cameras', '4']),
  ]);
  operator = await product.setUp(...OPERATOR);
  await addAll(operator, cameras.devices);
  await operator.ok('user/add', { username: GUARD[0], password: GUARD[1], userType: 2 });
  watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
  ({ page } = watched);
  await row('Camera 0001').waitFor();
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: words['live.popOut'], exact: true }).click();
  other = await opened;
  await other.waitForURL(/\/homepage\/liveWindow\/2$/);
  await tile(other, 0).waitFor();
  await listen(other);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), cameras?.stop()]);
});

const row = (name: string): Locator => page.getByRole('tree').getByRole('treeitem', { name });
const tile = (on: Page, cell: number): Locator => on.locator(`[data-cell="${cell}"]`);
const shows = async (on: Page, cell: number, name: string): Promise<boolean> =>
  (await tile(on, cell).locator('[data-handle]').getAttribute('aria-label'))?.includes(name) ?? false;
const isEmpty = async (on: Page, cell: number): Promise<boolean> =>
  (await tile(on, cell).getAttribute('data-state')) === 'empty';

/** Presses and pulls until the browser drags; answers the types that it carries. The pointer stays down. */
async function pull(from: Locator): Promise<string[]> {
  await page.bringToFront();
  await page.evaluate(() => {
    const carried = { types: null as readonly string[] | null };
    Object.assign(window, { carried });
    window.addEventListener('dragstart', (event) => (carried.types = event.dataTransfer?.types ?? []), { once: true });
  });
  await from.hover();
  await page.mouse.down();
  const box = await from.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
  await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 12);
  const read = () =>
    page.evaluate(() => (window as unknown as { carried: { types: readonly string[] | null } }).carried.types);
  return [...((await waitFor('the drag to begin', async () => (await read()) ?? undefined)) ?? [])];
}

/** From now on the page keeps what windows tell each other last; it hears that after the console does. */
const listen = (on: Page): Promise<void> =>
  on.evaluate(() => {
    const heard = { line: new BroadcastChannel('vedette.drag'), kind: '' };
    heard.line.onmessage = ({ data }: MessageEvent<{ kind: string }>) => (heard.kind = data.kind);
    Object.assign(window, { heard });
  });
const hears = (on: Page, kind: 'begin' | 'end'): Promise<unknown> =>
  waitFor(`the ${kind} of the drag`, () =>
    on.evaluate((wanted) => (window as unknown as { heard: { kind: string } }).heard.kind === wanted, kind),
  );

/** Lets go where nothing takes it. */
async function letGo(): Promise<void> {
  await page.mouse.move(2, 2);
  await page.mouse.up();
}

/** What the window system brings to a page when a drag that began in another comes over it and is let go there. */
async function dropOn(on: Page, cell: number, types: readonly string[]): Promise<void> {
  const box = await tile(on, cell).boundingBox();
  if (box === null) throw new Error('no tile');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const data = { items: types.map((mimeType) => ({ mimeType, data: '1' })), dragOperationsMask: 1 | 16 };
  const cdp = await on.context().newCDPSession(on);
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, x, y, data });
  await cdp.detach();
}

describe('[LV-01] [SE-91] a camera dragged to another window', () => {
  it('from the tree opens in the tile it is dropped on', async () => {
    const types = await pull(row('Camera 0001'));
    expect(types.join(' ')).toMatch(/^application\/x-vedette-[0-9a-f]{32}$/u);
    await hears(other, 'begin');
    await dropOn(other, 1, types);
    await letGo();
    await waitFor('the camera there', () => shows(other, 1, 'Camera 0001'));
    expect(await isEmpty(page, 1)).toBe(true);
  });

  it('from a tile of the wall opens there too', async () => {
    await row('Camera 0002').dragTo(tile(page, 2));
    await waitFor('the camera here', () => shows(page, 2, 'Camera 0002'));
    const types = await pull(tile(page, 2));
    await hears(other, 'begin');
    await dropOn(other, 3, types);
    await letGo();
    await waitFor('the camera there', () => shows(other, 3, 'Camera 0002'));
    expect(await shows(page, 2, 'Camera 0002')).toBe(true);
    await tile(page, 2).dragTo(tile(page, 0));
    await waitFor('it to change places here', async () => {
      const [before, after] = await Promise.all([tile(page, 2).boundingBox(), tile(page, 0).boundingBox()]);
      return before !== null && after !== null && before.x + before.y < after.x + after.y;
    });
  });

  it('has no effect after the drag ended, even when its token was seen', async () => {
    const types = await pull(row('Camera 0003'));
    await hears(other, 'begin');
    await letGo();
    await hears(other, 'end');
    await dropOn(other, 0, types);
    const again = await pull(row('Camera 0003'));
    await hears(other, 'begin');
    await dropOn(other, 2, again);
    await letGo();
    await waitFor('the one that is dragged', () => shows(other, 2, 'Camera 0003'));
    expect(await isEmpty(other, 0)).toBe(true);
  });

  it('has no effect in a window of another account', async () => {
    const guard = await product.signIn(...GUARD);
    const { userId } = await guard.ok('account/info', {});
    const auth = { accessToken: guard.accessToken, expireTime: Date.now() + 3_600_000, userId, userName: GUARD[0] };
    const foreign = await watched.context.newPage();
    await foreign.addInitScript(
      (stored) => sessionStorage.setItem('vedette.auth', stored),
      JSON.stringify({ version: 1, auth: { ...auth, serverAddress: '', userType: 2 } }),
    );
    await foreign.goto(`${product.url}/homepage/liveVideo`);
    await tile(foreign, 0).waitFor();
    await listen(foreign);
    const types = await pull(row('Camera 0004'));
    await Promise.all([hears(foreign, 'begin'), hears(other, 'begin')]);
    await dropOn(foreign, 0, types);
    await dropOn(other, 0, types);
    await letGo();
    await waitFor('it in the window of the same account', () => shows(other, 0, 'Camera 0004'));
    expect(await isEmpty(foreign, 0)).toBe(true);
    await foreign.close();
    expect(watched.problems).toEqual([]);
  });
});
