// Statistics in the console over a running product with demo cameras and a history: charts, tables, ranges, CSV, report, both themes and languages.
import { readFileSync } from 'node:fs';
import { parseCsv } from '@vedette/rules/csv/csv.ts';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, shot, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const SCREEN = '/homepage/stasticContainer';
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
  await waitFor(
    'the demo to be online',
    async () => (await operator.ok('device/list', { status: 1 })).total === 9,
    60_000,
  );
  await fillHistory();
  watched = await openSignedIn(browser, product, { path: SCREEN, width: 1440, height: 900 });
  page = watched.page;
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Seventy days of all four statistics, as the jobs would have stored them. */
async function fillHistory(): Promise<void> {
  const client = new pg.Client({ host: `${product.data}/run`, user: 'vedette', database: 'vedette' });
  client.on('error', () => undefined);
  await client.connect();
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const times = `(select grain, (extract(epoch from at at time zone $1) * 1000)::bigint as start_time, day
    from generate_series(1, 70) as day,
      lateral (select 'day' as grain, date_trunc('day', now() at time zone $1) - day * interval '1 day' as at) as one
    union all select 'hour', (extract(epoch from date_trunc('hour', now())) * 1000)::bigint - hour * 3600000::bigint, hour
    from generate_series(1, 700) as hour) as unit`;
  const lasted = `(case grain when 'day' then 86400000::bigint else 3600000 end)`;
  await client.query(
    `insert into device_statistic (grain, start_time, device_id, state, lasted_ms, begun)
     select grain, start_time, device_id, state, (${lasted} * share)::bigint, case state when 'online' then 0 else 2 end
     from device, ${times}, (values ('online', 0.93), ('timeout', 0.04), ('deviceAuth', 0.03)) as part (state, share)
     on conflict do nothing`,
    [zone],
  );
  await client.query(
    `insert into alarm_statistic
       (grain, start_time, device_id, channel_no, type, owner_id, raised, acknowledged, acknowledge_ms)
     select grain, start_time, device_id, 1, type, owner_id, 3 + day % 7, 2, 240000 + 1000 * day
     from device, ${times}, unnest(array['MotionAlarm', 'HumanShapeDetect', 'VehicleDetect']) as type
     on conflict do nothing`,
    [zone],
  );
  await client.query(
    `insert into storage_statistic (grain, start_time, channel_id, used_bytes, oldest_at)
     select grain, start_time, channel_id, (80 - day % 70)::bigint * 400000000, start_time - 86400000::bigint * (3 + day % 20)
     from channel, ${times} on conflict do nothing`,
    [zone],
  );
  await client.query(
    `insert into traffic_statistic (grain, start_time, device_id, channel_no, direction, account_id, bytes)
     select grain, start_time, device_id, 1, direction, case direction when 'out' then owner_id else '' end,
       (1 + day % 5)::bigint * 300000000
     from device, ${times}, unnest(array['in', 'out']) as direction on conflict do nothing`,
    [zone],
  );
  await client.end();
}

const panel = (name: string, on = page) => on.getByRole('region', { name, exact: true });
const section = (name: string, on = page) =>
  on.getByRole('navigation', { name: wordsFor(on)['statistics.sections'] }).getByRole('link', { name, exact: true });
const drawn = (on = page) => on.locator('[data-drawn] canvas');
const wordsFor = (on: Page) => (on === page ? words : chinese);

it('[RS-06] [RT-06] the overview shows figures with the period before, and a chart of each topic', async () => {
  await page.getByRole('heading', { level: 1, name: words['screen.statistics'] }).waitFor();
  await expect.poll(() => drawn().count()).toBe(4);
  expect(await page.locator('[data-figure="onlineShare"]').textContent()).toContain('93');
  await expectNoProblems(watched, 'statistics-overview-dark-1440');
});

it.each(['device', 'alarm', 'storage', 'traffic'] as const)('[RS-06] %s: each chart has a sentence', async (name) => {
  await section(words[`statistics.section.${name}`]).click();
  await page.locator(`[data-section="${name}"][aria-current="page"]`).waitFor();
  await page.getByText(words['statistics.range.month'], { exact: true }).click();
  await expect.poll(() => drawn().count()).toBeGreaterThan(0);
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  await expectNoProblems(watched, `statistics-${name}-dark-1440`);
});

it('[RS-06] a chart is shown as a table, by keys', async () => {
  await section(words['statistics.section.device']).click();
  const share = panel(words['statistics.series.onlineShare']);
  const toggle = share.getByRole('button', { name: words['statistics.asTable'] });
  await toggle.focus();
  await page.keyboard.press('Enter');
  // The head, and thirty days.
  await expect.poll(() => share.getByRole('row').count()).toBe(31);
  expect(await share.getByRole('row').nth(5).textContent()).toContain('93%');
  await share.getByRole('button', { name: words['statistics.asChart'] }).click();
  await share.locator('[data-drawn]').waitFor();
});

it('[RS-06] the CSV has each value of the section', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: words['statistics.csv'] }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('statistics-device-month.csv');
  const { rows } = parseCsv(readFileSync(await download.path(), 'utf8'));
  const courses = rows.filter(([what]) => what === words['statistics.series.onlineShare']);
  // The figure, and thirty days.
  expect(courses).toHaveLength(31);
  expect(courses[5]?.at(-1)).toBe('percent');
});

it('[RS-06] a custom range is kept in the address, and refused where it ends before it starts', async () => {
  await page.getByText(words['statistics.range.custom'], { exact: true }).click();
  await page.getByText(words['statistics.chooseRange']).waitFor();
  await page.getByLabel(words['statistics.from'], { exact: true }).fill('2026-01-01T00:00');
  await page.getByLabel(words['statistics.to'], { exact: true }).fill('2025-01-01T00:00');
  await page.getByText(words['statistics.wrongOrder']).waitFor();
  await page.getByLabel(words['statistics.to'], { exact: true }).fill('2026-01-03T00:00');
  await page.getByText(words['statistics.none']).waitFor();
  expect(new URL(page.url()).searchParams.get('range')).toBe('custom');
  await page.reload();
  await page.getByText(words['statistics.none']).waitFor();
  await expectNoProblems(watched, 'statistics-empty-dark-1440');
});

it('[RS-06] a failure is told and can be tried again', async () => {
  await page.route('**/api/v1/stat/*', (route) => route.fulfill({ json: { code: 1000, message: '', data: null } }));
  await page.goto(`${product.url}${SCREEN}?section=storage`);
  await page.getByText(words['statistics.error']).waitFor();
  await page.unroute('**/api/v1/stat/*');
  await page.getByRole('button', { name: words['common.retry'] }).click();
  await drawn().first().waitFor();
});

it('[RS-06] the printed report is the report alone', async () => {
  await page.goto(`${product.url}${SCREEN}?section=storage`);
  await drawn().first().waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation', { name: words['statistics.sections'] }).isVisible()).toBe(false);
  expect(await page.locator('[data-figure="usedBytes"]').isVisible()).toBe(true);
  await shot(page, 'statistics-print');
  await page.emulateMedia({ media: 'screen' });
});

it.each([390, 1440, 1920])('[RS-06] in Chinese and in light, %i pixels wide', async (width) => {
  const light = await openSignedIn(browser, product, {
    path: `${SCREEN}?section=alarm&range=week`,
    locale: 'zh-CN',
    colorScheme: 'light',
    width,
    height: 900,
  });
  await expect.poll(() => drawn(light.page).count()).toBe(2);
  await light.page.getByRole('heading', { name: chinese['statistics.breakdown.alarmsByHourOfWeek'] }).waitFor();
  const tooWide = await light.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(tooWide).toBe(false);
  await expectNoProblems(light, `statistics-alarm-light-zh-${width}`);
  await light.close();
});
