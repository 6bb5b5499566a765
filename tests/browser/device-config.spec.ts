// Device configuration: a slider that changes the image, a dragged text overlay, a stale edit.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { firmwareFile } from '../../virtual-devices/device/firmware.ts';
import { LANGUAGES } from './console-steps.ts';
import { cutOff, MAGNIFIED } from './magnified-page.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let cameras: VirtualSite;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let place: { deviceSerial: string; channelNo: number };
/** One whose maker adds what ONVIF has no words for. */
let vendor: typeof place;

beforeAll(async () => {
  [product, browser, cameras] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  const [first, second] = await addAll(
    operator,
    ['Main Lobby', 'Car Park'].flatMap((wanted) => cameras.devices.filter(({ name }) => name === wanted)),
  );
  if (first === undefined || second === undefined) throw new Error('no camera was added');
  place = first;
  vendor = second;
  await waitFor('the camera to be online', async () => {
    const { device } = await operator.ok('device/get', { deviceSerial: place.deviceSerial });
    return device.status === 1;
  });
  watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await cameras?.stop();
  await product?.stop();
});

async function open(section: string, at = place): Promise<void> {
  const { deviceSerial, channelNo } = at;
  const address = new URLSearchParams({ device: deviceSerial, channel: String(channelNo), section });
  await page.goto(`${product.url}/homepage/deviceManage/config?${address}`);
}

/** Where it is once it has been there twice: a picture that comes moves what lies over it. */
async function atRest(one: Locator) {
  let last = '';
  return await waitFor('it to stay where it is', async () => {
    const box = await one.boundingBox();
    const stays = JSON.stringify(box) === last;
    last = JSON.stringify(box);
    return stays && box !== null && box;
  });
}

const held = async (section: 'image' | 'osd') => await operator.ok('config/get', { ...place, section });
const save = () => page.getByRole('button', { name: words['common.save'], exact: true });

describe('configuration of a device', () => {
  it('saves a slider, reads it back, and the device applies it', async () => {
    await open('image');
    const slider = page.getByRole('slider', { name: words['config.field.brightness'] });
    await slider.waitFor();
    await page.locator('[data-live] video').first().waitFor();
    const before = Number(await slider.inputValue());
    await slider.press('ArrowRight');
    await page.getByText(words['config.unsaved']).waitFor();
    await expectNoProblems(watched, 'config-image');
    await page.keyboard.press('Control+s');
    await page.getByText(words['config.saved']).waitFor();
    expect((await held('image')).value).toMatchObject({ brightness: before + 1 });
  });

  it('[DC-09] a stale edit shows the newer value and says so', async () => {
    await open('image');
    const contrast = page.getByRole('slider', { name: words['config.field.contrast'] });
    await contrast.press('ArrowRight');
    const { version, value } = await held('image');
    await page.getByText(words['config.unsaved']).waitFor();
    const contrastNow = Number((value as { contrast: number }).contrast) === 70 ? 71 : 70;
    await operator.ok('config/set', { ...place, section: 'image', value: { contrast: contrastNow }, version });
    await save().click();
    await page.getByText(words['config.stale']).waitFor();
    await expect.poll(() => contrast.inputValue()).toBe(String(contrastNow));
    await expectNoProblems(watched, 'config-stale');
  });

  it('[DC-05] drags a text overlay to its place on the image', async () => {
    await open('osd');
    await page.locator('[data-live] video').first().waitFor();
    const text = page.getByRole('button', {
      name: words['config.moveText'].replace('{text}', 'Main Lobby'),
      exact: true,
    });
    const box = await atRest(text);
    const picture = await atRest(page.locator('[data-picture-overlay]'));
    const grip = { x: box.x + 10, y: box.y + 8 };
    await page.mouse.move(grip.x, grip.y);
    await page.mouse.down();
    await page.mouse.move(picture.x + picture.width / 2 + 10, picture.y + picture.height / 2 + 8, { steps: 4 });
    await page.mouse.up();
    await page.getByText(words['config.unsaved']).waitFor();
    await expectNoProblems(watched, 'config-osd');
    await save().click();
    await page.getByText(words['config.saved']).waitFor();
    const { texts } = (await held('osd')).value as { texts: { position: { x: number; y: number } }[] };
    expect(texts[0]?.position.x).toBeCloseTo(0.5, 1);
    expect(texts[0]?.position.y).toBeCloseTo(0.5, 1);
  });

  it('asks before leaving unsaved changes', async () => {
    await open('image');
    await page.getByRole('slider', { name: words['config.field.contrast'] }).press('ArrowLeft');
    await page.getByText(words['config.unsaved']).waitFor();
    await page.getByRole('button', { name: words['config.section.time'] }).click();
    await page.getByRole('dialog', { name: words['unsaved.title'] }).waitFor();
    await page.getByRole('button', { name: words['unsaved.leave'], exact: true }).click();
    await page.getByRole('button', { name: words['config.takeZone'] }).waitFor();
    await expectNoProblems(watched, 'config-time');
  });

  it('[DC-01] edits a weekly plan in the plan dialog, with the actions on motion beside it', async () => {
    await open('motion', vendor);
    await page.getByRole('button', { name: words['config.editPlan'] }).click();
    const dialog = page.getByRole('dialog', { name: words['config.field.plan'] });
    await dialog.getByRole('button', { name: words['timePlan.reset'] }).click();
    await dialog.getByRole('button', { name: words['timePlan.confirm'] }).click();
    await page.getByRole('checkbox', { name: words['config.word.linkage.email'] }).check();
    await page.locator('[data-live] video').first().waitFor();
    await expectNoProblems(watched, 'config-motion-plan');
    await save().click();
    await page.getByText(words['config.saved']).waitFor();
    const { value } = await operator.ok('config/get', { ...vendor, section: 'motion' });
    expect(value['linkage']).toContain('email');
    expect((value['plan'] as { entryList: unknown[] }[]).flatMap(({ entryList }) => entryList)).toEqual([]);
  });

  it('[DC-06] formats a card only after its name was typed, showing progress', async () => {
    await open('storage', vendor);
    const card = page.getByRole('region', { name: 'SD card' });
    await card.getByText(words['config.word.recordStatus.0']).waitFor();
    await expectNoProblems(watched, 'config-storage');
    await card.getByRole('button', { name: words['config.format'] }).click();
    const dialog = page.getByRole('dialog');
    const decide = dialog.getByRole('button', { name: words['config.format'] });
    await expect.poll(() => decide.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('SD card');
    await expectNoProblems(watched, 'config-format');
    await decide.click();
    await card.getByText(words['config.formatDone']).waitFor();
    const { value } = await operator.ok('config/get', { ...vendor, section: 'storage' });
    expect(value['disks']).toMatchObject([{ usedBytes: 0 }]);
  });

  it('has tabs for people, audio and output rules, and tests an output', async () => {
    await open('humanShape', vendor);
    await page.getByRole('slider').first().waitFor();
    await page.locator('[data-live] video').first().waitFor();
    await expectNoProblems(watched, 'config-people');
    await page.getByRole('button', { name: words['config.section.audio'] }).click();
    await page.getByRole('slider', { name: words['config.field.inputVolume'] }).waitFor();
    await page.getByRole('button', { name: words['config.section.io'] }).click();
    await page.getByRole('button', { name: words['config.turnOn'] }).click();
    await expectNoProblems(watched, 'config-io');
  });

  it('keeps the selected section in sight on a phone, on load and after keyboard selection', async () => {
    const usual = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await open('io', vendor);
    const sections = page.getByRole('navigation', { name: words['config.sections'] });
    const isWhollyInSight = (name: string) =>
      sections.getByRole('button', { name, exact: true }).evaluate((tab) => {
        const [{ left, right }, row] = [tab.getBoundingClientRect(), tab.parentElement?.getBoundingClientRect()];
        return row !== undefined && left >= row.left && right <= row.right;
      });
    await expect.poll(() => isWhollyInSight(words['config.section.io'])).toBe(true);
    await expectNoProblems(watched, 'config-phone');
    const first = sections.getByRole('button').first();
    const name = (await first.textContent()) ?? '';
    expect(await isWhollyInSight(name), 'the row is longer than a phone is wide').toBe(false);
    await first.evaluate((tab) => tab.focus({ preventScroll: true }));
    await page.keyboard.press('Enter');
    await expect.poll(() => isWhollyInSight(name)).toBe(true);
    if (usual !== null) await page.setViewportSize(usual);
  });

  it('on a page that is magnified to 200 % the picture stands above what is set in it', async () => {
    const usual = page.viewportSize();
    await page.setViewportSize(MAGNIFIED);
    await open('osd');
    const picture = page.locator('main canvas, main video').first().locator('..');
    await picture.waitFor();
    const { width, height } = await atRest(picture);
    expect(width).toBeGreaterThan(300);
    expect(height).toBeCloseTo((width * 9) / 16, 0);
    expect(await cutOff(page, 'main')).toEqual([]);
    await expectNoProblems(watched, 'config-magnified');
    if (usual !== null) await page.setViewportSize(usual);
  });

  it('[VE-05] uploads firmware and upgrades a device with it, showing progress', async () => {
    await page.goto(`${product.url}/homepage/deviceManage`);
    await page.getByRole('button', { name: words['firmware.title'] }).click();
    const dialog = page.getByRole('dialog', { name: words['firmware.title'] });
    await dialog.getByText(words['firmware.packages'], { exact: true }).first().click();
    const file = firmwareFile('2.0.0', Buffer.alloc(600_000, 1));
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'vd-c2.bin', mimeType: 'application/octet-stream', buffer: file });
    await dialog.getByRole('textbox', { name: words['firmware.model'] }).fill('VD-C2');
    await dialog.getByRole('textbox', { name: words['firmware.version'] }).fill('2.0.0');
    await expectNoProblems(watched, 'firmware-packages');
    await dialog.getByRole('button', { name: words['firmware.upload'], exact: true }).click();
    await dialog.getByText('VD-C2 2.0.0').waitFor();
    await dialog.getByText(words['firmware.devices'], { exact: true }).click();
    const row = dialog.getByRole('listitem').filter({ hasText: 'Car Park' });
    await row.getByRole('button', { name: words['firmware.start'] }).click();
    await row.getByText(words['firmware.state.installing']).waitFor();
    await expectNoProblems(watched, 'firmware-upgrade');
    await row.getByText(words['firmware.state.finished']).waitFor({ timeout: 40_000 });
    const { device } = await operator.ok('device/get', { deviceSerial: vendor.deviceSerial });
    expect(device.deviceVersion).toBe('2.0.0');
  });
});
