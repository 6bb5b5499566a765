// The recording disks on the System screen: adding one, one that is away and back, emptying from its start to its end, and removing it; in both languages, dark and light.
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { LANGUAGES, type Words } from './console-steps.ts';
import { cutOff, MAGNIFIED } from './magnified-page.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

type Disk = NonNullable<CallOutput<'system/health'>['storage']>['diskList'][number];

const STORAGE = '/homepage/system?section=storage';
const GB = 1e9;
const HOUR_MS = 3_600_000;
const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let root: string;
let first: string;
let second: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vedette-test-disks-'));
  [first, second] = [join(root, 'first'), join(root, 'second')];
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await store({ folder: first, budgetBytes: 2 * GB });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await rm(root, { recursive: true, force: true });
});

async function store(storage: object): Promise<void> {
  const { config, version } = await operator.ok('system/config/get', {});
  await operator.ok('system/config/set', {
    version,
    config: { ...config, storage: { ...config.storage, ...storage } },
  });
}

const stored = async () => (await operator.ok('system/config/get', {})).config.storage;
const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: words['system.save'] }).click();
  await page.getByText(words['system.unsaved']).waitFor({ state: 'detached' });
}

/** Answers as of a site whose disks do so. */
async function answerDisks(page: Page, disks: readonly Partial<Disk>[]): Promise<void> {
  const now = Date.now();
  const diskList = disks.map((disk) => ({
    usedBytes: 1.4 * GB,
    freeBytes: 6 * GB,
    budgetBytes: 2 * GB,
    state: 'normal',
    reason: null,
    oldestAt: now - 200 * HOUR_MS,
    newestAt: now - HOUR_MS,
    emptying: null,
    ...disk,
  }));
  const all = { folder: first, usedBytes: 2.8 * GB, freeBytes: 12 * GB, budgetBytes: 4 * GB };
  const storage = { ...all, state: 'normal', reason: null, oldestAt: now - 200 * HOUR_MS, diskList };
  const data = { siteOnline: true, storage, streamList: [] };
  await page.unroute('**/api/v1/system/health');
  await page.route('**/api/v1/system/health', (route) => route.fulfill({ json: { code: 200, message: '', data } }));
}

const emptyingText = (all: Words, key: 'disks.emptying' | 'disks.emptyingWaits', files: number): RegExp =>
  new RegExp(`${all[key].split('{files}')[0]?.replaceAll('.', '\\.') ?? ''}${files}\\D`);

describe('with a real site', () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openSignedIn(browser, product, { path: STORAGE });
    page = watched.page;
  });
  afterAll(() => watched.close());

  it('one disk has no list; a further one is added, tried by the site and listed', async () => {
    await page.getByRole('heading', { name: words['disks.title'] }).waitFor();
    expect(await card(page, first).count()).toBe(0);
    await page.getByRole('button', { name: words['disks.add'] }).click();
    await card(page, first).getByText(words['system.stateNormal'], { exact: true }).waitFor();
    const added = card(page, words['disks.new']);
    const folder = added.getByLabel(words['disks.folder'], { exact: true });
    await expect.poll(() => page.getByRole('button', { name: words['system.save'] }).isDisabled()).toBe(true);
    await folder.fill('/proc/vedette');
    await page.getByRole('button', { name: words['system.save'] }).click();
    await card(page, '/proc/vedette').getByText(words['system.reasonAbsent']).waitFor();
    await expectNoProblems(watched, 'disks-refused');
    await card(page, '/proc/vedette').getByLabel(words['disks.folder'], { exact: true }).fill(second);
    await save(page);
    await card(page, second).getByText(words['system.stateNormal'], { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ moreDisks: [{ folder: second, isEmptying: false }] });
    await expectNoProblems(watched, 'disks-two');
  });

  it('a disk that is taken out is told alone, with what to do, and normal when it is back', async () => {
    await rename(second, `${second}-out`);
    await card(page, second).getByText(words['system.stateMissing'], { exact: true }).waitFor({ timeout: 20_000 });
    await card(page, second).getByText(words['disks.awayHint']).waitFor();
    expect(await card(page, second).getByRole('button', { name: words['disks.empty'], exact: true }).count()).toBe(0);
    await card(page, first).getByText(words['system.stateNormal'], { exact: true }).waitFor();
    await expectNoProblems(watched, 'disks-away');
    await rename(`${second}-out`, second);
    await card(page, second).getByText(words['system.stateNormal'], { exact: true }).waitFor({ timeout: 20_000 });
  });

  it('one that holds nothing is removed without a question', async () => {
    await card(page, second).getByRole('button', { name: words['disks.remove'] }).click();
    await save(page);
    expect((await stored()).moreDisks).toEqual([]);
    expect(await card(page, first).count()).toBe(0);
  });
});

describe('emptying', () => {
  beforeAll(() => store({ moreDisks: [{ folder: second, budgetBytes: 2 * GB, isEmptying: false }] }));

  it('goes from its start over what is left and why it waits to a disk that may be taken out', async () => {
    const watched = await openSignedIn(browser, product, { path: STORAGE });
    const { page } = watched;
    await answerDisks(page, [{ folder: first }, { folder: second }]);
    await page.reload();
    const emptied = card(page, second);
    await emptied.getByRole('button', { name: words['disks.empty'], exact: true }).click();
    await save(page);
    expect(await stored()).toMatchObject({ moreDisks: [{ folder: second, isEmptying: true }] });
    const becomes = async (emptying: Disk['emptying'], more: Partial<Disk> = {}): Promise<void> =>
      await answerDisks(page, [{ folder: first }, { folder: second, emptying, ...more }]);
    await becomes({ state: 'moving', filesLeft: 120, bytesLeft: 0.9 * GB });
    await emptied.getByText(emptyingText(words, 'disks.emptying', 120)).waitFor();
    await becomes({ state: 'waiting', filesLeft: 40, bytesLeft: 0.3 * GB });
    await emptied.getByText(emptyingText(words, 'disks.emptyingWaits', 40)).waitFor();
    await becomes({ state: 'waiting', filesLeft: 0, bytesLeft: 0 }, { usedBytes: 0 });
    await emptied.getByText(words['disks.leftovers']).waitFor();
    await becomes({ state: 'done', filesLeft: 0, bytesLeft: 0 }, { usedBytes: 0, oldestAt: null, newestAt: null });
    await emptied.getByText(words['disks.emptied']).waitFor();
    await emptied.getByText(words['disks.stateEmpty'], { exact: true }).waitFor();
    await emptied.getByRole('button', { name: words['disks.useAgain'] }).waitFor();
    await expectNoProblems(watched, 'disks-emptied');
    await emptied.getByRole('button', { name: words['disks.remove'] }).click();
    await save(page);
    expect((await stored()).moreDisks).toEqual([]);
    await watched.close();
    await store({ moreDisks: [{ folder: second, budgetBytes: 2 * GB, isEmptying: false }] });
  });

  it('a disk is removed only after the question also while nobody has said yet what it holds', async () => {
    const watched = await openSignedIn(browser, product, { path: STORAGE });
    const { page } = watched;
    // Never answered.
    await page.route('**/api/v1/system/health', () => undefined);
    await page.reload();
    const one = card(page, first);
    expect(await one.getByRole('button', { name: words['disks.empty'], exact: true }).isDisabled()).toBe(true);
    await one.getByRole('button', { name: words['disks.remove'] }).click();
    await page.getByRole('dialog', { name: words['disks.removeTitle'] }).waitFor();
    expect(await page.getByText(words['system.unsaved']).count()).toBe(0);
    await watched.close();
  });

  it('a disk with recordings is removed only after a question that says what becomes of them', async () => {
    const watched = await openSignedIn(browser, product, { path: STORAGE });
    const { page } = watched;
    await answerDisks(page, [{ folder: first }, { folder: second }]);
    await page.reload();
    await card(page, first).getByRole('button', { name: words['disks.remove'] }).click();
    const dialog = page.getByRole('dialog', { name: words['disks.removeTitle'] });
    await dialog.getByText(words['disks.removeDetail'].replace('{folder}', first)).waitFor();
    await expectNoProblems(watched, 'disks-remove');
    await dialog.getByRole('button', { name: words['disks.remove'] }).click();
    await page.getByText(words['system.unsaved']).waitFor();
    // The other one is the first from now on.
    const folder = page.getByLabel(words['system.folder'], { exact: true }).and(page.locator('input'));
    await expect.poll(() => folder.inputValue()).toBe(second);
    await page.getByRole('button', { name: words['system.discard'] }).click();
    await expect.poll(() => folder.inputValue()).toBe(first);
    await watched.close();
  });
});

describe.each(LANGUAGES.map(({ locale }) => locale))('in %s', (locale) => {
  it.each(['dark', 'light'] as const)('each state is told in words and fits, %s', async (colorScheme) => {
    const all = wordsOf(locale);
    const third = join(root, 'third');
    const disk = { budgetBytes: 2 * GB };
    await store({
      moreDisks: [
        { ...disk, folder: second, isEmptying: false },
        { ...disk, folder: third, isEmptying: true },
      ],
    });
    const watched = await openSignedIn(browser, product, { path: STORAGE, locale, colorScheme });
    const { page } = watched;
    const moving = { state: 'moving', filesLeft: 120, bytesLeft: 0.9 * GB } as const;
    await answerDisks(page, [
      { folder: first },
      { folder: second, state: 'missing', reason: 'absent' },
      { folder: third, emptying: moving },
    ]);
    await page.reload();
    await card(page, second).getByText(all['system.stateMissing'], { exact: true }).waitFor();
    await card(page, third)
      .getByText(emptyingText(all, 'disks.emptying', 120))
      .waitFor();
    await card(page, second).scrollIntoViewIfNeeded();
    await expectNoProblems(watched, `disks-${locale}-${colorScheme}`);
    await answerDisks(page, [
      { folder: first, state: 'full', reason: 'othersFull', freeBytes: 0 },
      { folder: second, state: 'failing', reason: 'hangs' },
      { folder: third, emptying: { ...moving, state: 'waiting' } },
    ]);
    await card(page, second).getByText(all['system.reasonHangs']).waitFor();
    await card(page, third).scrollIntoViewIfNeeded();
    await expectNoProblems(watched, `disks-${locale}-${colorScheme}-wrong`);
    await watched.close();
  });

  it('the list stays inside a magnified page', async () => {
    const watched = await openSignedIn(browser, product, { path: STORAGE, locale });
    const { page } = watched;
    await page.setViewportSize(MAGNIFIED);
    await answerDisks(page, [{ folder: first }, { folder: second, state: 'failing', reason: 'hangs' }]);
    await page.reload();
    await card(page, second).getByText(wordsOf(locale)['system.reasonHangs']).waitFor();
    expect(await cutOff(page, 'main')).toEqual([]);
    await expectNoProblems(watched, `disks-${locale}-magnified`);
    await watched.close();
  });
});
