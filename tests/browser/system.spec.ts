// System screen of the operator: saving, errors, a stale edit, addresses and the certificate authority.
import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { cutOff, expectInside, MAGNIFIED } from './magnified-page.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-test-storage-'));
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  watched = await openSignedIn(browser, product, { path: '/homepage/system?section=storage' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await rm(folder, { recursive: true, force: true });
});

const field = (key: 'system.folder' | 'system.budget' | 'system.retention' | 'system.cameraNetworks') =>
  page.getByLabel(words[key], { exact: true }).and(page.locator('input'));
const section = (name: string): Locator => page.locator(`main nav [data-section="${name}"]`);
const openSection = async (name: string): Promise<void> => {
  await section(name).click();
  await page.waitForURL((url) => url.searchParams.get('section') === name);
};
const button = (key: 'system.save' | 'system.discard' | 'system.addNetwork') =>
  page.getByRole('button', { name: words[key] });

describe('storage', () => {
  it('a change is saved, confirmed, and present after a reload', async () => {
    await field('system.folder').fill(folder);
    await field('system.budget').fill('12.5');
    await field('system.retention').fill('9');
    await page.getByText(words['system.unsaved']).waitFor();
    await expectNoProblems(watched, 'system-unsaved');
    await button('system.save').click();
    await page.getByRole('status').getByText(words['system.saved']).waitFor();
    await page.getByText(words['system.unsaved']).waitFor({ state: 'detached' });
    await page.reload();
    await field('system.folder').waitFor();
    await expect.poll(() => field('system.folder').inputValue()).toBe(folder);
    await expect.poll(() => field('system.budget').inputValue()).toBe(`12.5 ${words['system.gb']}`);
    await expect.poll(() => field('system.retention').inputValue()).toBe(`9 ${words['system.days']}`);
    const { config } = await operator.ok('system/config/get', {});
    expect(config.storage).toMatchObject({ folder, budgetBytes: 12_500_000_000, retentionDays: 9 });
    const used = words['system.used'].replace('{used} of {budget}', 'of 12.5 GB');
    await page.getByText(new RegExp(used)).waitFor({ timeout: 20_000 });
  });

  it('a budget that the disk cannot hold is refused at its field, with what fits', async () => {
    const before = await field('system.budget').inputValue();
    await field('system.budget').fill('100000');
    await page.getByText(new RegExp(words['system.budgetTooBig'].replace('{max}', '[0-9.]+'))).waitFor();
    await expect.poll(() => button('system.save').isDisabled()).toBe(true);
    await expectNoProblems(watched, 'system-budget');
    await button('system.discard').click();
    await expect.poll(() => field('system.budget').inputValue()).toBe(before);
    await page.getByText(words['system.noForecast']).waitFor();
  });

  it('[VA-06] invalid values are named at their fields and cannot be saved', async () => {
    await field('system.folder').fill('recordings');
    await page.getByText(words['valid.folder']).waitFor();
    await field('system.retention').fill('0');
    await page.getByText(words['valid.number'].replace('{min}', '1').replace('{max}', '3650')).waitFor();
    await expect.poll(() => button('system.save').isDisabled()).toBe(true);
    await expectNoProblems(watched, 'system-wrong');
    await button('system.discard').click();
    await expect.poll(() => field('system.folder').inputValue()).toBe(folder);
    await page.getByText(words['system.unsaved']).waitFor({ state: 'detached' });
  });

  it('[ER-03] a folder that is not writable is refused with a message, and the edit stays', async () => {
    await field('system.folder').fill('/proc/vedette');
    await button('system.save').click();
    await page.getByText(words.errCode_1003).waitFor({ timeout: 20_000 });
    await page.getByText(words['system.reasonAbsent']).waitFor();
    expect(await field('system.folder').inputValue()).toBe('/proc/vedette');
    expect((await operator.ok('system/config/get', {})).config.storage.folder).toBe(folder);
    await expectNoProblems(watched, 'system-refused');
    await button('system.discard').click();
    await page.getByText(words['system.unsaved']).waitFor({ state: 'detached' });
  });

  it('a stale edit shows the newer values and says so', async () => {
    const { config, version } = await operator.ok('system/config/get', {});
    await field('system.retention').fill('20');
    await operator.ok('system/config/set', {
      version,
      config: { ...config, storage: { ...config.storage, retentionDays: 33 } },
    });
    await button('system.save').click();
    await page.getByText(words['system.stale']).waitFor();
    await waitFor(
      'the newer value',
      async () => (await field('system.retention').inputValue()) === `33 ${words['system.days']}`,
    );
    await expectNoProblems(watched, 'system-stale');
    await field('system.retention').fill('21');
    await button('system.save').click();
    await page.getByRole('status').getByText(words['system.saved']).waitFor();
    const kept = async () => (await operator.ok('system/config/get', {})).config.storage.retentionDays;
    await expect.poll(kept).toBe(21);
    expect(watched.problems).toEqual([]);
  });
});

describe('changes that were not saved', () => {
  it('are left only after a question, and stay where it is answered so', async () => {
    const kept = await field('system.retention').inputValue();
    await field('system.retention').fill('77');
    await page.getByText(words['system.unsaved']).waitFor();
    const devices = page.getByRole('navigation').getByRole('link', { name: words['screen.devices'] });
    await devices.click();
    const dialog = page.getByRole('dialog', { name: words['unsaved.title'] });
    await dialog.waitFor();
    await expectNoProblems(watched, 'system-leave');
    await dialog.getByRole('button', { name: words['unsaved.stay'] }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/homepage/system');
    await section('network').click();
    await dialog.getByRole('button', { name: words['unsaved.stay'] }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('section')).toBe('storage');
    expect(await field('system.retention').inputValue()).toBe(`77 ${words['system.days']}`);
    await devices.click();
    await dialog.getByRole('button', { name: words['unsaved.leave'] }).click();
    await page.getByText(words['devices.empty']).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: words['screen.system'] }).click();
    await openSection('storage');
    await expect.poll(() => field('system.retention').inputValue()).toBe(kept);
  });
});

describe('camera networks', () => {
  it('accepts only CIDR blocks; Enter adds, saving stores, the cross removes', async () => {
    await openSection('network');
    for (const wrong of ['10.0.0.1', '10.0.0.256/8', '10.0.0.0/33', 'fe80::/129', 'gate']) {
      await field('system.cameraNetworks').fill(wrong);
      await field('system.cameraNetworks').press('Enter');
      await page.getByText(words['valid.cidr']).waitFor();
    }
    await expectNoProblems(watched, 'system-bad-network');
    for (const network of ['127.0.0.0/8', 'fe80::/10']) {
      await field('system.cameraNetworks').fill(network);
      await field('system.cameraNetworks').press('Enter');
      await page.getByRole('listitem').getByText(network, { exact: true }).waitFor();
    }
    await button('system.save').click();
    await waitFor(
      'both networks on the server',
      async () =>
        (await operator.ok('system/config/get', {})).config.network.cameraNetworks.join() === '127.0.0.0/8,fe80::/10',
    );
    await page.getByText(words['system.unsaved']).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: words['system.removeNetwork'].replace('{network}', 'fe80::/10') }).click();
    await page.getByText(words['system.unsaved']).waitFor();
    await button('system.save').click();
    await waitFor(
      'one network on the server',
      async () => (await operator.ok('system/config/get', {})).config.network.cameraNetworks.join() === '127.0.0.0/8',
    );
    expect(watched.problems).toEqual([]);
  });
});

describe('on a page of 1440 × 900 that is magnified to 200 %', () => {
  it('everything fits the width, and the last setting is reached by scrolling', async () => {
    const usual = page.viewportSize();
    await page.setViewportSize(MAGNIFIED);
    for (const link of await page.locator('nav:not(main nav)').getByRole('link').all()) await expectInside(page, link);
    const rail = page.getByRole('navigation').getByRole('link', { name: words['screen.system'] });
    // What only scrolls into sight is cut off too: no link lies over what stands below the links.
    const below = page.getByRole('navigation').getByRole('button', { name: words['manual.help'] });
    const [{ y = 0, height = 0 }, next] = [(await rail.boundingBox()) ?? {}, await below.boundingBox()];
    expect(y + height).toBeLessThan(next?.y ?? 0);
    expect(await cutOff(page, 'main')).toEqual([]);
    await expectNoProblems(watched, 'system-magnified');
    await openSection('certificate');
    const last = page.getByRole('link', { name: words['system.installAuthority'] });
    await last.scrollIntoViewIfNeeded();
    await expectInside(page, last);
    await expectNoProblems(watched, 'system-magnified-end');
    if (usual !== null) await page.setViewportSize(usual);
  });
});

describe('health', () => {
  const part = (name: string) => page.locator(`main li[data-part="${name}"]`);

  it('shows real measures of each part, and says what to do when the storage is gone', async () => {
    await openSection('health');
    for (const name of ['server', 'site', 'gateway', 'database', 'machine', 'dataDisk']) await part(name).waitFor();
    await part('server').locator('[data-figure="cpuShare"] svg').waitFor({ timeout: 30_000 });
    await part('gateway').locator('[data-figure="handles"]').waitFor();
    await part('site').locator('[data-figure="residentBytes"]').waitFor();
    await part('mail').getByText(words['healthReason.mailOff']).waitFor();
    await part('backup').getByRole('button', { name: words['health.backUpNow'] }).click();
    await part('backup').getByText(words['health.backupNoFolder']).waitFor();
    await expectNoProblems(watched, 'system-health');
    await part('mail').getByRole('link', { name: words['health.open'] }).click();
    await page.waitForURL((url) => url.searchParams.get('section') === 'mail');
    const { config, version } = await operator.ok('system/config/get', {});
    const lost = join(folder, 'lost');
    await operator.ok('system/config/set', {
      version,
      config: { ...config, storage: { ...config.storage, folder: lost } },
    });
    await openSection('health');
    await part('storage').getByText(lost).waitFor({ timeout: 20_000 });
    await rename(lost, `${lost}-away`);
    await writeFile(lost, 'no folder');
    await page.locator('[data-part="storage"][data-state="bad"]').waitFor({ timeout: 30_000 });
    await expectNoProblems(watched, 'system-health-bad');
    await rm(lost);
    await rename(`${lost}-away`, lost);
    await page.locator('[data-part="storage"][data-state="good"]').waitFor({ timeout: 60_000 });
  });

  it('says when what is shown is old, and why nothing is', async () => {
    await page.route('**/api/v1/system/health/get', (route) =>
      route.fulfill({ json: { code: 1000, message: 'serverInternalError', data: null } }),
    );
    await page.getByText(words['health.notCurrent']).waitFor({ timeout: 30_000 });
    await part('server').waitFor();
    await page.unroute('**/api/v1/system/health/get');
    await page.getByText(words['health.notCurrent']).waitFor({ state: 'detached', timeout: 30_000 });
  });
});

describe('versions', () => {
  it('are those that run, and are copied for a report', async () => {
    await openSection('versions');
    const { version, postgres } = await operator.ok('system/version/get', {});
    const sites = page.getByRole('table', { name: words['sites.title'] });
    await sites.getByText(words['sites.local']).waitFor();
    await sites.getByText(version, { exact: true }).waitFor();
    await page.getByText(postgres, { exact: true }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
    await page.getByRole('button', { name: words['versions.copyReport'] }).click();
    await page.getByRole('button', { name: words['common.copied'] }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`Vedette ${version}`);
    expect(copied).toMatch(/^server: \w+ .*residentBytes=\d+/m);
    expect(copied).not.toContain(folder);
    await expectNoProblems(watched, 'system-versions');
  });
});

describe('the log', () => {
  const lines = () => page.getByRole('option');
  const write = (text: string) =>
    appendFile(join(product.data, 'logs', 'launcher.log'), `${new Date().toISOString()} ${text}\n`);

  it('is found by the command palette, filtered, opened and walked through by keys', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').pressSequentially(words['systemLog.title']);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('section') === 'logs');
    await lines().and(page.locator('[data-part="launcher"]')).first().waitFor();
    await page.getByLabel(words['systemLog.search']).fill('READY at');
    await expect.poll(() => lines().count()).toBe(1);
    await lines().getByText(`ready at ${product.url}`).click();
    await page.getByRole('region', { name: words['systemLog.line'] }).getByText(product.url).waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: words['systemLog.line'] }).waitFor({ state: 'detached' });
    await page.getByLabel(words['systemLog.search']).fill('no such words');
    await page.getByText(words['systemLog.empty'], { exact: true }).waitFor();
    await expectNoProblems(watched, 'system-log-empty');
    await page.getByLabel(words['systemLog.search']).fill('');
    await lines().nth(1).waitFor();
    await page.getByRole('listbox').press('End');
    await page.locator('[data-part][aria-selected="true"]').waitFor();
    await page.getByRole('listbox').press('Home');
    await page.getByRole('region', { name: words['systemLog.line'] }).waitFor();
    await expectNoProblems(watched, 'system-log');
    await page.getByRole('listbox').press('Escape');
  });

  it('is followed while it is written, until it is paused, and hides secrets', async () => {
    await write('planted rtsp://admin:hunter2@192.0.2.1/');
    await lines().getByText('planted rtsp://admin:[secret]@192.0.2.1/').waitFor();
    await page.getByRole('button', { name: words['systemLog.pause'] }).click();
    await write('written while paused');
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/system/log/list'));
    await page.getByText(words['systemLog.fromError'], { exact: true }).click();
    await asked;
    await page.waitForURL((url) => url.searchParams.get('level') === 'error');
    await page.getByText(words['common.all'], { exact: true }).click();
    await lines().getByText('written while paused').waitFor();
    await write('written later');
    await page.getByRole('button', { name: words['systemLog.follow'] }).click();
    await lines().getByText('written later').waitFor();
  });

  it('is downloaded as the filter shows it', async () => {
    await page.getByLabel(words['systemLog.search']).fill('planted');
    await expect.poll(() => lines().count()).toBe(1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: words['systemLog.download'] }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^vedette-log-.*\.ndjson\.gz$/);
    const text = gunzipSync(await readFile(await file.path())).toString('utf8');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ level: 'info', part: 'launcher', text: 'planted rtsp://admin:[secret]@192.0.2.1/' }]);
    await page.getByLabel(words['systemLog.search']).fill('');
  });

  it('says why it cannot be loaded, and tries again', async () => {
    await page.route('**/api/v1/system/log/list', (route) =>
      route.fulfill({ json: { code: 1000, message: 'serverInternalError', data: null } }),
    );
    await page.getByText(words['systemLog.fromWarning'], { exact: true }).click();
    await page.getByRole('alert').getByText(words['systemLog.loadFailed']).waitFor();
    await page.unroute('**/api/v1/system/log/list');
    await page.getByRole('button', { name: words['common.retry'] }).click();
    await page.getByText(words['systemLog.loadFailed']).waitFor({ state: 'detached' });
    await page.getByText(words['common.all'], { exact: true }).click();
    expect(watched.problems).toEqual([]);
  });
});

describe('access', () => {
  it('lists the addresses as links, and offers the certificate authority for download', async () => {
    const { addressList, certificate, authorityUrl } = await operator.ok('system/config/get', {});
    await openSection('network');
    const linked = () =>
      page.locator('main li a').evaluateAll((list) => list.map((one) => one.getAttribute('href') ?? ''));
    await expect.poll(linked).toHaveLength(addressList.length);
    for (const link of await linked()) expect(new URL(link).port).toBe(new URL(product.url).port);
    await openSection('certificate');
    await page.getByText(certificate?.fingerprint ?? 'no certificate').waitFor();
    const link = page.getByRole('link', { name: words['system.installAuthority'] });
    expect(await link.getAttribute('href')).toBe(authorityUrl);
    const answer = await fetch(new URL(authorityUrl, product.url));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('BEGIN CERTIFICATE');
  });

  it('[UI-03] shows the same in Chinese and in the light theme', async () => {
    const chinese = await openSignedIn(browser, product, {
      path: '/homepage/system?section=storage',
      locale: 'zh-CN',
      colorScheme: 'light',
    });
    await chinese.page.getByLabel(LANGUAGES[1].words['system.folder'], { exact: true }).waitFor();
    await expectNoProblems(chinese, 'system-zh');
    for (const name of ['versions', 'health']) {
      await chinese.page.locator(`main nav [data-section="${name}"]`).click();
      await chinese.page
        .locator('main')
        .getByText('PostgreSQL')
        .or(chinese.page.locator('[data-part="gateway"] svg'))
        .first()
        .waitFor();
      await expectNoProblems(chinese, `system-${name}-zh`);
    }
    await chinese.page.setViewportSize({ width: 390, height: 844 });
    for (const name of ['health', 'versions']) {
      await chinese.page.locator(`main nav [data-section="${name}"]`).click();
      await expect.poll(() => chinese.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await expectNoProblems(chinese, `system-${name}-phone`);
    }
    await chinese.page.setViewportSize({ width: 1440, height: 900 });
    await chinese.page.locator('main nav [data-section="logs"]').click();
    await chinese.page.getByRole('option').first().waitFor();
    await expectNoProblems(chinese, 'system-log-zh');
    await chinese.page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => chinese.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectNoProblems(chinese, 'system-log-phone');
    await chinese.close();
  });
});
