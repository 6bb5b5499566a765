// Resources and consumption in the console over a running product with demo cameras and a history: figures, groups, ranges, CSV, prices, both themes and languages.
import { readFileSync } from 'node:fs';
import type { QuotaName } from '@vedette/contract/quotas.ts';
import { parseCsv } from '@vedette/rules/csv/csv.ts';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const COSTS = '/homepage/costCenter';
const RESOURCES = '/homepage/resourceManage';
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await waitFor('the demo', async () => (await operator.ok('device/list', { status: 1 })).total === 9, 60_000);
  await fillLedger();
  watched = await openSignedIn(browser, product, { path: COSTS, width: 1440, height: 900 });
  page = watched.page;
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Last month, by day, as the jobs would have summed it; and this month, as they sum it within a minute. */
async function fillLedger(): Promise<void> {
  const client = new pg.Client({ host: `${product.data}/run`, user: 'vedette', database: 'vedette' });
  client.on('error', () => undefined);
  await client.connect();
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  await client.query(
    `insert into consumption_day (start_time, account_id, organization_id, meter, amount)
     select (extract(epoch from day at time zone $1) * 1000)::bigint, account_id, '0', meter, amount
     from account, generate_series(date_trunc('month', now() at time zone $1) - interval '1 month',
       date_trunc('month', now() at time zone $1) - interval '1 day', interval '1 day') as day,
       (values ('recordingByteHours', 24 * 80e9), ('egressBytes', 5e9), ('streamMinutes', 300),
         ('cdnBytes', 2e9), ('cdnMinutes', 120), ('mails', 4)) as part (meter, amount)`,
    [zone],
  );
  await client.query(
    `insert into consumption_entry (source, sequence, meter, account_id, organization_id, at, amount)
     select 'traffic', report, 'egressBytes', account_id, '0', (extract(epoch from now()) * 1000)::bigint, 1500000000
     from account, generate_series(1, 10) as report`,
  );
  await client.end();
}

const meterRow = (name: string, on = page) => on.locator(`[data-meter="${name}"]`);
const choose = (what: string, name: string) =>
  page.getByRole('radiogroup', { name: what }).getByText(name, { exact: true }).click();

it('[RS-05] the last month by meter, organization, account and day, without costs while nothing has a price', async () => {
  await choose(words['consumption.range'], words['consumption.range.lastMonth']);
  await meterRow('mails').waitFor();
  await meterRow('cdnBytes').waitFor();
  await choose(words['consumption.groupBy'], words['consumption.group.account']);
  const byAccount = page.getByRole('table', { name: words['consumption.by.account'] });
  await byAccount.getByRole('rowheader', { name: OPERATOR[0] }).waitFor();
  expect(await page.getByRole('columnheader', { name: words['consumption.cost'] }).count()).toBe(0);
  const days = page.getByRole('table', { name: words['consumption.byDay'] }).getByRole('row');
  expect(await days.count()).toBeGreaterThanOrEqual(29);
  await expectNoProblems(watched, 'consumption-account-dark-1440');
});

it('[RS-05] the operator sets prices, by keys, and sees costs', async () => {
  const prices = page.getByRole('region', { name: words['consumption.prices'] });
  await prices.getByLabel(words['consumption.currency']).fill('eu');
  await prices.getByLabel(words['consumption.meter.mails']).fill('0.25');
  await prices.getByText(words['consumption.wrongCurrency']).waitFor();
  await prices.getByLabel(words['consumption.currency']).fill('eur');
  await prices.getByLabel(words['consumption.meter.egressBytes']).fill('2');
  await page.keyboard.press('Enter');
  await expect.poll(() => meterRow('mails').textContent()).toContain('€0.25');
  const days = (await page.getByRole('table', { name: words['consumption.byDay'] }).getByRole('row').count()) - 1;
  const cost = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(days * (4 * 0.25 + 5 * 2));
  await page.getByRole('row', { name: words['consumption.total'] }).getByText(cost).waitFor();
  await expectNoProblems(watched, 'consumption-prices-dark-1440');
});

it('[RS-05] the CSV has each amount exactly', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: words['consumption.csv'] }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('consumption-account-lastMonth.csv');
  const { rows } = parseCsv(readFileSync(await download.path(), 'utf8'));
  const recordings = rows.filter((row) => row[2] === words['consumption.meter.recordingByteHours']);
  expect(recordings.at(-1)?.slice(3, 5)).toEqual(['1920000000000', 'byteHours']);
});

it('[RS-04] resources show what is used and what is left', async () => {
  await page.goto(`${product.url}${RESOURCES}`);
  const devices = page.locator('[data-resource="devices"]');
  await devices.waitFor();
  const { quotaList } = await operator.ok('quota/list', {});
  const used = quotaList.find(({ quota }) => quota === 'devices')?.used ?? 0;
  expect(used).toBeGreaterThanOrEqual(9);
  expect(await devices.getByRole('cell').first().textContent()).toBe(String(used));
  expect(await devices.getByRole('meter').getAttribute('aria-valuenow')).toBe('0.1');
  await expectNoProblems(watched, 'resources-dark-1440');
});

it('[RS-05] the operator sets quotas of a user type and of an account, by keys, and takes them back', async () => {
  await page.getByRole('link', { name: words['quotas.title'] }).click();
  const row = (quota: QuotaName) => page.locator(`[data-quota="${quota}"]`);
  const field = (quota: QuotaName) => row(quota).getByRole('textbox');
  const limitOf = async (quota: QuotaName): Promise<number | undefined> => {
    const { defaultList } = await operator.ok('quota/default/list', {});
    return defaultList.find((one) => one.quota === quota)?.limits.ordinary.limit;
  };
  await field('devices').fill('200000');
  await row('devices').getByText(words['quotas.tooMuch']).waitFor();
  await field('devices').fill('12');
  await field('monthEgressBytes').fill('2.5');
  await page.keyboard.press('Enter');
  await page.getByText(words['quotas.saved']).first().waitFor();
  expect(await limitOf('devices')).toBe(12);
  expect(await limitOf('monthEgressBytes')).toBe(2_500_000_000);
  await row('monthEgressBytes').getByText('2.5 GB', { exact: true }).waitFor();
  await field('devices').fill('');
  await page.getByRole('button', { name: words['quotas.save'] }).click();
  await expect.poll(() => limitOf('devices')).toBe(500);
  await expectNoProblems(watched, 'quotas-dark-1440');
});

it.each([390, 1440, 1920])('[RS-05] [RS-04] in Chinese and in light, %i pixels wide', async (width) => {
  for (const [name, path, heading] of [
    ['consumption', `${COSTS}?range=lastMonth&group=account`, chinese['consumption.byDay']],
    ['resources', RESOURCES, chinese['resources.of.devices']],
    ['quotas', `${RESOURCES}?section=quotas`, chinese['quotas.of.devices']],
  ] as const) {
    const light = await openSignedIn(browser, product, {
      path,
      locale: 'zh-CN',
      colorScheme: 'light',
      width,
      height: 900,
    });
    await light.page.getByText(heading, { exact: true }).first().waitFor();
    const tooWide = await light.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(tooWide).toBe(false);
    await expectNoProblems(light, `${name}-light-zh-${width}`);
    await light.close();
  }
});

// A job sums once a minute: what needs it comes last.
it('[RS-05] [RT-06] this month is shown as soon as it is summed', async () => {
  await page.goto(`${product.url}${COSTS}`);
  await page.getByRole('heading', { level: 1, name: words['screen.costs'] }).waitFor();
  await waitFor(
    'the traffic to be summed',
    async () => {
      await page.reload();
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      return (await meterRow('egressBytes').count()) === 1;
    },
    90_000,
  );
  expect(await meterRow('egressBytes').textContent()).toContain('15 GB');
});

it('[RS-05] a range that nothing was consumed in says so, and a failure can be tried again', async () => {
  await page.goto(`${product.url}${COSTS}?range=custom&from=1577836800000&to=1577923200000`);
  await page.getByText(words['consumption.none']).waitFor();
  await page.route('**/api/v1/cost/*', (route) => route.fulfill({ json: { code: 1000, message: '', data: null } }));
  await page.goto(`${product.url}${COSTS}`);
  await page.getByText(words['consumption.error']).waitFor();
  await page.unroute('**/api/v1/cost/*');
  await page.getByRole('button', { name: words['common.retry'] }).click();
  await meterRow('egressBytes').waitFor();
});

it('[RS-05] a month that is nearly or wholly used up says so', async () => {
  const budget = page.locator('[data-budget="egressBytes"]');
  const setLimit = (limit: number | null) =>
    operator.ok('cost/quota/set', { userType: 'super', quotaList: [{ quota: 'monthEgressBytes', limit }] });
  await setLimit(17_000_000_000);
  await page.goto(`${product.url}${COSTS}`);
  await budget.getByRole('status').waitFor();
  expect(await budget.textContent()).toContain('15 GB of 17 GB');
  await setLimit(15_000_000_000);
  await page.reload();
  await budget.getByRole('alert').waitFor();
  await expectNoProblems(watched, 'consumption-used-up-dark-1440');
  await setLimit(null);
  await page.reload();
  await meterRow('egressBytes').waitFor();
  await expect.poll(() => budget.count()).toBe(0);
});
