// Sharing in the console: a new user registers, adds a camera and shares it for an hour, until expiry or withdrawal; guest links.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { askForCode, LANGUAGES, newPassword, openedHere, waitForFrameChange } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const FRIEND = ['friend', 'Visit-2026'] as const;
const OWNER = ['ann', 'Garden-2026'] as const;
const MAIL = 'ann@example.org';
const [{ words }, { words: chinese }] = LANGUAGES;

let product: Product;
let browser: Browser;
let sink: SmtpSink;
let owner: ApiClient;
let guestOf: ApiClient;
let site: VirtualSite;
let watched: WatchedPage;
let page: Page;
let friend: WatchedPage;
let dev: { deviceSerial: string; channelNo: number };

beforeAll(async () => {
  [product, browser, site, sink] = await Promise.all([
    Product.start(),
    openBrowser(),
    startVirtualSite(),
    SmtpSink.start(),
  ]);
  const operator = await product.setUp(...OPERATOR);
  const accounts = await operator.ok('system/account/get', {});
  const withMail = { config: { ...accounts.config, mail: sink.settings }, version: accounts.version };
  await operator.ok('system/account/set', withMail);
  // The virtual cameras stand on this machine, where those of strangers may not unless it is said.
  const { config, version } = await operator.ok('system/config/get', {});
  await operator.ok('system/config/set', {
    config: { ...config, network: { cameraNetworks: ['127.0.0.0/8'] } },
    version,
  });
  await operator.ok('user/add', { username: FRIEND[0], password: FRIEND[1], userType: 2 });
  guestOf = await product.signIn(...FRIEND);
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop(), sink?.stop()]);
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

describe('a new user', () => {
  it('[RT-04] registers with a code sent by mail', async () => {
    watched = await openPage(browser);
    page = watched.page;
    await page.goto(`${product.url}/login`);
    await page.getByRole('link', { name: words['register.link'] }).click();
    await askForCode(page, words, MAIL);
    await page.getByLabel(words['account.code'], { exact: true }).fill(await sink.code(MAIL));
    await page.getByLabel(words['setup.username'], { exact: true }).fill(OWNER[0]);
    await newPassword(page, words, words['setup.password'], OWNER[1]);
    await page.getByRole('checkbox').check();
    await button(words['register.submit']).click();
    await page.waitForURL(/\/homepage\/liveVideo$/);
    owner = await product.signIn(...OWNER);
  });

  it('[DM-01] adds a camera by its address', async () => {
    const camera = site.devices.find(({ kind }) => kind === 'camera');
    await page.goto(`${product.url}/homepage/deviceManage?add=1`);
    await page
      .getByRole('radiogroup', { name: words['door.label'] })
      .getByText(words['door.address'], { exact: true })
      .click();
    await page.getByLabel(words['add.target'], { exact: true }).fill(camera?.target ?? '');
    await page.getByLabel(words['add.user'], { exact: true }).fill(camera?.user ?? '');
    await page.getByLabel(words['add.password'], { exact: true }).fill(camera?.password ?? '');
    await button(words['add.probe']).click();
    const name = page.getByLabel(words['add.name'], { exact: true });
    await name.waitFor({ timeout: 30_000 });
    await name.fill('Gate');
    await page.getByRole('complementary').getByRole('button', { name: words['add.submit'] }).click();
    await page
      .getByRole('row', { name: 'Gate', exact: true })
      .getByText(words['status.online'])
      .waitFor({ timeout: 45_000 });
    const [device] = (await owner.ok('device/list', {})).deviceList;
    dev = { deviceSerial: device?.deviceSerial ?? '', channelNo: 1 };
    await page.goto(`${product.url}/homepage/deviceManage`);
  });
});

describe('[SH-01] [SH-03] [FT-39] a shared camera', () => {
  it('is shared for an hour in at most four clicks, accepted by the other account, and seen live', async () => {
    const row = page.getByRole('row', { name: 'Gate', exact: true });
    await row.waitFor();
    const clicks = await countClicks();
    await row.click();
    await button(words['share.open']).click();
    const dialog = page.getByRole('dialog', { name: words['share.title'].replace('{name}', 'Gate') });
    await dialog.getByLabel(words['share.account'], { exact: true }).pressSequentially(FRIEND[0]);
    await dialog.getByText(words['share.valid_hour'], { exact: true }).click();
    await expectNoProblems(watched, 'share-dialog');
    await button(words['share.go'], dialog).click();
    await page.getByText(words['share.donePending'].replace('{account}', FRIEND[0])).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(4);
    const [share] = (await owner.ok('share/given/list', {})).shareList;
    expect(share).toMatchObject({ permission: ['Realplay'], state: 'pending' });
    expect(Math.abs((share?.endTime ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);

    friend = await openSignedIn(browser, product, {
      path: '/homepage/liveVideo',
      account: FRIEND,
      colorScheme: 'light',
      locale: 'zh-CN',
    });
    // The rail says that something waits.
    const link = friend.page.getByRole('navigation').getByRole('link', { name: chinese['screen.share'] });
    await link.getByText(chinese['share.waiting_one'].replace('{count}', '1')).waitFor({ state: 'attached' });
    await link.click();
    await button(chinese['share.showOffers'], friend.page).click();
    await friend.page.getByRole('row', { name: `Gate, ${OWNER[0]}` }).click();
    await expectNoProblems(friend, 'share-offer-light-zh');
    await button(chinese['share.accept'], friend.page).click();
    await link.getByText(chinese['share.waiting_one'].replace('{count}', '1')).waitFor({ state: 'detached' });
    await friend.page.getByRole('navigation').getByRole('link', { name: chinese['screen.live'] }).click();
    await treeItem(friend.page, 'Gate').click();
    await waitForFrameChange(friend.page, '[data-state=live]');
    // Whose it is and until when.
    await treeItem(friend.page, 'Gate').getByTitle(OWNER[0]).waitFor();
  });

  it('is listed among the shares of both, and edited', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByRole('link', { name: words['screen.share'] }).click();
    await page.getByRole('row', { name: `Gate, ${FRIEND[0]}` }).click();
    await expectNoProblems(watched, 'share-given');
    await button(words['share.edit']).click();
    const dialog = page.getByRole('dialog');
    await button(words['share.right_Replay'], dialog)
      .or(dialog.getByRole('button', { name: words['share.right_Replay'] }))
      .click();
    await dialog.getByText(words['share.more'], { exact: true }).click();
    await expectNoProblems(watched, 'share-edit');
    await button(words['share.save'], dialog).click();
    await page.getByText(words['share.changed']).waitFor();
    const [share] = (await owner.ok('share/given/list', {})).shareList;
    expect(share?.permission).toEqual(['Realplay', 'Replay']);
  });

  it('[PM-04] ends at its end time, and the tile says why', async () => {
    const [share] = (await owner.ok('share/given/list', {})).shareList;
    const seen = await noteDark();
    const endTime = Date.now() + 4000;
    await owner.ok('share/update', { shareId: share?.shareId ?? '', endTime });
    await friend.page.locator('[data-cell="0"]').getByText(chinese.errCode_1017).waitFor({ timeout: 20_000 });
    const darkAt = await seen();
    expect(darkAt).toBeGreaterThanOrEqual(endTime - 50);
    expect(darkAt - endTime).toBeLessThan(2000);
    await owner.ok('share/delete', { shareId: share?.shareId ?? '', shareType: 2 });
  });

  it('[SE-33] stops within two seconds of its withdrawal, and says why after a reload', async () => {
    const again = { account: FRIEND[0], items: [dev], permission: ['videoView' as const] };
    const { shareId } = await owner.ok('share/add', again);
    await guestOf.ok('share/accept', { shareId });
    await friend.page.reload();
    await waitForFrameChange(friend.page, '[data-state=live]');
    await page.goto(`${product.url}/homepage/myShareContainer`);
    await page.getByRole('row', { name: `Gate, ${FRIEND[0]}` }).click();
    await button(words['share.withdraw']).click();
    const dialog = page.getByRole('dialog');
    const tile = friend.page.locator('[data-cell="0"]');
    const seen = await noteDark();
    // From when it is asked for, not from when the pointer begins to move there.
    const asked = page.waitForRequest('**/api/v1/share/delete').then(() => Date.now());
    await button(words['share.withdraw'], dialog).click();
    const withdrawnAt = await asked;
    await tile.getByText(chinese.errCode_1017).waitFor({ timeout: 10_000 });
    expect((await seen()) - withdrawnAt).toBeLessThan(2000);
    await page.getByText(words['share.emptyGiven']).waitFor();
    await expectNoProblems(watched, 'share-empty');
    await friend.page.reload();
    await tile.getByText(chinese.errCode_1017).waitFor({ timeout: 20_000 });
    await friend.close();
  });
});

/** Notes when the first tile of the friend's wall has ended, not when a busy machine lets it stall; answers that instant. */
async function noteDark(): Promise<() => Promise<number>> {
  await friend.page.evaluate(() => {
    const tile = document.querySelector('[data-cell="0"]');
    const seen = { darkAt: 0 };
    Object.assign(window, { seen });
    if (!tile) return;
    new MutationObserver(() => {
      if (seen.darkAt === 0 && tile.getAttribute('data-state') === 'ended') seen.darkAt = Date.now();
    }).observe(tile, { attributes: true, attributeFilter: ['data-state'] });
  });
  return () => friend.page.evaluate(() => (window as unknown as { seen: { darkAt: number } }).seen.darkAt);
}

describe('a guest link', () => {
  let url = '';

  it('[SE-47] opens one live view by its password and is removed from the address bar at once', async () => {
    await page.goto(`${product.url}/homepage/deviceManage?device=${dev.deviceSerial}`);
    await button(words['link.make']).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words['link.password'], { exact: true }).fill('Gate-1');
    await dialog.getByLabel(words['link.name'], { exact: true }).fill('For the post');
    await expectNoProblems(watched, 'link-dialog');
    await button(words['link.create'], dialog).click();
    const link = await dialog.getByRole('textbox', { name: words['link.address'] }).inputValue();
    const { addressList } = await guestOf.ok('system/address/list', {});
    expect(new URL(link).origin).toBe(addressList[0] ?? product.url);
    await dialog.getByRole('img', { name: words['linkAddress.qrCode'] }).waitFor();
    url = openedHere(product, link);
    await expectNoProblems(watched, 'link-ready');
    const guest = await openPage(browser, {});
    await guest.page.goto(url);
    await guest.page.getByLabel(words['guest.password'], { exact: true }).fill('wrong');
    expect(new URL(guest.page.url()).hash).toBe('');
    await guest.page.keyboard.press('Enter');
    await guest.page.getByText(words['guest.wrong']).waitFor();
    await expectNoProblems(guest, 'guest-password');
    await guest.page.getByLabel(words['guest.password'], { exact: true }).fill('Gate-1');
    await guest.page.keyboard.press('Enter');
    await waitForFrameChange(guest.page, '[data-state=live]');
    await guest.page.getByRole('heading', { name: 'For the post' }).waitFor();
    await expectNoProblems(guest, 'guest-live');

    await page.goto(`${product.url}/homepage/myShareContainer?tab=links`);
    await page.getByRole('row', { name: 'For the post' }).click();
    await expectNoProblems(watched, 'share-links');
    await button(words['link.revoke']).click();
    const asked = page.waitForRequest('**/api/v1/share/link/revoke').then(() => Date.now());
    await button(words['link.revoke'], page.getByRole('dialog')).click();
    const revokedAt = await asked;
    await guest.page.getByText(words['guest.ended']).waitFor({ timeout: 10_000 });
    expect(Date.now() - revokedAt).toBeLessThan(4000);
    await expectNoProblems(guest, 'guest-ended');
    await guest.close();
  });

  it('[SH-01] shows a clip and nothing else', async () => {
    const span = await waitFor('six seconds of recording', firstSpanOf6s, 60_000);
    const clip = { ...dev, startTime: span + 1000, endTime: span + 5000 };
    const link = await owner.ok('share/link/create', { clip, endTime: Date.now() + 600_000 });
    // It begins with a key picture, of which the maker is told, and shows nothing beyond.
    const clipStart = link.clipStartTime ?? 0;
    expect(clipStart).toBeLessThanOrEqual(clip.startTime);
    const asked = (clip.endTime - clipStart) / 1000;
    const guest = await openPage(browser, { locale: 'zh-CN', colorScheme: 'light', width: 390, height: 700 });
    await guest.page.goto(link.url);
    const video = guest.page.locator('video');
    await waitFor('the clip to play', () => video.evaluate((one: HTMLVideoElement) => one.currentTime > 0.5), 30_000);
    const length = await video.evaluate((one: HTMLVideoElement) => one.duration);
    expect(length).toBeGreaterThan(asked - 0.6);
    expect(length).toBeLessThan(asked + 0.1);
    await expectNoProblems(guest, 'guest-clip-zh-light');
    await guest.close();
  });
});

async function firstSpanOf6s(): Promise<number | undefined> {
  const range = { startTime: Date.now() - 3_600_000, endTime: Date.now() + 5000 };
  const { recordList } = await owner.ok('record/query', { ...dev, ...range, srcType: 1 });
  return recordList.find(({ startTime, endTime }) => endTime - startTime > 6000)?.startTime;
}
