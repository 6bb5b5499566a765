// npm run screenshots: starts the demo, waits for some history, and takes the screenshots of the README and the pictures of the manual.
// `npm run screenshots -- manual` takes only those of the manual, `npm run screenshots -- manual ptz alarms` only these two.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { pack } from '@vedette/phrases/en/pack.ts';
import type { Browser, Page } from 'playwright-core';
import { goTo, liveClock, signIn } from '../../tests/browser/console-steps.ts';
import type { ApiClient } from '../../tests/harness/api-client.ts';
import { openBrowser, openPage } from '../../tests/harness/browser.ts';
import { Product } from '../../tests/harness/product.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { prepareManualData } from './manual-data.ts';
import { takeManualScreenshots, takeSetupScreenshots } from './manual-screenshots.ts';

const ACCOUNT = ['operator', 'Watch-2026'] as const;
/** So much of the day must be recorded before a timeline is worth a picture. */
const WANTED_HOURS = 4;

const [part = '', ...only] = process.argv.slice(2);
const [product, browser] = await Promise.all([Product.start({ demo: true, demoHours: 6 }), openBrowser()]);
try {
  if (only.length === 0) await takeSetupScreenshots(browser, product);
  const operator = await product.setUp(...ACCOUNT);
  await waitFor('history', () => hasHistory(operator), 20 * 60_000);
  if (part !== 'manual') {
    await take(browser, 'live-dark', 'dark', wall);
    await take(browser, 'playback-light', 'light', playback);
    await take(browser, 'devices-dark', 'dark', devices);
  }
  // Afterwards: the pictures of the README show the demo alone.
  await takeManualScreenshots(browser, product, await prepareManualData(browser, product, operator), only);
} finally {
  await browser.close();
  await product.stop();
}

async function hasHistory(operator: ApiClient): Promise<boolean> {
  const { deviceList } = await operator.ok('device/list', { keyWord: 'Car Park' });
  const dev = { deviceSerial: deviceList[0]?.deviceSerial ?? '', channelNo: 1 };
  const now = Date.now();
  const { recordList } = await operator.ok('record/query', { ...dev, startTime: now - 24 * HOUR_MS, endTime: now });
  return recordList.reduce((sum, item) => sum + item.endTime - item.startTime, 0) > WANTED_HOURS * HOUR_MS;
}

async function take(
  from: Browser,
  name: string,
  colorScheme: 'dark' | 'light',
  show: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, close } = await openPage(from, { colorScheme, width: 1600, height: 950 });
  await page.goto(`${product.url}/login`);
  await signIn(page, pack, ...ACCOUNT);
  await show(page);
  await page.mouse.move(0, 0);
  // A tip stays open while its button has the focus.
  await page.evaluate('document.activeElement?.blur()');
  await page.getByRole('tooltip').waitFor({ state: 'hidden' });
  await page.screenshot({ path: new URL(`./${name}.png`, import.meta.url).pathname });
  await close();
}

async function wall(page: Page): Promise<void> {
  await page.getByText('9', { exact: true }).first().click();
  await page.getByRole('button', { name: pack['live.fill'] }).first().click();
  await waitFor('nine live tiles', async () => (await page.locator('[data-state=live]').count()) === 9, 60_000);
  await liveClock(page, '[data-state=live]');
}

async function playback(page: Page): Promise<void> {
  await goTo(page, pack, 'playback');
  await page
    .getByRole('tabpanel')
    .getByRole('treeitem', { name: /Car Park/ })
    .dblclick();
  await page.locator('[data-playback][data-state=playing]').waitFor();
}

async function devices(page: Page): Promise<void> {
  await goTo(page, pack, 'devices');
  await page.getByRole('row', { name: /Gate House/ }).click();
  await waitFor('the still', () =>
    page.evaluate<boolean>('[...document.images].some((img) => img.naturalWidth > 100)'),
  );
}
