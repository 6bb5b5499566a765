// A camera whose serial a hostile one reports: its owner adds it all the same, and other accounts are told what to do.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, type Words } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const [{ words }] = LANGUAGES;
const OWNER = ['ann', 'Garden-2026'] as const;
const STRANGER = ['stranger', 'Visit-2026'] as const;
const SERIAL = 'VDCAM0001';

let product: Product;
let browser: Browser;
let real: VirtualSite;
/** Its cameras report the serials of the real ones. */
let hostile: VirtualSite;
let squatter: ApiClient;
let owner: ApiClient;
let camera: VirtualDevice;

beforeAll(async () => {
  [product, browser, real, hostile] = await Promise.all([
    Product.start(),
    openBrowser(),
    // The second one takes the place of the first in the end.
    startVirtualSite(['--cameras', '2']),
    startVirtualSite(['--cameras', '1']),
  ]);
  const operator = await product.setUp(...OPERATOR);
  const { config, version } = await operator.ok('system/config/get', {});
  // The virtual cameras stand on this machine, where those of strangers may not unless it is said.
  const network = { cameraNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, network }, version });
  for (const [username, password] of [OWNER, STRANGER, ['squatter', 'Sit-down-2026'] as const])
    await operator.ok('user/add', { username, password, userType: 2 });
  squatter = await product.signIn('squatter', 'Sit-down-2026');
  owner = await product.signIn(...OWNER);
  camera = first(real);
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), real?.stop(), hostile?.stop()]);
});

function first({ devices: [device] }: VirtualSite): VirtualDevice {
  if (device === undefined) throw new Error('no camera');
  return device;
}

/** By the wizard, up to the press that adds it. */
async function addByHand(page: Page, password: string, in_: Words = words): Promise<void> {
  await page
    .getByRole('radiogroup', { name: in_['door.label'] })
    .getByText(in_['door.address'], { exact: true })
    .click();
  await page.getByLabel(in_['add.target'], { exact: true }).fill(camera.target);
  await page.getByLabel(in_['add.user'], { exact: true }).fill(camera.user);
  await page.getByLabel(in_['add.password'], { exact: true }).fill(password);
  await page.getByRole('button', { name: in_['add.probe'] }).click();
  const name = page.getByLabel(in_['add.name'], { exact: true });
  await name.waitFor({ timeout: 30_000 });
  await name.fill('Gate');
  await page.getByRole('complementary').getByRole('button', { name: in_['add.submit'] }).click();
}

const wizard = (account: readonly [string, string], more: object = {}): Promise<WatchedPage> =>
  openSignedIn(browser, product, { path: '/homepage/deviceManage?add=1', account, ...more });

describe('[SE-34] a camera whose serial another account registered first', () => {
  it('is added by its owner, with an image, and leaves the other account unchanged', async () => {
    const { target, user, password } = first(hostile);
    const { device } = await squatter.ok('device/add', { target, user, password, deviceName: 'Mine' });
    expect(device.deviceSerial).toBe(SERIAL);
    const watched = await wizard(OWNER);
    const { page } = watched;
    await addByHand(page, camera.password);
    const row = page.getByRole('row', { name: 'Gate', exact: true });
    await row.getByText(words['status.online']).waitFor({ timeout: 45_000 });
    const [mine] = (await owner.ok('device/list', {})).deviceList;
    expect(mine).toMatchObject({ reportedSerial: SERIAL, address: new URL(camera.target).host });
    expect(mine?.deviceSerial).not.toBe(SERIAL);
    await page.goto(`${product.url}/homepage/deviceManage?device=${mine?.deviceSerial}`);
    const facts = page.getByRole('complementary');
    await facts.getByText(words['devices.reportedSerial']).waitFor();
    await facts.getByText(SERIAL, { exact: true }).waitFor();
    await facts.getByRole('img').first().waitFor();
    await expectNoProblems(watched, 'device-of-shared-serial');
    await watched.close();
    await waitFor('the hostile camera to be online all the while', async () => {
      const still = (await squatter.ok('device/get', { deviceSerial: SERIAL })).device;
      return still.status === 1 && still.address === new URL(target).host;
    });
  });

  it.each([
    ['en-US', 'dark'],
    ['en-US', 'light'],
    ['zh-CN', 'dark'],
  ] as const)('tells an account that does not own it what to do (%s, %s)', async (locale, colorScheme) => {
    const there = wordsOf(locale);
    const watched = await wizard(STRANGER, { locale, colorScheme });
    await addByHand(watched.page, camera.password, there);
    await watched.page.getByRole('alert').getByText(there.errCode_1008).waitFor({ timeout: 30_000 });
    await expectNoProblems(watched, `device-of-another-${locale}-${colorScheme}`);
    await watched.close();
  });

  it('goes to the account with its new password; the row of the other stays offline', async () => {
    const url = `${real.controlUrl}/devices/${SERIAL}/password`;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const changed = await fetch(url, { ...init, body: JSON.stringify({ password: 'changed-by-hand' }) });
    expect(changed.status).toBe(200);
    const watched = await wizard(STRANGER);
    await addByHand(watched.page, 'changed-by-hand');
    const row = watched.page.getByRole('row', { name: 'Gate', exact: true });
    await row.getByText(words['status.online']).waitFor({ timeout: 45_000 });
    await watched.close();
    const [theirs] = (await owner.ok('device/list', {})).deviceList;
    expect(theirs).toMatchObject({ deviceName: 'Gate', reportedSerial: SERIAL });
    await fetch(`${real.controlUrl}/devices/${SERIAL}/drop`, { ...init, body: '{}' });
    await waitFor(
      'the owner of before to be locked out',
      async () => (await owner.ok('device/list', {})).deviceList[0]?.statusReason === 'deviceAuth',
      60_000,
    );
  });
});

describe('[DM-01] another camera at the new address of a device', () => {
  it('is refused until its owner says that it is the same device, which then keeps its place', async () => {
    const [, replacement] = real.devices;
    const before = (await owner.ok('device/list', {})).deviceList[0];
    if (replacement === undefined || before === undefined) throw new Error('no second camera');
    const watched = await openSignedIn(browser, product, {
      path: `/homepage/deviceManage?device=${before.deviceSerial}`,
      account: OWNER,
    });
    const { page } = watched;
    await page.getByRole('complementary').getByRole('button', { name: words['connect.edit'] }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words['add.target'], { exact: true }).fill(replacement.target);
    await dialog.getByLabel(words['add.user'], { exact: true }).fill(replacement.user);
    await dialog.getByLabel(words['add.password'], { exact: true }).fill(replacement.password);
    const save = dialog.getByRole('button', { name: words['common.save'], exact: true });
    await save.click();
    await dialog.getByRole('alert').getByText(words.reason_otherDevice).waitFor({ timeout: 30_000 });
    await expect.poll(() => save.isDisabled()).toBe(true);
    expect((await owner.ok('device/get', { deviceSerial: before.deviceSerial })).device.address).toBe(before.address);
    await expectNoProblems(watched, 'connection-other-device');
    await dialog.getByRole('checkbox', { name: words['connect.same'] }).check();
    await save.click();
    await page.getByText(words['connect.saved'].replace('{name}', 'Gate')).waitFor({ timeout: 30_000 });
    await page
      .getByRole('row', { name: 'Gate', exact: true })
      .getByText(words['status.online'])
      .waitFor({ timeout: 45_000 });
    const { deviceSerial } = before;
    expect((await owner.ok('device/get', { deviceSerial })).device).toMatchObject({
      deviceSerial,
      deviceName: 'Gate',
      reportedSerial: 'VDCAM0002',
      address: new URL(replacement.target).host,
    });
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
