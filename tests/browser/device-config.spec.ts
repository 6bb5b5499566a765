// Configuration of a device: a slider that changes the picture, a text dragged to its place, an edit that came too late.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { looksRight, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let cameras: VirtualSite;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let place: { deviceSerial: string; channelNo: number };

beforeAll(async () => {
  [product, browser, cameras] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  const [first] = await addAll(
    operator,
    cameras.devices.filter(({ name }) => name === 'Main Lobby'),
  );
  if (first === undefined) throw new Error('no camera was added');
  place = first;
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

async function open(section: string): Promise<void> {
  const { deviceSerial, channelNo } = place;
  const address = new URLSearchParams({ device: deviceSerial, channel: String(channelNo), section });
  await page.goto(`${product.url}/homepage/deviceManage/config?${address}`);
}

const held = async (section: 'image' | 'osd') => await operator.ok('config/get', { ...place, section });
const save = () => page.getByRole('button', { name: words['common.save'], exact: true });

describe('configuration of a device', () => {
  it('a slider is saved, read back, and seen by the device', async () => {
    await open('image');
    const slider = page.getByRole('slider', { name: words['config.field.brightness'] });
    await slider.waitFor();
    await page.locator('[data-live] video').first().waitFor();
    const before = Number(await slider.inputValue());
    await slider.press('ArrowRight');
    await page.getByText(words['config.unsaved']).waitFor();
    await looksRight(watched, 'config-image');
    await page.keyboard.press('Control+s');
    await page.getByText(words['config.saved']).waitFor();
    expect((await held('image')).value).toMatchObject({ brightness: before + 1 });
  });

  it('[DC-09] an edit that came too late gives way to the newer value, and says so', async () => {
    await open('image');
    const contrast = page.getByRole('slider', { name: words['config.field.contrast'] });
    await contrast.press('ArrowRight');
    const { version, value } = await held('image');
    const contrastNow = Number((value as { contrast: number }).contrast) === 70 ? 71 : 70;
    await operator.ok('config/set', { ...place, section: 'image', value: { contrast: contrastNow }, version });
    await save().click();
    await page.getByText(words['config.stale']).waitFor();
    expect(await contrast.inputValue()).toBe(String(contrastNow));
    await looksRight(watched, 'config-stale');
  });

  it('[DC-05] a text is dragged to its place on the picture', async () => {
    await open('osd');
    await page.locator('[data-live] video').first().waitFor();
    const text = page.getByRole('button', { name: words['config.moveText'].replace('{text}', 'Main Lobby') });
    const box = await text.boundingBox();
    const picture = await page.locator('[data-picture-overlay]').boundingBox();
    if (box === null || picture === null) throw new Error('nothing to drag');
    const grip = { x: box.x + 10, y: box.y + 8 };
    await page.mouse.move(grip.x, grip.y);
    await page.mouse.down();
    await page.mouse.move(picture.x + picture.width / 2 + 10, picture.y + picture.height / 2 + 8, { steps: 4 });
    await page.mouse.up();
    await looksRight(watched, 'config-osd');
    await save().click();
    await page.getByText(words['config.saved']).waitFor();
    const { texts } = (await held('osd')).value as { texts: { position: { x: number; y: number } }[] };
    expect(texts[0]?.position.x).toBeCloseTo(0.5, 1);
    expect(texts[0]?.position.y).toBeCloseTo(0.5, 1);
  });

  it('asks before what was changed is left', async () => {
    await open('image');
    await page.getByRole('slider', { name: words['config.field.contrast'] }).press('ArrowLeft');
    await page.getByRole('button', { name: words['config.section.time'] }).click();
    await page.getByRole('dialog', { name: words['config.leaveTitle'] }).waitFor();
    await page.getByRole('button', { name: words['config.leave'], exact: true }).click();
    await page.getByRole('button', { name: words['config.takeZone'] }).waitFor();
    await looksRight(watched, 'config-time');
  });
});
