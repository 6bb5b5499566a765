// Devices screen with third-party cameras: adding with a first image, errors, names, lists, deleting, and a server that is down.
import type { AddressInfo } from 'node:net';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { axeFindings, openBrowser, shot, type WatchedPage } from '../harness/browser.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { type GstreamerPeer, startGstreamer } from '../harness/gstreamer.ts';
import { DOWN_ERRORS, whileDown } from '../harness/process-outage.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, waitForFrameChange } from './console-steps.ts';
import { deadPort, listen } from './mute-ports.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const CAMERA = { user: 'viewer', password: 'camera-secret' };
const { words } = LANGUAGES[0];
const LONG_NAME = 'n'.repeat(65);

let product: Product;
let browser: Browser;
let operator: ApiClient;
let open: GstreamerPeer;
let locked: GstreamerPeer;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser, open, locked] = await Promise.all([
    Product.start(),
    openBrowser(),
    startGstreamer(),
    startGstreamer(CAMERA),
  ]);
  operator = await product.setUp(...OPERATOR);
  watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), open?.stop(), locked?.stop()]);
});

function row(name: string): Locator {
  return page.getByRole('row', { name, exact: true });
}

function deviceNames(): Promise<(string | null)[]> {
  return page.locator('tbody tr').evaluateAll((rows) => rows.map((one) => one.getAttribute('aria-label')));
}

async function look(target: string, account: { user: string; password: string } = { user: '', password: '' }) {
  await page.getByLabel(words['add.target'], { exact: true }).fill(target);
  await page.getByLabel(words['add.user'], { exact: true }).fill(account.user);
  await page.getByLabel(words['add.password'], { exact: true }).fill(account.password);
  await page.getByRole('button', { name: words['add.probe'] }).click();
}

async function isRefused(target: string, sentence: string, account?: { user: string; password: string }) {
  await look(target, account);
  await page.getByRole('alert').getByText(sentence).waitFor();
  expect(await page.getByLabel(words['add.target'], { exact: true }).inputValue()).toBe(target);
}

describe('a new system', () => {
  it('[DM-01] says that there are no devices and offers one button', async () => {
    await page.getByText(words['devices.empty']).waitFor();
    await expectNoProblems(watched, 'devices-empty');
    await page.getByRole('button', { name: words['devices.add'] }).click();
    await page
      .getByRole('radiogroup', { name: words['door.label'] })
      .getByText(words['door.address'], { exact: true })
      .click();
    await page.getByLabel(words['add.target'], { exact: true }).waitFor();
    await page.getByRole('button', { name: words['add.probe'] }).click();
    await page.getByText(words['add.targetRequired']).waitFor();
    await expectNoProblems(watched, 'devices-add');
  });
});

describe('devices that cannot be added', () => {
  it("[ER-01] a wrong camera password is reported as the camera's, and the session stays", async () => {
    await isRefused(locked.url('/h264'), words.reason_deviceAuth, { user: 'viewer', password: 'wrong' });
    await expectNoProblems(watched, 'devices-device-auth');
    expect(await page.evaluate(() => sessionStorage.getItem('vedette.auth'))).not.toBeNull();
    expect(new URL(page.url()).pathname).toBe('/homepage/deviceManage');
  });

  it('[ER-01] an address where nothing answers', async () => {
    await isRefused(`rtsp://127.0.0.1:${await deadPort()}/h264`, words.reason_unreachable);
  });

  it('[ER-01] another protocol, no video, or video that cannot be decoded', async () => {
    const mail = await listen();
    const { port } = mail.address() as AddressInfo;
    await isRefused(`rtsp://127.0.0.1:${port}/h264`, words.reason_wrongProtocol);
    await new Promise((resolve) => mail.close(resolve));
    await isRefused(open.url('/audio-only'), words.reason_noVideo);
    await isRefused(open.url('/vp8'), words.reason_unsupportedCodec);
  });

  it('[SE-64] an address of this installation', async () => {
    await isRefused(`http://127.0.0.1:${new URL(product.url).port}/`, words.reason_refusedAddress);
    expect(watched.problems).toEqual([]);
  });
});

describe('a camera by its RTSP URL', () => {
  it('[DM-01] shows a first image before it is saved', async () => {
    await look(open.url('/h264'));
    await page.locator(`video[aria-label="${words['add.picture']}"]`).waitFor();
    await waitForFrameChange(page, `:has(> video[aria-label="${words['add.picture']}"])`, 30_000);
    expect((await operator.ok('device/list', {})).total).toBe(0);
    await expectNoProblems(watched, 'devices-candidate');
  });

  it('[VA-04] [DM-01] refuses names with angle brackets, 65 characters or blanks alone, then adds it', async () => {
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    const name = page.getByLabel(words['add.name'], { exact: true });
    const submit = page.getByRole('complementary').getByRole('button', { name: words['add.submit'] });
    for (const wrong of ['<b>Gate</b>', LONG_NAME, '   ', '']) {
      await name.fill(wrong);
      await submit.click();
      await page.getByText(words['valid.deviceName']).waitFor();
    }
    await shot(page, 'devices-bad-name');
    expect(calls).not.toContain('/api/v1/device/add');
    await name.fill('Gate 正门');
    await submit.click();
    await page.getByText(words['add.added'].replace('{name}', 'Gate 正门')).waitFor();
    await row('Gate 正门').getByText(words['status.online']).waitFor();
    const inspector = page.getByRole('complementary', { name: 'Gate 正门' });
    await inspector.getByText(words['devices.recording'], { exact: true }).waitFor();
    await expectNoProblems(watched, 'devices-added');
  });

  it('[LV-09] its capture decodes as one image; without one the inspector shows nothing', async () => {
    const inspector = page.getByRole('complementary', { name: 'Gate 正门' });
    const still = inspector.locator('img[alt="Gate 正门"]');
    await waitFor('the still', () => still.evaluate((image: HTMLImageElement) => image.naturalWidth === 640), 20_000);
    const { deviceList } = await operator.ok('device/list', {});
    const { url } = await operator.ok('capture/get', {
      deviceSerial: deviceList[0]?.deviceSerial ?? '',
      channelNo: 1,
    });
    const answer = await fetch(new URL(url, product.url));
    const judged = await verifyMedia('-', Buffer.from(await answer.arrayBuffer()));
    expect(judged).toMatchObject({ codecs: ['mjpeg'], errors: '', frames: 1 });

    const other = await openSignedIn(browser, product, { path: page.url().slice(product.url.length) });
    await other.page.route('**/api/v1/capture/get', (route) =>
      route.fulfill({ json: { code: 2317, message: 'devResponseTimeOut', data: { reason: 'timeout' } } }),
    );
    const refused = other.page.waitForResponse('**/api/v1/capture/get');
    await other.page.reload();
    await refused;
    await other.page.getByRole('complementary', { name: 'Gate 正门' }).getByText(words['devices.serial']).waitFor();
    expect(await other.page.getByRole('alert').count()).toBe(0);
    expect(other.problems).toEqual([]);
    await other.close();
  });

  it('[DM-02] adding it twice reports that it exists, and nothing covers the title of the panel', async () => {
    await page.getByRole('button', { name: words['devices.add'] }).click();
    await look(open.url('/h264'));
    const submit = page.getByRole('complementary').getByRole('button', { name: words['add.submit'] });
    await submit.click();
    await page.getByRole('alert').getByText(words.errCode_2024).waitFor();
    const drawer = page.getByRole('complementary', { name: words['add.title'] });
    const place = await drawer.getByRole('heading').boundingBox();
    const tagAt = ({ x, y }: { x: number; y: number }) => document.elementFromPoint(x, y)?.tagName;
    expect(await page.evaluate(tagAt, { x: (place?.x ?? 0) + 4, y: (place?.y ?? 0) + 8 })).toBe('H2');
    await expectNoProblems(watched, 'devices-twice');
    await page.keyboard.press('Escape');
    await page.getByLabel(words['add.name'], { exact: true }).waitFor({ state: 'detached' });
  });

  it('[DM-01] [VA-04] is renamed in place, never to a bad name', async () => {
    await row('Gate 正门').click();
    await page.getByRole('button', { name: words['devices.renameDevice'] }).click();
    const field = page.getByLabel(words['devices.newName'], { exact: true });
    for (const wrong of ['a<b', LONG_NAME]) {
      await field.fill(wrong);
      await page.getByText(words['valid.deviceName']).waitFor();
      expect(await page.locator('[data-edit]').getByRole('button', { name: words['common.save'] }).isDisabled()).toBe(
        true,
      );
    }
    await field.fill('Yard gate');
    await field.press('Enter');
    await row('Yard gate').waitFor();
    await page.getByRole('complementary', { name: 'Yard gate' }).waitFor();
    const { deviceList } = await operator.ok('device/list', {});
    expect(deviceList.map((device) => device.deviceName)).toEqual(['Yard gate']);
    expect(watched.problems).toEqual([]);
  });
});

describe('the list', () => {
  it('[DM-01] [EN-03] follows devices added elsewhere, by organisation, from the root down', async () => {
    const { organizationId } = await operator.ok('org/add', { organizationName: 'Harbour' });
    const inner = await operator.ok('org/add', { organizationName: 'Pier', parentOrgId: organizationId });
    const { orgList } = await operator.ok('org/list', {});
    expect(orgList).toMatchObject([{ organizationId, parentOrgId: '0' }]);
    await operator.ok('device/add', {
      target: open.url('/h264-aac'),
      deviceName: 'Alley',
      organizationId: inner.organizationId,
    });
    await operator.ok('device/add', { target: locked.url('/h264'), ...CAMERA, deviceName: 'Market' });
    await waitFor('three rows', async () => (await deviceNames()).join() === 'Alley,Market,Yard gate', 30_000);
    const tree = page.getByRole('tree');
    const levelOf = (name: string) => tree.getByRole('treeitem', { name }).getAttribute('aria-level');
    await expect.poll(async () => [await levelOf('Harbour'), await levelOf('Pier')]).toEqual(['1', '2']);
    await tree.getByRole('treeitem', { name: 'Harbour' }).click();
    await waitFor('the devices below Harbour', async () => (await deviceNames()).join() === 'Alley');
    await page.getByRole('button', { name: words['tree.root'] }).click();
    await waitFor('all devices', async () => (await deviceNames()).length === 3);
  });

  it('[DM-01] is searched, sorted and filtered by status, and says when nothing matches', async () => {
    const search = page.getByLabel(words['devices.search'], { exact: true });
    await search.fill('mark');
    await waitFor('the match', async () => (await deviceNames()).join() === 'Market');
    await search.fill('nothing like it');
    await page.getByText(words['devices.noMatch']).waitFor();
    await expectNoProblems(watched, 'devices-no-match');
    await page.getByRole('button', { name: words['devices.clearFilter'] }).click();
    await waitFor('all again', async () => (await deviceNames()).length === 3);
    await page.getByRole('columnheader').getByRole('button', { name: words['devices.name'] }).click();
    await waitFor('the order turned', async () => (await deviceNames()).join() === 'Yard gate,Market,Alley');
    await expect.poll(() => page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');

    await locked.stop();
    await row('Market').getByText(words['status.offline']).waitFor({ timeout: 60_000 });
    await page
      .getByRole('radiogroup', { name: words['devices.filterStatus'] })
      .getByText(words['status.offline'])
      .click();
    await waitFor('the one that is offline', async () => (await deviceNames()).join() === 'Market');
    await row('Market').click();
    await page.getByRole('complementary', { name: 'Market' }).getByText(words.reason_unreachable).waitFor();
    await expectNoProblems(watched, 'devices-offline');
    await page.getByRole('radiogroup', { name: words['devices.filterStatus'] }).getByText(words['common.all']).click();
    await waitFor('all three', async () => (await deviceNames()).length === 3);
    expect(watched.problems).toEqual([]);
  });

  it('[UI-03] [EN-03] shows the same in Chinese, with a translated name of the root', async () => {
    const said = LANGUAGES[1].words;
    const chinese = await openSignedIn(browser, product, {
      path: '/homepage/deviceManage',
      locale: 'zh-CN',
      colorScheme: 'light',
    });
    await chinese.page.getByRole('row', { name: 'Market' }).getByText(said['status.offline']).waitFor();
    await chinese.page.getByRole('button', { name: said['tree.root'] }).waitFor();
    await chinese.page.getByRole('row', { name: 'Yard gate' }).press('Enter');
    await chinese.page.getByRole('complementary', { name: 'Yard gate' }).waitFor();
    await expectNoProblems(chinese, 'devices-zh');
    await chinese.page.getByRole('button', { name: said['give.open'] }).click();
    await chinese.page.getByRole('dialog').getByRole('button', { name: said['give.makeCode'] }).click();
    await chinese.page.getByRole('dialog').getByText(said['serial.code'], { exact: true }).waitFor();
    await expectNoProblems(chinese, 'devices-give-zh');
    await chinese.close();
  });
});

describe('a device that has moved', () => {
  const account = { user: 'viewer', password: 'changed-secret' };
  let moved: GstreamerPeer;
  beforeAll(async () => {
    moved = await startGstreamer(account);
  });
  afterAll(() => moved?.stop());

  const fillConnection = async (on: Page, target: string, password: string): Promise<Locator> => {
    const dialog = on.getByRole('dialog');
    await dialog.getByLabel(words['add.target'], { exact: true }).fill(target);
    await dialog.getByLabel(words['add.password'], { exact: true }).fill(password);
    return dialog;
  };

  it('[DM-01] its connection is tried from the drawer, with the reason, and without saving', async () => {
    await row('Market').click();
    const inspector = page.getByRole('complementary', { name: 'Market' });
    await inspector.getByRole('button', { name: words['connect.edit'] }).click();
    const dialog = page.getByRole('dialog');
    const test = dialog.getByRole('button', { name: words['connect.test'], exact: true });
    await expect
      .poll(() => dialog.getByLabel(words['add.target'], { exact: true }).inputValue())
      .toBe(locked.url('/h264'));
    await test.click();
    await dialog.getByRole('alert').getByText(words.reason_unreachable).waitFor();
    await expectNoProblems(watched, 'connection-unreachable');
    await fillConnection(page, moved.url('/h264'), 'wrong');
    await test.click();
    await dialog.getByRole('alert').getByText(words.reason_deviceAuth).waitFor();
    await fillConnection(page, moved.url('/h264'), account.password);
    await test.click();
    await dialog.getByText(words['connect.reached'].replace('{device}', '')).waitFor();
    await dialog.getByRole('button', { name: words['common.cancel'] }).click();
    await page.getByRole('button', { name: words['unsaved.leave'], exact: true }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    const { deviceList } = await operator.ok('device/list', { keyWord: 'Market' });
    expect(deviceList[0]?.address).toBe(new URL(locked.url('/h264')).host);
  });

  it("[DM-01] its connection is changed from the tile's sentence, and the tile goes live", async () => {
    const { deviceList } = await operator.ok('device/list', { keyWord: 'Market' });
    const device = deviceList[0]?.deviceSerial ?? '';
    const other = await openSignedIn(browser, product, {
      path: `/homepage/liveVideo?${new URLSearchParams({ device, channel: '1' })}`,
      colorScheme: 'light',
    });
    const tile = other.page.locator('[data-cell][data-state=offline]');
    await tile.getByText(words.reason_unreachable).waitFor({ timeout: 30_000 });
    await tile.getByRole('button', { name: words['connect.edit'] }).click();
    const dialog = await fillConnection(other.page, moved.url('/h264'), account.password);
    await dialog.getByRole('button', { name: words['common.save'] }).click();
    await other.page.getByText(words['connect.saved'].replace('{name}', 'Market')).waitFor();
    expect((await waitForFrameChange(other.page, '[data-state=live]', 45_000)).width).toBe(640);
    expect(other.problems).toEqual([]);
    await other.close();
    await row('Market').getByText(words['status.online']).waitFor({ timeout: 30_000 });
  });
});

describe('from a device', () => {
  it.each([
    ['devices.watchLive', '[data-state=live]'],
    ['devices.watchPlayback', '[data-playback]'],
  ] as const)('%s opens its image', async (button, picture) => {
    const other = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
    await other.page.getByRole('row', { name: 'Yard gate' }).click();
    await other.page
      .getByRole('complementary', { name: 'Yard gate' })
      .getByRole('button', { name: words[button] })
      .last()
      .click();
    expect((await waitForFrameChange(other.page, picture)).width).toBe(640);
    expect(other.problems).toEqual([]);
    await other.close();
  });
});

describe("a device of one's own", () => {
  it('[VA-05] has a transfer code, and streams that can be asked for a keyframe', async () => {
    await row('Yard gate').click();
    const inspector = page.getByRole('complementary', { name: 'Yard gate' });
    await inspector.getByRole('button', { name: words['give.open'] }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words['give.account'], { exact: true }).fill('nobody');
    await dialog.getByRole('button', { name: words['give.submit'] }).click();
    await dialog.getByRole('alert').getByText(words['give.nobody']).waitFor();
    await dialog.getByRole('button', { name: words['give.makeCode'] }).click();
    await dialog.getByText(/^(?:[A-Z2-9]{5}-){4}[A-Z2-9]{5}$/).waitFor();
    await expectNoProblems(watched, 'devices-give');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await inspector.getByRole('button', { name: /^Streams of / }).click();
    await inspector.getByText('640 × 360').waitFor();
    await expectNoProblems(watched, 'devices-streams');
    expect(watched.problems).toEqual([]);
  });
});

describe('deleting a device', () => {
  it('[CA-08] [DM-01] asks first, then confirms', async () => {
    await row('Alley').click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Alley' });
    await menu.getByRole('menuitem', { name: words['live.deviceDetails'] }).waitFor();
    await expectNoProblems(watched, 'devices-menu');
    await menu.getByRole('menuitem', { name: words['devices.deleteConfirm'] }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: words['devices.deleteKeep'] }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Alley').focus();
    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: words['live.deviceDetails'] }).click();
    const inspector = page.getByRole('complementary', { name: 'Alley' });
    await inspector.getByRole('button', { name: words['common.delete'] }).click();
    await dialog.getByText(words['devices.deleteDetail']).waitFor();
    await expectNoProblems(watched, 'devices-delete');
    await dialog.getByRole('button', { name: words['devices.deleteKeep'] }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Alley').waitFor();
    await inspector.getByRole('button', { name: words['common.delete'] }).click();
    await dialog.getByRole('button', { name: words['devices.deleteConfirm'] }).click();
    await page.getByRole('status').getByText(words['common.success'], { exact: true }).waitFor();
    await waitFor('two rows', async () => (await deviceNames()).join() === 'Yard gate,Market');
    expect((await operator.ok('device/list', {})).total).toBe(2);
    expect(watched.problems).toEqual([]);
  });
});

describe('while the server is down', () => {
  it('says so, keeps the content, offers a retry, and recovers when the server is back', async () => {
    const other = await openSignedIn(browser, product, {
      path: '/homepage/deviceManage',
      allowed: DOWN_ERRORS,
    });
    const { page: away } = other;
    await away.getByRole('row', { name: 'Market' }).waitFor();
    await whileDown(product, 'main-server.ts', async () => {
      await away.getByRole('alert').getByText(words['connection.banner']).waitFor({ timeout: 30_000 });
      await away.getByRole('row', { name: 'Market' }).waitFor();
      await away.getByLabel(words['devices.search'], { exact: true }).fill('yard');
      await away.getByText(words['devices.error']).waitFor({ timeout: 30_000 });
      await shot(away, 'devices-server-away');
      expect(await axeFindings(away)).toEqual([]);
    });
    await away.getByText(words['connection.online']).waitFor({ timeout: 45_000 });
    await away.getByText(words['connection.banner']).waitFor({ state: 'detached' });
    // It comes by itself, or where that was given up before by another try.
    const retry = away.getByRole('button', { name: words['common.retry'] });
    await waitFor(
      'the list',
      async () => {
        if ((await away.getByRole('row', { name: 'Yard gate' }).count()) === 1) return true;
        await retry.click({ timeout: 1000 });
        return false;
      },
      45_000,
    );
    expect(await away.evaluate(() => sessionStorage.getItem('vedette.auth'))).not.toBeNull();
    expect(other.problems).toEqual([]);
    await other.close();
  });
});
