// A gateway or a site that is killed under a live page: it starts again, and the page goes on by itself.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { findProcess } from '../harness/processes.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, liveClock } from './console-steps.ts';
import { openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const GATE = 'Gate House';
const TILE = '[data-cell="0"][data-state=live]';

let product: Product;
let browser: Browser;
let virtual: VirtualSite;
let watched: WatchedPage;

beforeAll(async () => {
  [product, browser, virtual] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  const operator = await product.setUp(...OPERATOR);
  const gate = virtual.devices.find(({ name }) => name === GATE);
  if (!gate) throw new Error('no gate');
  await operator.ok('device/add', { target: gate.target, user: gate.user, password: gate.password, deviceName: GATE });
  watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
  await watched.page.getByRole('tree').getByRole('treeitem', { name: GATE }).click();
  await liveClock(watched.page, TILE);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), virtual?.stop()]);
});

it.each(['main-gateway.ts', 'main-site.ts'])('the page shows live video again after %s was killed', async (script) => {
  const { page } = watched;
  const launcher = product.process.pid ?? 0;
  const before = await findProcess(launcher, script);
  process.kill(before.pid, 'SIGKILL');
  const killedAt = Date.now();
  await waitFor('another process', async () => (await findProcess(launcher, script)).pid !== before.pid);
  await waitFor(
    'a picture that was taken after the kill',
    async () => Date.now() - (await liveClock(page, TILE)) > killedAt + 1000,
    60_000,
  );
  expect(await liveClock(page, TILE)).toBeLessThan(2000);
  await page.locator('[data-connection]').getByText(words['connection.online']).waitFor({ timeout: 20_000 });
}, 90_000);
