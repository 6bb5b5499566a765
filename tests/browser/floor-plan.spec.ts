// Floor plans: a picture is uploaded, cameras are placed and turned, watched, and exported; an alarm is seen on the plan.
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, shot, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ingest } from './alarm-steps.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const [{ words }, { words: chinese }] = LANGUAGES;
const SCREEN = '/homepage/floorPlans';
const FLOOR = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800" style="background:#fff;display:block">
  <g fill="none" stroke="#222" stroke-width="8"><path d="M40 40h1120v720H40zM440 40v300M440 440v320M440 340h180M760 340h400"/></g>
  <g font-family="sans-serif" font-size="34" fill="#555"><text x="160" y="400">Office</text><text x="720" y="200">Lobby</text>
  <text x="720" y="600">Warehouse</text></g></svg>`;

let product: Product;
let browser: Browser;
let cameras: VirtualSite;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let picture: Buffer;
let serials: string[];

beforeAll(async () => {
  [product, browser, cameras] = await Promise.all([
    Product.start(),
    openBrowser(),
    startVirtualSite(['--cameras', '2']),
  ]);
  operator = await product.setUp(...OPERATOR);
  serials = (await addAll(operator, cameras.devices)).map(({ deviceSerial }) => deviceSerial);
  await operator.ok('org/add', { organizationName: 'Harbour' });
  picture = await drawnFloor();
  watched = await openSignedIn(browser, product, { path: SCREEN });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), cameras?.stop()]);
});

async function drawnFloor(): Promise<Buffer> {
  const blank = await browser.newPage();
  await blank.setContent(FLOOR);
  const drawn = await blank.locator('svg').screenshot();
  await blank.close();
  return drawn;
}

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const inDialog = (name: string): Locator => page.getByRole('dialog').getByRole('button', { name, exact: true });
const stage = (name: string): Locator => page.getByRole('group', { name: words['plans.plan'].replace('{name}', name) });
const mark = (at: number): Locator => page.locator(`[data-camera="${serials[at]}:1"] button`);
const treeRow = (name: string): Locator => page.getByRole('tree').getByRole('treeitem', { name });

async function storedPlan() {
  const { floorPlanList } = await operator.ok('floorPlan/list', {});
  const { floorPlanId = '' } = floorPlanList[0] ?? {};
  return (await operator.ok('floorPlan/get', { floorPlanId })).floorPlan;
}
const storedCameras = async () => (await storedPlan()).cameraList;
const directions = async () => (await storedCameras()).map(({ direction }) => direction).sort((a, b) => a - b);

/** As another manager would, meanwhile. */
async function turnElsewhere(direction: number): Promise<void> {
  const { organizationId, floorPlanId, version, name, cameraList } = await storedPlan();
  const turned = cameraList.map((camera) => ({ ...camera, direction }));
  await operator.ok('floorPlan/save', { organizationId, floorPlanId, version, name, cameraList: turned });
}

it('keeps a picture with the cameras that are dragged onto it, moved and turned', async () => {
  await page.getByText(words['plans.emptyDetail']).waitFor();
  await expectNoProblems(watched, 'plans-empty');
  await button(words['plans.add']).last().click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Ground floor.png', mimeType: 'image/png', buffer: picture });
  await page.getByRole('dialog').getByText('Ground floor.png').waitFor();
  await inDialog(words['plans.addSubmit']).click();
  await stage('Ground floor').getByRole('img').waitFor();

  await button(words['plans.edit']).click();
  const box = await stage('Ground floor').getByRole('img').boundingBox();
  const area = await stage('Ground floor').boundingBox();
  if (box === null || area === null) throw new Error('no plan');
  const targetPosition = { x: box.x - area.x + box.width * 0.75, y: box.y - area.y + box.height * 0.25 };
  await treeRow('Camera 0001').dragTo(stage('Ground floor'), { targetPosition });
  await mark(0).waitFor();
  // The other one by keys alone: it stands in the middle until it is moved.
  await treeRow('Camera 0002').click();
  await mark(1).focus();
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowDown', 'r', ']']) await page.keyboard.press(key);
  await expectNoProblems(watched, 'plans-edit');
  await button(words['plans.save']).click();
  await button(words['plans.edit']).waitFor();

  await page.reload();
  await mark(0).waitFor();
  const stored = await storedCameras();
  const placed = (at: number) => stored.find(({ deviceSerial }) => deviceSerial === serials[at]);
  expect(placed(0)).toMatchObject({ x: expect.closeTo(0.75, 2), y: expect.closeTo(0.25, 2), direction: 0 });
  expect(placed(1)).toMatchObject({ x: expect.closeTo(0.48, 5), y: expect.closeTo(0.515, 5) });
  expect(placed(1)).toMatchObject({ direction: 15, viewAngle: 95 });
  await expectNoProblems(watched, 'plans');
});

it('turns a camera by its handle, and asks before changes are lost', async () => {
  await button(words['plans.edit']).click();
  await mark(0).click();
  const handle = page.getByRole('slider', { name: words['plans.directionOf'].replace('{name}', 'Camera 0001') });
  const from = await handle.boundingBox();
  const centre = await mark(0).boundingBox();
  if (from === null || centre === null) throw new Error('no handle');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(centre.x + 120, centre.y + centre.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe('90');
  await handle.press('ArrowLeft');
  await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe('89');
  await button(words['plans.cancel']).click();
  await page.getByRole('dialog', { name: words['unsaved.title'] }).waitFor();
  await button(words['unsaved.leave']).click();
  await button(words['plans.edit']).waitFor();
  await expect.poll(directions).toEqual([0, 15]);
});

it('asks which floor plan stands, where somebody else saved meanwhile', async () => {
  const stale = page.getByRole('dialog', { name: words['plans.staleTitle'] });
  await button(words['plans.edit']).click();
  await mark(0).press('r');
  await turnElsewhere(100);
  await button(words['plans.save']).click();
  await stale.waitFor();
  await expectNoProblems(watched, 'plans-stale');
  await inDialog(words['plans.staleOverwrite']).click();
  await button(words['plans.edit']).waitFor();
  expect(await directions()).toEqual([15, 15]);
  await button(words['plans.edit']).click();
  await mark(0).press('r');
  await turnElsewhere(100);
  await button(words['plans.save']).click();
  await inDialog(words['plans.staleShow']).click();
  await stale.waitFor({ state: 'detached' });
  await expect.poll(() => button(words['plans.save']).isDisabled()).toBe(true);
  await button(words['plans.cancel']).click();
  expect(await directions()).toEqual([100, 100]);
});

it('plays the chosen camera, and shows its alarm in sign, words and colour', async () => {
  await mark(0).click();
  const panel = page.getByRole('complementary', { name: 'Camera 0001' });
  await panel.locator('[data-live] video').waitFor({ timeout: 30_000 });
  const { token } = await operator.ok('event/key/add', { name: 'Gate software' });
  const event = { deviceSerial: serials[1], channelNo: 1, type: 'FireAlarm', phase: 'start', eventId: 'fire' };
  await ingest(product, token, event);
  await page.locator(`[data-camera="${serials[1]}:1"][data-severity="critical"] button`).waitFor();
  const label = await mark(1).getAttribute('aria-label');
  expect(label).toContain(words.severity_critical);
  expect(label).toContain(words.alarmType_FireAlarm);
  await expectNoProblems(watched, 'plans-alarm');
  await panel.getByRole('button', { name: words['plans.openLive'] }).click();
  await page.waitForURL(/liveVideo/);
});

it('stands beside the wall, and shows the chosen camera in the selected tile', async () => {
  const selectedTile = page.locator('[data-cell][data-selected]');
  await selectedTile.getByText('Camera 0001').waitFor();
  await button(words['plans.showBeside']).click();
  await stage('Ground floor').getByRole('img').waitFor();
  await expect.poll(() => mark(0).getAttribute('aria-pressed')).toBe('true');
  await mark(1).click();
  await selectedTile.getByText('Camera 0002').waitFor();
  await expect.poll(() => mark(1).getAttribute('aria-pressed')).toBe('true');
  await page.setViewportSize({ width: 1280, height: 720 });
  const bar = page.getByRole('main').locator('header').first();
  expect(await bar.evaluate((one) => one.scrollWidth - one.clientWidth), 'the bar shows all of its buttons').toBe(0);
  await expectNoProblems(watched, 'plans-beside');
  await page.reload();
  await stage('Ground floor').getByRole('img').waitFor();
  await page.keyboard.press('Shift+F');
  await stage('Ground floor').waitFor({ state: 'detached' });
});

it('zooms by keys and by the wheel, and shows the whole plan again', async () => {
  await page.goto(product.url + SCREEN);
  const sheet = stage('Ground floor').getByRole('img');
  const width = async (): Promise<number> => (await sheet.boundingBox())?.width ?? 0;
  await mark(0).waitFor();
  const whole = await width();
  await mark(0).focus();
  await page.keyboard.press('+');
  await expect.poll(width).toBeCloseTo(whole * 1.4, -1);
  await mark(0).hover();
  const before = await mark(0).boundingBox();
  await page.mouse.wheel(0, -200);
  await expect.poll(width).toBeGreaterThan(whole * 1.5);
  const after = await mark(0).boundingBox();
  expect(Math.abs((after?.x ?? 0) - (before?.x ?? 0)), 'the point under the pointer stays').toBeLessThan(6);
  await shot(page, 'plans-zoomed');
  await page.keyboard.press('0');
  await expect.poll(width).toBeCloseTo(whole, 0);
});

it('is exported as one file, deleted, and imported again with its cameras', async () => {
  await button(words['plans.actions']).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: words['plans.export'] }).click();
  const path = await (await download).path();
  const kept = await storedCameras();
  await button(words['plans.actions']).click();
  await page.getByRole('menuitem', { name: words['plans.delete'] }).click();
  await inDialog(words['plans.delete']).click();
  await page.getByText(words['plans.emptyDetail']).waitFor();
  await button(words['plans.add']).last().click();
  const buffer = await readFile(path);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'x.floor-plan.json', mimeType: 'application/json', buffer });
  await inDialog(words['plans.addSubmit']).click();
  await stage('Ground floor').getByRole('img').waitFor();
  await waitFor('the cameras of the file', async () => (await storedCameras()).length === 2);
  expect(await storedCameras()).toEqual(kept);
});

it('is named before it is deleted with its organisation', async () => {
  await page.goto(`${product.url}/homepage/orgManage`);
  await treeRow('Harbour').click();
  await button(words['org.actions']).click();
  await page.getByRole('menuitem', { name: words['org.delete'] }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(words['org.deletePlans_one'].replace('{count}', '1')).waitFor();
  await expectNoProblems(watched, 'plans-organization');
  await dialog.getByRole('button', { name: words['org.deleteKeep'] }).click();
});

it('reads in Chinese, in light colours, and on a phone', async () => {
  const options = { path: SCREEN, locale: 'zh-CN', colorScheme: 'light' } as const;
  const other = await openSignedIn(browser, product, options);
  const plan = chinese['plans.plan'].replace('{name}', 'Ground floor');
  await other.page.getByRole('group', { name: plan }).getByRole('img').waitFor();
  await other.page.locator('[data-camera] button').first().click();
  await other.page.locator('[data-live] video').waitFor({ timeout: 30_000 });
  await expectNoProblems(other, 'plans-zh-light');
  await other.page.setViewportSize({ width: 390, height: 844 });
  await expectNoProblems(other, 'plans-phone');
  await other.page.keyboard.press('Escape');
  await other.page.getByRole('complementary', { name: 'Camera 0001' }).waitFor({ state: 'detached' });
  expect(await other.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await shot(other.page, 'plans-phone-plan');
  await other.close();
});

it('covers the wall on a phone, until a camera of it was chosen', async () => {
  const options = { path: '/homepage/liveVideo', colorScheme: 'light', width: 390, height: 844 } as const;
  const phone = await openSignedIn(browser, product, options);
  await phone.page.getByRole('button', { name: words['plans.showBeside'] }).click();
  const pane = phone.page.getByRole('dialog', { name: words['screen.floorPlans'] });
  await pane.locator('[data-camera] button').first().waitFor();
  await expectNoProblems(phone, 'plans-phone-live');
  await pane.locator('[data-camera] button').first().click();
  await pane.waitFor({ state: 'detached' });
  await phone.page
    .locator('[data-cell][data-selected]')
    .getByText(/Camera 000/)
    .waitFor();
  await phone.close();
});

it('is saved without a camera that was deleted while it was edited, and says so', async () => {
  await page.goto(`${product.url}${SCREEN}`);
  await button(words['plans.edit']).click();
  await mark(0).press('r');
  await operator.ok('device/delete', { deviceSerial: serials[1] ?? '' });
  await button(words['plans.save']).click();
  await page.getByText(words['plans.dropped_one'].replace('{count}', '1')).waitFor();
  await button(words['plans.edit']).waitFor();
  expect((await storedCameras()).map(({ deviceSerial }) => deviceSerial)).toEqual([serials[0]]);
  await expectNoProblems(watched, 'plans-camera-deleted');
});
