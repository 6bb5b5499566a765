// PTZ on the live wall in a real browser: keys, drags and presets move the camera, and it stops when the operator is gone.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, frameIn } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const ROOF = { deviceSerial: 'VDROOF0005', channelNo: 1 };

interface Head {
  readonly pan: number;
  readonly tilt: number;
  readonly zoom: number;
  readonly isMoving: boolean;
  readonly light: boolean;
}

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let words: (typeof LANGUAGES)[number]['words'] = LANGUAGES[0].words;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await waitFor(
    'the demo to be online',
    async () => (await operator.ok('device/list', { status: 1 })).total === 9,
    60_000,
  );
}, 240_000);

/** Each begins with a page of its own and a head that looks ahead, whatever became of the one before. */
beforeEach(async () => {
  await operator.ok('preset/goto', { ...ROOF, presetIndex: 1 });
  await waitFor('the head to look ahead', async () => {
    const { pan, zoom, isMoving } = await head();
    return !isMoving && pan === 0 && zoom === 0;
  });
});

afterEach(() => page?.context().close());

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function head(): Promise<Head> {
  const { controlUrl } = JSON.parse(await readFile(join(product.data, 'demo.json'), 'utf8')) as { controlUrl: string };
  const { devices } = (await (await fetch(`${controlUrl}/state`)).json()) as {
    devices: { serial: string; heads: Record<string, Head> }[];
  };
  const found = devices.find(({ serial }) => serial === ROOF.deviceSerial)?.heads['1'];
  if (!found) throw new Error('the roof camera has no head');
  return found;
}

const tile = (): Locator => page.locator('[data-cell]').first();
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

/** One window with the roof camera, steered. */
async function steering(locale: 'en-US' | 'zh-CN' = 'en-US', theme?: 'light'): Promise<void> {
  words = LANGUAGES.find((one) => one.locale === locale)?.words ?? words;
  watched = await openSignedIn(browser, product, {
    path: `/homepage/liveVideo?device=${ROOF.deviceSerial}&channel=1`,
    locale,
    ...(theme && { colorScheme: theme }),
  });
  page = watched.page;
  const windows = page.getByRole('radiogroup', { name: words['live.windows'] });
  await windows.getByText('1', { exact: true }).click();
  await waitFor('one window', async () => (await page.locator('[data-cell]').count()) === 1);
  await page.locator('[data-cell][data-state=live]').waitFor({ timeout: 60_000 });
  await button(words['ptz.button']).click();
  await page.getByRole('region', { name: new RegExp(words['ptz.panel'].replace('{name}', ''), 'u') }).waitFor();
}

async function atRest(): Promise<Head> {
  return await waitFor('the head to stand still', async () => {
    const now = await head();
    return now.isMoving ? undefined : now;
  });
}

it('[LV-02] arrow keys turn the camera while they are pressed, and the image moves with it', async () => {
  await steering();
  const before = await frameIn(page, '[data-cell]');
  const { pan } = await head();
  await page.keyboard.down('ArrowRight');
  await waitFor('the head to turn right', async () => (await head()).pan > pan + 0.3);
  await page.keyboard.up('ArrowRight');
  const turned = await atRest();
  await waitFor('the picture to show something else', async () => {
    const now = await frameIn(page, '[data-cell]');
    return difference(before?.pixels ?? [], now?.pixels ?? []) > 8;
  });
  expect(turned.tilt).toBe(0);
});

it('[LV-02] dragging on the image turns the camera, the wheel zooms the camera and not the image', async () => {
  await steering();
  const surface = page.getByRole('img', { name: words['ptz.dragHint'] });
  const box = await surface.boundingBox();
  if (!box) throw new Error('no handle on the picture');
  const { pan, tilt } = await head();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - box.height / 3, box.y + box.height / 6, { steps: 4 });
  await waitFor('the head to turn left and up', async () => {
    const now = await head();
    return now.pan < pan && now.tilt > tilt;
  });
  await page.mouse.up();
  await atRest();
  await waitFor('the camera to zoom', async () => {
    await page.mouse.wheel(0, -100);
    return (await head()).zoom > 0;
  });
  await atRest();
  expect(await tile().getAttribute('data-zoomed')).toBeNull();
});

it('[LV-03] saves a preset under a hostile name, shows its snapshot and goes to it', async () => {
  await steering();
  await page.keyboard.down('Shift');
  await page.keyboard.down('ArrowRight');
  await waitFor('the head to turn', async () => (await head()).pan > 0);
  await page.keyboard.up('ArrowRight');
  await page.keyboard.up('Shift');
  const kept = await atRest();
  await button(words['ptz.presetAdd']).click();
  await page.getByLabel(words['ptz.presetName']).fill('Tower & "门"');
  await button(words['ptz.presetSave']).click();
  const list = page.getByRole('list', { name: words['ptz.presets'] });
  const row = list.getByRole('listitem').filter({ hasText: 'Tower & "门"' }).last();
  await row.waitFor();
  await waitFor('the picture of the preset', async () =>
    row.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth > 0),
  );
  await expectNoProblems(watched, 'steering-en-dark');
  await page.locator('[data-handle]').first().focus();
  await page.keyboard.press('Home');
  await waitFor('preset 1', async () => {
    const now = await head();
    return now.pan === 0 && now.zoom === 0;
  });
  await row.getByRole('button').first().click();
  await waitFor('the kept view', async () => {
    const now = await head();
    return now.pan === kept.pan && now.zoom === kept.zoom;
  });
});

/** The editor of the first patrol, which is made where there is none. */
async function patrolEditor(): Promise<Locator> {
  const patrols = page.getByRole('list', { name: words['ptz.patrols'] });
  await patrols.waitFor({ state: 'attached' });
  const own = (await operator.ok('patrol/list', ROOF)).patrolList.find(({ isDeviceOwn }) => !isDeviceOwn);
  if (own === undefined) await button(words['ptz.patrolAdd']).click();
  const name = own?.name ?? words['ptz.patrolName'].replace('{no}', '1');
  await patrols.getByRole('button', { name: words['ptz.patrolEdit'].replace('{name}', name) }).click();
  return page.getByRole('dialog', { name: words['ptz.patrolEdit'].replace('{name}', name) });
}

/** A preset to the right of where the head looks, which then looks ahead again. */
async function keepHarbour(): Promise<{ presetIndex: number; pan: number }> {
  await operator.ok('ptz/start', { ...ROOF, command: 'right', speed: 10 });
  await waitFor('the head to turn', async () => (await head()).pan !== 0);
  await operator.ok('ptz/stop', { ...ROOF, command: 'right' });
  const { pan } = await atRest();
  await operator.ok('preset/add', { ...ROOF, name: 'Harbour' });
  const { presetList } = await operator.ok('preset/list', ROOF);
  await operator.ok('preset/goto', { ...ROOF, presetIndex: 1 });
  await waitFor('the head to look ahead', async () => (await head()).pan === 0);
  return { presetIndex: presetList.find(({ name }) => name === 'Harbour')?.presetIndex ?? 0, pan };
}

it('[LV-03] edits a patrol stop by stop, with PTZ keys disabled, saves it and runs it in order', async () => {
  const harbour = await keepHarbour();
  const { patrolList } = await operator.ok('patrol/list', ROOF);
  for (const { patrolId, isDeviceOwn } of patrolList)
    if (!isDeviceOwn) await operator.ok('patrol/delete', { ...ROOF, patrolId });
  await steering();
  const dialog = await patrolEditor();
  const stops = dialog.getByRole('list', { name: words['ptz.patrolStops'] }).getByRole('listitem');
  await stops.nth(1).waitFor();
  await expectNoProblems(watched, 'patrol-en-dark');
  // Keys belong to the dialog now, not to the camera behind it.
  const at = await head();
  await dialog.getByRole('textbox', { name: words['ptz.patrolTitle'] }).press('ArrowRight', { delay: 300 });
  expect(await head()).toMatchObject({ pan: at.pan, isMoving: false });
  while ((await stops.count()) > 0)
    await stops
      .first()
      .getByRole('button', { name: words['ptz.patrolDrop'].replace('{no}', '1') })
      .click();
  await dialog.getByText(words['ptz.patrolEmpty']).waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: words['common.save'] }).isDisabled()).toBe(true);
  for (let stop = 0; stop < 2; stop++) await dialog.getByRole('button', { name: words['ptz.patrolStopAdd'] }).click();
  await expect.poll(() => stops.count()).toBe(2);
  await stops
    .nth(1)
    .getByRole('combobox', { name: words['ptz.patrolPreset'].replace('{no}', '2') })
    .click();
  await page.getByRole('option', { name: `${harbour.presetIndex} Harbour` }).click();
  await stops.first().getByRole('button', { name: words['ptz.patrolDown'] }).click();
  const stay = words['ptz.patrolStay'].replace('{no}', '1');
  await stops.first().getByRole('textbox', { name: stay }).fill('3');
  await dialog.getByRole('textbox', { name: words['ptz.patrolTitle'] }).fill('Evening round');
  await dialog.getByRole('button', { name: words['common.save'] }).click();
  await dialog.waitFor({ state: 'hidden' });
  const kept = async () => (await operator.ok('patrol/list', ROOF)).patrolList.find(({ isDeviceOwn }) => !isDeviceOwn);
  expect(await kept()).toMatchObject({
    name: 'Evening round',
    isRunning: false,
    stopList: [{ presetIndex: harbour.presetIndex, stay: 3 }, { presetIndex: 1 }],
  });
  await button(words['ptz.patrolStart'].replace('{name}', 'Evening round')).click();
  await waitFor('the first stop', async () => (await head()).pan === harbour.pan, 45_000);
  const stop = button(words['ptz.patrolStop'].replace('{name}', 'Evening round'));
  await stop.waitFor();
  await waitFor('the second stop', async () => (await head()).pan === 0, 45_000);
  await stop.click();
  await waitFor('its end', async () => (await kept())?.isRunning === false);
});

it('[LV-02] [FT-46] stops moving when the window loses focus, and when the page is closed', async () => {
  await steering();
  await page.locator('[data-handle]').first().focus();
  await page.keyboard.down('ArrowLeft');
  await waitFor('the head to turn', async () => (await head()).isMoving);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await atRest();
  await page.keyboard.up('ArrowLeft');
  await page.keyboard.down('ArrowRight');
  await waitFor('the head to turn again', async () => (await head()).isMoving);
  await page.context().close();
  await atRest();
});

it('[UI-03] is operated in Chinese and in the light theme', async () => {
  await steering('zh-CN', 'light');
  await page.getByRole('list', { name: words['ptz.presets'] }).locator('img').first().waitFor();
  await expectNoProblems(watched, 'steering-zh-light');
  await patrolEditor();
  await expectNoProblems(watched, 'patrol-zh-light');
});

/** Mean difference of samples. */
function difference(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, sample, at) => sum + Math.abs(sample - (other[at] ?? 0)), 0) / Math.max(1, one.length);
}
