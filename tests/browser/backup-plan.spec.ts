// The plan of the backups in the console: a bucket is tried, refused with its step and reason, saved, and holds backups without a restart; then a folder.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Bucket } from '../harness/bucket.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const SCREEN = '/homepage/system?section=health';
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let product: Product;
let browser: Browser;
let bucket: Bucket;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-test-backups-'));
  [product, browser, bucket] = await Promise.all([Product.start(), openBrowser(), Bucket.start()]);
  operator = await product.setUp(...OPERATOR);
  const { config, version } = await operator.ok('system/config/get', {});
  const network = { cameraNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, network }, version });
  watched = await openSignedIn(browser, product, { path: SCREEN });
  page = watched.page;
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), bucket?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const field = (name: string): Locator =>
  page.getByRole('dialog').getByLabel(name, { exact: true }).and(page.locator('input:not([type=radio])'));
const kind = (name: 'none' | 'folder' | 'bucket'): Locator =>
  page.getByRole('dialog').getByRole('radiogroup').getByText(words[`backup.kind.${name}`], { exact: true });
const row = (): Locator => page.locator('main li[data-part="backup"]');
const saved = async () => (await operator.ok('backup/plan/get', {})).plan;

it('a bucket is tried, refused with what failed, and holds a backup soon after it was saved', async () => {
  await row().getByRole('button', { name: words['backup.choose'] }).click();
  await kind('none').waitFor();
  await expectNoProblems(watched, 'backup-plan-none-dark');
  await kind('bucket').click();
  await field(words['cloud.endpoint']).fill(`http://127.0.0.1:${bucket.port}`);
  await field(words['cloud.region']).fill(bucket.region);
  await field(words['cloud.bucket']).fill(bucket.name);
  await field(words['cloud.prefix']).fill('site');
  await field(words['cloud.accessKey']).fill(bucket.keys.accessKey);
  await field(words['cloud.secretKey']).fill('wrong');
  await button(words['common.save']).click();
  await page.getByText(words['cloud.reason.keys']).waitFor();
  await page.getByText(new RegExp(`^${words['cloud.step.write']}`)).waitFor();
  await expectNoProblems(watched, 'backup-plan-bucket-dark');
  expect((await saved()).version).toBe(0);
  await field(words['cloud.secretKey']).fill(bucket.keys.secretKey);
  await button(words['cloud.try']).click();
  await page.getByText(words['cloud.works']).waitFor();
  expect(bucket.objects.size).toBe(0);
  await button(words['common.save']).click();
  await page.getByText(words['backup.saved']).waitFor();
  const holds = (name: RegExp) => [...bucket.objects.keys()].some((key) => name.test(key));
  await waitFor('a whole backup', () => holds(/^site\/vedette-[^/]+\/manifest\.json$/), 60_000);
  await waitFor('the log', () => holds(/^site\/wal\//), 60_000);
  await row().locator('[data-figure="lastBackup"]').waitFor({ timeout: 30_000 });
  await expectNoProblems(watched, 'backup-row-dark');
  expect(product.log).not.toContain(bucket.keys.secretKey);
}, 240_000);

it('its key is kept and never shown; a folder takes its place, and the next backup', async () => {
  await row().getByRole('button', { name: words['backup.choose'] }).click();
  await page.getByText(words['cloud.secretKept']).waitFor();
  expect(await field(words['cloud.secretKey']).inputValue()).toBe('');
  await button(words['cloud.try']).click();
  await page.getByText(words['cloud.works']).waitFor();
  await kind('folder').click();
  await field(words['backup.folder']).fill(join(folder, 'absent'));
  await button(words['common.save']).click();
  await page.getByText(words['cloud.reason.folderAbsent']).waitFor();
  await field(words['backup.folder']).fill(folder);
  await field(words['backup.keep']).fill('0');
  await page.getByText(words['valid.number'].replace('{min}', '1').replace('{max}', '10000')).waitFor();
  await expectNoProblems(watched, 'backup-plan-folder-dark');
  await field(words['backup.keep']).fill('3');
  await button(words['common.save']).click();
  await page.getByText(words['backup.saved']).waitFor();
  expect(await saved()).toMatchObject({ target: { kind: 'folder', folder }, keep: 3, version: 2 });
  const isWhole = async () => {
    const names = (await readdir(folder)).filter((name) => name.startsWith('vedette-'));
    return names.length === 1 && (await readdir(join(folder, names[0] ?? ''))).includes('manifest.json');
  };
  await waitFor('a whole backup in the folder', isWhole, 60_000);
}, 120_000);

it('a stale edit is refused and shows the newer plan, in Chinese and light', async () => {
  const other = await openSignedIn(browser, product, { path: SCREEN, locale: 'zh-CN', colorScheme: 'light' });
  const ofOther = (name: string): Locator => other.page.getByRole('button', { name, exact: true });
  await other.page.getByRole('button', { name: chinese['backup.choose'] }).click();
  await other.page.getByLabel(chinese['backup.keep']).waitFor();
  const { version } = await saved();
  await operator.ok('backup/plan/save', { version, target: { kind: 'folder', folder }, hours: 6, keep: 9 });
  await ofOther(chinese['common.save']).click();
  await other.page.getByText(chinese['system.stale']).waitFor();
  expect(await other.page.getByLabel(chinese['backup.keep']).inputValue()).toBe('9');
  await expectNoProblems(other, 'backup-plan-light-zh');
  await ofOther(chinese['common.save']).click();
  await other.page.getByText(chinese['backup.saved']).waitFor();
  await other.close();
});
