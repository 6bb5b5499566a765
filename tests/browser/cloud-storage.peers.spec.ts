// Cloud storage in the console: the operator adds an object store, is told what is wrong with it, opens a plan for a camera, and sees its copies.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { CephGateway, hasCeph } from '../harness/ceph-gateway.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const SCREEN = '/homepage/system?section=cloud';
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let ceph: CephGateway;
let product: Product;
let virtual: VirtualSite;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;

const button = (name: string, on: Page | Locator = page): Locator => on.getByRole('button', { name, exact: true });
const field = (name: string): Locator => page.getByLabel(name, { exact: true });

describe.skipIf(!hasCeph)('cloud storage', () => {
  beforeAll(async () => {
    [ceph, product, virtual, browser] = await Promise.all([
      CephGateway.start(),
      Product.start(),
      startVirtualSite(['--cameras', '1']),
      openBrowser(),
    ]);
    operator = await product.setUp(...OPERATOR);
    await ceph.makeBucket('recordings');
    const { config, version } = await operator.ok('system/config/get', {});
    const network = { cameraNetworks: ['127.0.0.0/8'] };
    await operator.ok('system/config/set', { config: { ...config, network }, version });
    await addAll(operator, virtual.devices);
    watched = await openSignedIn(browser, product, { path: SCREEN });
    page = watched.page;
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([product?.stop(), virtual?.stop(), ceph?.stop()]);
  });

  it('an object store is tried, refused with its reason, and saved once it works', async () => {
    await page.getByText(words['cloud.noStores']).waitFor();
    await expectNoProblems(watched, 'cloud-empty-dark');
    await button(words['cloud.addStore']).click();
    const { endpoint, region, bucket, prefix, accessKey, secretKey } = ceph.access('recordings');
    await field(words['cloud.name']).fill('Archive');
    await field(words['cloud.endpoint']).fill(endpoint);
    await field(words['cloud.region']).fill(region);
    await field(words['cloud.bucket']).fill(bucket);
    await field(words['cloud.prefix']).fill(prefix);
    await field(words['cloud.accessKey']).fill(accessKey);
    await field(words['cloud.secretKey']).fill('wrong');
    await button(words['common.save']).click();
    await page.getByText(words['cloud.reason.keys']).waitFor();
    await expectNoProblems(watched, 'cloud-store-form-dark');
    expect((await operator.ok('cloud/store/list', {})).total).toBe(0);
    await field(words['cloud.secretKey']).fill(secretKey);
    await button(words['cloud.try']).click();
    await page.getByText(words['cloud.works']).waitFor();
    await button(words['common.save']).click();
    await page.getByRole('listitem').filter({ hasText: 'Archive' }).waitFor();
    expect((await operator.ok('cloud/store/list', {})).total).toBe(1);
  });

  it('[RS-01] a plan says what it will hold, and shows what is stored and how far behind it is', async () => {
    await waitFor('recordings', async () => (await operator.ok('system/storage/use', {})).total > 0, 60_000);
    await page.reload();
    await button(words['cloud.openPlan']).click();
    await page.getByRole('combobox', { name: words['cloud.camera'] }).click();
    await page.getByRole('option').first().click();
    await page.getByText(words['cloud.estimateUnknown']).waitFor();
    await expectNoProblems(watched, 'cloud-plan-form-dark');
    await button(words['cloud.open']).click();
    const row = page.getByRole('list', { name: words['cloud.plans'] }).getByRole('listitem');
    await row.getByText(words['cloud.upToDate']).waitFor();
    await waitFor(
      'a copy',
      async () => ((await operator.ok('cloud/plan/list', {})).planList[0]?.storedFiles ?? 0) > 0,
      120_000,
    );
    await expectNoProblems(watched, 'cloud-plans-dark');
  }, 240_000);

  it('in Chinese and light, and a plan is closed', async () => {
    const other = await openSignedIn(browser, product, { path: SCREEN, locale: 'zh-CN', colorScheme: 'light' });
    await other.page.getByText(chinese['cloud.upToDate']).waitFor();
    await expectNoProblems(other, 'cloud-plans-light-zh');
    await other.close();
    const plans = page.getByRole('list', { name: words['cloud.plans'] });
    await plans.getByRole('button').click();
    await page.getByRole('menuitem', { name: words['cloud.close'] }).click();
    await button(words['cloud.close'], page.getByRole('dialog')).click();
    await page.getByText(words['cloud.noPlans']).waitFor();
    expect((await operator.ok('cloud/plan/list', {})).total).toBe(0);
  });
});
