// Exports, retention locks and bookmarks in the console: marked, exported, downloaded and verified; created, found and undone.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, saying } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let site: VirtualSite;
let watched: WatchedPage;
let page: Page;
let dev: { deviceSerial: string; channelNo: number };
let recordedFrom: number;

beforeAll(async () => {
  [product, browser, site] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  const camera = site.devices.find(({ kind }) => kind === 'camera');
  if (!camera) throw new Error('no camera');
  const { target, user, password } = camera;
  const { device } = await operator.ok('device/add', { target, user, password, deviceName: 'Gate' });
  dev = { deviceSerial: device.deviceSerial, channelNo: 1 };
  recordedFrom = await waitFor('12 s of recording', firstSpanOf12s, 60_000);
  watched = await openSignedIn(browser, product, { path: '/homepage/container' });
  page = watched.page;
  await page.goto(`${product.url}/homepage/container?${query(recordedFrom + 2000)}`);
  await waitFor('the picture to play', async () => (await positionOf()) !== null, 30_000);
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

async function firstSpanOf12s(): Promise<number | undefined> {
  const range = { startTime: Date.now() - 3_600_000, endTime: Date.now() + 5000 };
  const { recordList } = await operator.ok('record/query', { ...dev, ...range, srcType: 1 });
  return recordList.find(({ startTime, endTime }) => endTime - startTime > 12_000)?.startTime;
}

const query = (at: number): URLSearchParams =>
  new URLSearchParams({ device: dev.deviceSerial, channel: '1', time: String(at) });
const slider = (): Locator => page.getByRole('slider', { name: words['playback.timeline'] });
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

async function positionOf(): Promise<number | null> {
  const state = await page.locator('[data-playback]').first().getAttribute('data-state');
  return state === 'playing' || state === 'paused' ? Number(await slider().getAttribute('aria-valuenow')) * 1000 : null;
}

async function markRange(): Promise<void> {
  const position = async () => (await positionOf()) ?? undefined;
  const from = await waitFor('the picture to play', position, 30_000);
  await page.keyboard.press('i');
  await waitFor('four seconds of playback', async () => ((await position()) ?? 0) >= from + 4000, 40_000);
  await page.keyboard.press('o');
}

describe('an export', () => {
  it('of a range marked by I and O downloads as a verified MP4', async () => {
    await markRange();
    await expectNoProblems(watched, 'export-range');
    await button(words['export.go']).click();
    const dialog = page.getByRole('dialog', { name: words['export.dialog'] });
    await dialog.getByText(/MB|KB/).first().waitFor();
    await dialog.getByRole('textbox', { name: words['marks.name'] }).fill('Gate incident');
    await dialog.getByRole('checkbox', { name: words['export.burnIn'] }).check();
    await expectNoProblems(watched, 'export-dialog');
    await dialog.getByRole('button', { name: words['export.go'], exact: true }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Gate incident.mp4' });
    await row.waitFor({ timeout: 20_000 });
    await page.getByText(words['export.ready'].replace('{name}', 'Gate incident.mp4')).waitFor();
    await expectNoProblems(watched, 'export-list');
    const downloading = page.waitForEvent('download');
    await row.getByRole('button', { name: words['export.download'], exact: true }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Gate incident.mp4');
    const path = await download.path();
    const [task] = (await operator.ok('record/export/list', {})).taskList;
    expect(task?.burnIn).toBe(true);
    const bytes = await readFile(path);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(task?.sha256);
    expect(await verifyMedia(path)).toMatchObject({ errors: '', frames: task?.fileList[0]?.pictures });
  });

  it('survives a reload, and is deleted with its file', async () => {
    await page.reload();
    await button(words['export.open']).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Gate incident.mp4' });
    await row.getByRole('button', { name: words['export.remove'] }).click();
    await page.getByText(words['export.none']).waitFor();
    expect((await operator.ok('record/export/list', {})).total).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByText(words['export.none']).waitFor({ state: 'detached' });
  });
});

describe('locks and bookmarks', () => {
  it('B bookmarks the current time; the list seeks to it, deletes it and undoes the deletion', async () => {
    await waitFor('the picture to play', async () => (await positionOf()) !== null, 30_000);
    await page.keyboard.press('b');
    const { bookmarkId } = await waitFor('the bookmark', async () => {
      return (await operator.ok('record/bookmark/list', dev)).bookmarkList[0];
    });
    await button(words['marks.open']).click();
    const list = page.getByRole('dialog', { name: words['marks.title'] });
    await list.getByRole('button', { name: /^Delete bookmark/ }).click();
    await waitFor('it to be gone', async () => (await operator.ok('record/bookmark/list', dev)).total === 0);
    await list.getByRole('button', { name: words['marks.undo'] }).click();
    const again = await waitFor('it to be back', async () => {
      return (await operator.ok('record/bookmark/list', dev)).bookmarkList[0];
    });
    expect(again.bookmarkId).not.toBe(bookmarkId);
    await expectNoProblems(watched, 'marks-list');
    await list.getByRole('button', { name: /^Bookmark / }).click();
    await waitFor('playback at the bookmark', async () => {
      const at = await positionOf();
      return at !== null && Math.abs(at - again.startTime) < 4000;
    });
  });

  it('Shift+L locks the marked range with a name and a reason', async () => {
    await markRange();
    await page.keyboard.press('Shift+L');
    const dialog = page.getByRole('dialog', { name: words['marks.lockRange'] });
    await dialog.getByLabel(words['marks.reason']).fill('Case 17');
    await expectNoProblems(watched, 'lock-dialog');
    await dialog.getByRole('button', { name: words['marks.lock'], exact: true }).click();
    await page.getByText(saying(words['marks.locked'])).waitFor();
    expect((await operator.ok('record/lock/list', dev)).lockList[0]).toMatchObject({ reason: 'Case 17' });
    await expectNoProblems(watched, 'locked');
  });

  it('in Chinese and in the light theme', async () => {
    const chinese = LANGUAGES[1];
    const other = await openSignedIn(browser, product, {
      path: `/homepage/container?${query(recordedFrom + 2000)}`,
      locale: 'zh-CN',
      colorScheme: 'light',
    });
    await other.page.getByRole('button', { name: chinese.words['marks.open'], exact: true }).click();
    await other.page.getByText('Case 17').waitFor();
    await expectNoProblems(other, 'marks-zh-light');
    await other.page.context().close();
  });
});
