// A session that expires while a recording plays and an export runs: it plays on until the page has to ask, the export finishes, and sign-in leads back to the same moment.
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../harness/api-client.ts';
import { openBrowser } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, signIn } from './console-steps.ts';
import { openBySignIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let site: VirtualSite;
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
  recordedFrom = await waitFor('20 s of recording', firstSpanOf20s, 90_000);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

async function firstSpanOf20s(): Promise<number | undefined> {
  const range = { startTime: Date.now() - 3_600_000, endTime: Date.now() + 5000 };
  const { recordList } = await operator.ok('record/query', { ...dev, ...range, srcType: 1 });
  return recordList.find(({ startTime, endTime }) => endTime - startTime > 20_000)?.startTime;
}

/** What the page shows, ms; null while it shows nothing. */
async function positionOf(page: Page): Promise<number | null> {
  const tile = page.locator('[data-playback]').first();
  if ((await tile.count()) === 0) return null;
  const state = await tile.getAttribute('data-state');
  const slider = page.getByRole('slider', { name: words['playback.timeline'] });
  return state === 'playing' || state === 'paused' ? Number(await slider.getAttribute('aria-valuenow')) * 1000 : null;
}

/** The session of the page alone. */
async function expire(accessToken: string): Promise<void> {
  const client = new ApiClient(product.url);
  client.accessToken = accessToken;
  const own = (await client.ok('account/session/list', {})).sessionList.find(({ isCurrent }) => isCurrent);
  const database = new pg.Client({ host: `${product.data}/run`, user: 'vedette', database: 'vedette' });
  await database.connect();
  const { rowCount } = await database.query('update session set expires_at = 1 where session_id = $1', [
    own?.sessionId,
  ]);
  await database.end();
  expect(rowCount).toBe(1);
}

it('[FT-38] plays on, lets the export finish, and comes back to the same moment after sign-in', async () => {
  const query = new URLSearchParams({ device: dev.deviceSerial, channel: '1', time: String(recordedFrom + 2000) });
  const { page, problems, close } = await openBySignIn(browser, product, { path: `/homepage/container?${query}` });
  const from = await waitFor('the picture to play', async () => (await positionOf(page)) ?? undefined, 60_000);
  const kept = await page.evaluate(() => sessionStorage.getItem('vedette.auth'));
  const { accessToken } = (JSON.parse(kept ?? '{}') as { auth: { accessToken: string } }).auth;
  const asker = new ApiClient(product.url);
  asker.accessToken = accessToken;
  const item = { ...dev, startTime: recordedFrom, endTime: recordedFrom + 15_000 };
  const { task } = await asker.ok('record/export/start', { items: [item] });
  await expire(accessToken);
  const expiredAt = (await positionOf(page)) ?? from;
  await waitFor('four more seconds', async () => ((await positionOf(page)) ?? 0) >= expiredAt + 4000, 30_000);
  let last = expiredAt;
  await waitFor(
    'the page to ask for sign-in',
    async () => {
      last = (await positionOf(page)) ?? last;
      return page.url().includes('/login');
    },
    100_000,
  );
  await signIn(page, words, ...OPERATOR);
  await page.waitForURL(/\/homepage\/container/);
  const back = await waitFor('the picture again', async () => (await positionOf(page)) ?? undefined, 60_000);
  process.stdout.write(`expired-session: ${JSON.stringify({ from, expiredAt, last, back })}\n`);
  expect(new URL(page.url()).searchParams.get('device')).toBe(dev.deviceSerial);
  expect(Math.abs(back - last)).toBeLessThan(5000);
  expect((await operator.ok('record/export/status', { task })).state).toBe('finished');
  expect(problems.filter((problem) => !/401|403|1002/.test(problem))).toEqual([]);
  await close();
}, 240_000);
