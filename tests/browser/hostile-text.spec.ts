// Text of cameras and users that would be markup: in every name that the database keeps, on every screen, it is shown as text.
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { SCRIPT_PAYLOADS, SCRIPT_TEXTS, SCRIPT_URLS } from '../abuse/corpora/script-payloads.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { createOneOfEach } from './one-of-each.ts';
import { scriptsIn } from './scripts-in-page.ts';
import { openSignedIn, OPERATOR } from './signed-in.ts';
import { changeAnswers } from './texts-in-answers.ts';

const [{ words }] = LANGUAGES;
/** Each round of the corpus looks at all screens. */
const CORPUS_MS = isLongRun ? 3_600_000 : 240_000;
const HOSTILE = '<img src=x onerror="window.markupRan=1"><b data-markup>{{7*7}}</b>';
/** Names, and what devices say of themselves. */
const TEXTS = /(_name|^name|manufacturer|_model|_version|remark|comment|description|address|^text)$/;
/** They name sign-in, files and what is looked up by its text. */
const KEPT =
  /^(audit|schema_migration|job|queue|schedule|version|bam|subscription)|\.(user_name|account_name|device_user_name|file_name|version_name|soft_version)$/;

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let camera: string;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await waitFor('alarms of the demo', async () => (await operator.ok('alarm/list', {})).alarmList.length > 0, 60_000);
  // The first alarm may be that of the device that is offline.
  const { deviceSerial } = await waitFor(
    'a camera of the demo',
    async () => (await operator.ok('device/list', { status: 1 })).deviceList[0],
    60_000,
  );
  camera = deviceSerial;
  await operator.ok('user/add', { username: 'viewer', password: 'Watch-2027', userType: 2 });
  await operator.ok('share/add', {
    account: 'viewer',
    items: [{ deviceSerial, channelNo: 1 }],
    permission: ['videoView'],
  });
  await operator.ok('role/add', { roleName: 'Guards', permissions: ['Realplay'], resources: [] });
  watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** As if a device or an older version had brought it: calls refuse such names. Answers how many columns have it. */
async function plant(): Promise<number> {
  const client = new pg.Client({ host: `${product.data}/run`, user: 'vedette', database: 'vedette' });
  await client.connect();
  try {
    return await plantIn(client);
  } finally {
    await client.end();
  }
}

async function plantIn(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
       and data_type in ('text', 'character varying')`,
  );
  let planted = 0;
  for (const { table_name: table, column_name: column } of rows) {
    if (!TEXTS.test(column) || KEPT.test(table) || KEPT.test(`${table}.${column}`)) continue;
    try {
      const { rowCount } = await client.query(`update "${table}" set "${column}" = $1 where "${column}" is not null`, [
        HOSTILE,
      ]);
      planted += rowCount === 0 ? 0 : 1;
    } catch (error) {
      // Unique ones, checked ones: one of several names is enough.
      if (!(error instanceof pg.DatabaseError && error.code?.startsWith('23')))
        throw new Error(`${table}.${column}: ${error}`);
    }
  }
  return planted;
}

async function isShownAsText(where: string): Promise<void> {
  const found = await page.evaluate(() => [
    'markupRan' in window,
    document.querySelectorAll('[data-markup], img[src="x"], [onerror]').length,
  ]);
  expect(found, where).toEqual([false, 0]);
}

it('[SE-87] [GO-14] (Frigate CVE-2023-45671, ZoneMinder GHSA-72c3) names that are markup are text on every screen', async () => {
  expect(await plant()).toBeGreaterThan(5);
  await page.reload();
  const links = page.getByRole('navigation').getByRole('link');
  await page.getByText(HOSTILE, { exact: false }).first().waitFor();
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(addresses.length).toBeGreaterThan(8);
  const shown: string[] = [];
  for (const address of new Set(addresses)) {
    await page.goto(`${product.url}${address}`);
    await page.locator('main').getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await isShownAsText(address);
    if ((await page.getByText('onerror').count()) > 0) shown.push(address);
    for (const tab of await page.locator('main').getByRole('tab').all()) {
      await tab.click();
      await page.waitForLoadState('networkidle');
      await isShownAsText(`${address}, ${await tab.textContent()}`);
    }
  }
  expect(shown.length, shown.join(' ')).toBeGreaterThan(4);
});

it('[SE-87] so they are in the details of a device and of an alarm, in the palette and on the wall', async () => {
  await page.goto(`${product.url}/homepage/deviceManage`);
  await page.getByRole('row').nth(1).click();
  await page.getByRole('dialog').or(page.getByRole('complementary')).first().waitFor();
  await isShownAsText('details of a device');
  await page.goto(`${product.url}/homepage/alarmMsg`);
  await page.locator('main').getByText('onerror').first().click();
  await page.waitForLoadState('networkidle');
  await isShownAsText('details of an alarm');
  await page.goto(`${product.url}/homepage/liveVideo`);
  await page.getByText('onerror').first().waitFor();
  await page.getByRole('button', { name: words['live.fill'] }).first().click();
  await page.locator('[data-cell][data-state=live]').first().waitFor({ timeout: 45_000 });
  await isShownAsText('wall');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('img');
  await page.getByRole('option').first().waitFor();
  await isShownAsText('palette');
  expect(watched.problems).toEqual([]);
});

it(
  '[GO-15] [SE-87] [SE-88] the whole corpus of scripts is text in every field of every answer',
  async () => {
    const rounds = isLongRun ? SCRIPT_TEXTS.length : 1;
    expect(SCRIPT_PAYLOADS.length).toBeGreaterThanOrEqual(150);
    await everyTextWouldBeSeen();
    await createOneOfEach(operator, camera);
    watched = await openSignedIn(browser, product, { path: '/serverConfig.json' });
    page = watched.page;
    const changed = await changeAnswers(page, { texts: SCRIPT_TEXTS, urls: SCRIPT_URLS });
    const addresses = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      changed.turnTo(round);
      await page.goto(`${product.url}/homepage/deviceManage`);
      const links = page.getByRole('navigation').getByRole('link');
      await links.first().waitFor();
      for (const link of await links.all()) addresses.add((await link.getAttribute('href')) ?? '');
      for (const address of addresses) await everythingOpens(address);
      process.stdout.write(`scripts: ${changed.fields.size} fields of ${addresses.size} screens\n`);
      expect(changed.fields.size).toBeGreaterThan(25);
    }
  },
  CORPUS_MS,
);

/** A page that takes them for markup has each of them. */
async function everyTextWouldBeSeen(): Promise<void> {
  const context = await browser.newContext();
  const bare = await context.newPage();
  for (const text of SCRIPT_TEXTS) {
    await bare.setContent(`<p>${text}</p>`, { waitUntil: 'domcontentloaded' });
    expect((await scriptsIn(bare)).length, text).toBeGreaterThan(5);
  }
  await context.close();
}

/** A screen with its tabs, and what its first row and button open. */
async function everythingOpens(address: string): Promise<void> {
  await page.goto(`${product.url}${address}`);
  await page.locator('main').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await scriptsIn(page), address).toEqual([]);
  for (const tab of await page.locator('main').getByRole('tab').all()) {
    if (!(await tab.isEnabled())) continue;
    await tab.click();
    await page.waitForLoadState('networkidle');
    expect(await scriptsIn(page), `${address}, ${(await tab.textContent()) ?? ''}`).toEqual([]);
  }
}
