// Sharing in the console: a camera lent for an hour in a few clicks, seen by the other, taken back; a guest link with a password and a clip.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, movingPicture } from './console-steps.ts';
import { looksRight, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const FRIEND = ['friend', 'Visit-2026'] as const;
const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let site: VirtualSite;
let watched: WatchedPage;
let page: Page;
let friend: WatchedPage;
let dev: { deviceSerial: string; channelNo: number };

beforeAll(async () => {
  [product, browser, site] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  const camera = site.devices.find(({ kind }) => kind === 'camera');
  if (!camera) throw new Error('no camera');
  const { target, user, password } = camera;
  const { device } = await operator.ok('device/add', { target, user, password, deviceName: 'Gate' });
  dev = { deviceSerial: device.deviceSerial, channelNo: 1 };
  await operator.ok('user/add', { username: FRIEND[0], password: FRIEND[1], userType: 2 });
  watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  page = watched.page;
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

const button = (name: string, scope: Page | Locator = page): Locator =>
  scope.getByRole('button', { name, exact: true });
const treeItem = (on: Page, name: string): Locator => on.getByRole('treeitem', { name });

/** Counts the presses of the pointer in the page from now on. */
async function countClicks(): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { clicks: 0 };
    Object.assign(window, { counted });
    document.addEventListener('pointerdown', () => (counted.clicks += 1), true);
  });
  return () => page.evaluate(() => (window as unknown as { counted: { clicks: number } }).counted.clicks);
}

describe('[SH-01] [SH-03] [FT-39] a camera', () => {
  it('is lent for an hour in at most four clicks, and the other account sees it live', async () => {
    const row = page.getByRole('row', { name: 'Gate', exact: true });
    await row.waitFor();
    const clicks = await countClicks();
    await row.click();
    await button(words['share.open']).click();
    const dialog = page.getByRole('dialog', { name: words['share.title'].replace('{name}', 'Gate') });
    await dialog.getByLabel(words['share.account'], { exact: true }).pressSequentially(FRIEND[0]);
    await dialog.getByText(words['share.valid_hour'], { exact: true }).click();
    await looksRight(watched, 'share-dialog');
    await button(words['share.go'], dialog).click();
    await page.getByText(words['share.done'].replace('{account}', FRIEND[0])).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(4);
    const [share] = (await operator.ok('share/given/list', {})).shareList;
    expect(share).toMatchObject({ permission: ['Realplay'], state: 'active' });
    expect(Math.abs((share?.endTime ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);

    friend = await openSignedIn(browser, product, {
      path: '/homepage/liveVideo',
      account: FRIEND,
      colorScheme: 'light',
      locale: 'zh-CN',
    });
    await treeItem(friend.page, 'Gate').click();
    await movingPicture(friend.page, '[data-state=live]');
    // Whose it is and until when.
    await treeItem(friend.page, 'Gate').getByTitle(OPERATOR[0]).waitFor();
  });

  it('is found among the shares of both, and changed', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByRole('link', { name: words['screen.share'] }).click();
    await page.getByRole('row', { name: `Gate, ${FRIEND[0]}` }).click();
    await looksRight(watched, 'share-given');
    await button(words['share.edit']).click();
    const dialog = page.getByRole('dialog');
    await button(words['share.right_Replay'], dialog)
      .or(dialog.getByRole('button', { name: words['share.right_Replay'] }))
      .click();
    await dialog.getByText(words['share.more'], { exact: true }).click();
    await looksRight(watched, 'share-edit');
    await button(words['share.save'], dialog).click();
    await page.getByText(words['share.changed']).waitFor();
    const [share] = (await operator.ok('share/given/list', {})).shareList;
    expect(share?.permission).toEqual(['Realplay', 'Replay']);

    const chinese = wordsOf('zh-CN');
    const other = await friend.context.newPage();
    await other.goto(`${product.url}/homepage/myShareContainer?tab=received`);
    await other.getByRole('row', { name: `Gate, ${OPERATOR[0]}` }).click();
    await other.getByRole('button', { name: chinese['share.quit'] }).waitFor();
    await looksRight({ ...friend, page: other }, 'share-received-light-zh');
    await other.close();
  });

  it('[SE-33] is dark within two seconds of its withdrawal, and a reload still says why', async () => {
    const chinese = wordsOf('zh-CN');
    await button(words['share.withdraw']).click();
    const dialog = page.getByRole('dialog');
    const tile = friend.page.locator('[data-cell="0"]');
    await friend.page.evaluate(() => {
      const tile = document.querySelector('[data-cell="0"]');
      const seen = { darkAt: 0 };
      Object.assign(window, { seen });
      if (!tile) return;
      new MutationObserver(() => {
        if (seen.darkAt === 0 && tile.getAttribute('data-state') !== 'live') seen.darkAt = Date.now();
      }).observe(tile, { attributes: true, attributeFilter: ['data-state'] });
    });
    const withdrawnAt = Date.now();
    await button(words['share.withdraw'], dialog).click();
    await tile.getByText(chinese.errCode_1017).waitFor({ timeout: 10_000 });
    const darkAt = await friend.page.evaluate(() => (window as unknown as { seen: { darkAt: number } }).seen.darkAt);
    expect(darkAt - withdrawnAt).toBeLessThan(2000);
    await page.getByText(words['share.emptyGiven']).waitFor();
    await looksRight(watched, 'share-empty');
    await friend.page.reload();
    await tile.getByText(chinese.errCode_1017).waitFor({ timeout: 20_000 });
    await friend.close();
  });
});

describe('a guest link', () => {
  let url = '';

  it('[SE-51] opens one live view by its password and leaves the address bar at once', async () => {
    await page.goto(`${product.url}/homepage/deviceManage?device=${dev.deviceSerial}`);
    await button(words['link.make']).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words['link.password'], { exact: true }).fill('Gate-1');
    await dialog.getByLabel(words['link.name'], { exact: true }).fill('For the post');
    await looksRight(watched, 'link-dialog');
    await button(words['link.create'], dialog).click();
    url = await dialog.getByRole('textbox', { name: words['link.address'] }).inputValue();
    await looksRight(watched, 'link-ready');
    const guest = await openPage(browser, {});
    await guest.page.goto(url);
    await guest.page.getByLabel(words['guest.password'], { exact: true }).fill('wrong');
    expect(new URL(guest.page.url()).hash).toBe('');
    await guest.page.keyboard.press('Enter');
    await guest.page.getByText(words['guest.wrong']).waitFor();
    await looksRight(guest, 'guest-password');
    await guest.page.getByLabel(words['guest.password'], { exact: true }).fill('Gate-1');
    await guest.page.keyboard.press('Enter');
    await movingPicture(guest.page, '[data-state=live]');
    await guest.page.getByRole('heading', { name: 'For the post' }).waitFor();
    await looksRight(guest, 'guest-live');

    await page.goto(`${product.url}/homepage/myShareContainer?tab=links`);
    await page.getByRole('row', { name: 'For the post' }).click();
    await looksRight(watched, 'share-links');
    await button(words['link.revoke']).click();
    const revokedAt = Date.now();
    await button(words['link.revoke'], page.getByRole('dialog')).click();
    await guest.page.getByText(words['guest.ended']).waitFor({ timeout: 10_000 });
    expect(Date.now() - revokedAt).toBeLessThan(4000);
    await looksRight(guest, 'guest-ended');
    await guest.close();
  });

  it('[SH-01] shows a clip and nothing beside it', async () => {
    const span = await waitFor('six seconds of recording', firstSpanOf6s, 60_000);
    const clip = { ...dev, startTime: span + 1000, endTime: span + 5000 };
    const link = await operator.ok('share/link/create', { clip, endTime: Date.now() + 600_000 });
    const guest = await openPage(browser, { locale: 'zh-CN', colorScheme: 'light', width: 390, height: 700 });
    await guest.page.goto(link.url);
    const video = guest.page.locator('video');
    await waitFor('the clip to play', () => video.evaluate((one: HTMLVideoElement) => one.currentTime > 0.5), 30_000);
    const length = await video.evaluate((one: HTMLVideoElement) => one.duration);
    expect(length).toBeGreaterThan(2);
    // Whole groups of pictures are sent: one more at either end.
    expect(length).toBeLessThan(15);
    await looksRight(guest, 'guest-clip-zh-light');
    await guest.close();
  });
});

async function firstSpanOf6s(): Promise<number | undefined> {
  const range = { startTime: Date.now() - 3_600_000, endTime: Date.now() + 5000 };
  const { recordList } = await operator.ok('record/query', { ...dev, ...range, srcType: 1 });
  return recordList.find(({ startTime, endTime }) => endTime - startTime > 6000)?.startTime;
}
