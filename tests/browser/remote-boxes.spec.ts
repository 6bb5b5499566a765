// Boxes over live video of a camera at a remote site, by each way that its video takes: over the object in the picture on screen.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { RemoteSiteProcess } from '../harness/remote-site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type DrawnBox, drawnBoxes, noteBoxes } from './drawn-boxes.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const words = wordsOf('en-US');
/** People on the pavement and cars both ways. */
const STREET = '西门街道';
const EVERYWHERE = {
  regionId: 'all',
  regionName: 'Everywhere',
  kind: 'zone',
  points: [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
    { x: 0, y: 1 },
  ],
  direction: 'both',
  colour: '#2f80ed',
} as const;
/** Cars cross the picture in six seconds: the boxes of another second would be off by their length. */
const FAST = 0.1;
const ENOUGH = 20;
/** Pictures that are newer than what was looked at carry boxes on for up to a second. */
const CARRIED_ON_S = 1;
/** Of these it is known before they come on screen, seconds late, what was seen in them. */
const KNOWN_S = 0.3;

describe.skipIf(!hasAnalystRuntime)('boxes of a camera at a remote site', () => {
  let product: Product;
  let cameras: VirtualSite;
  let remoteSite: RemoteSiteProcess;
  let browser: Browser;
  let operator: ApiClient;
  let deviceSerial: string;

  beforeAll(async () => {
    [product, browser, cameras, remoteSite] = await Promise.all([
      Product.start(),
      openBrowser(),
      startVirtualSite(),
      RemoteSiteProcess.create(),
    ]);
    operator = await product.setUp(...OPERATOR);
    const { site } = await operator.ok('site/add', { siteName: 'Harbour' });
    const { siteId, serial } = site;
    const { registrationCode, authority } = await operator.ok('site/code', { siteId });
    await symlink(analystRuntime, join(remoteSite.data, 'analyst'));
    const server = `https://127.0.0.1:${new URL(product.url).port}`;
    const enrolment = ['--serial', serial, '--code', registrationCode, '--authority', authority ?? ''];
    await remoteSite.start(['--server', server, ...enrolment]);
    const status = async () =>
      (await operator.ok('site/list', {})).siteList.find((one) => one.siteId === siteId)?.status;
    await waitFor('the site', async () => (await status()) === 'online', 60_000);
    const found = cameras.devices.find(({ name }) => name === STREET);
    if (!found) throw new Error('no street');
    const { target, user, password } = found;
    const { device } = await operator.ok('device/add', { target, user, password, siteId, deviceName: STREET });
    ({ deviceSerial } = device);
    await waitFor(
      'the camera',
      async () => (await operator.ok('device/get', { deviceSerial })).device.status === 1,
      60_000,
    );
    await operator.ok('ai/task/save', {
      deviceSerial,
      channelNo: 1,
      taskName: 'Street',
      algorithm: 'intrusion',
      regionList: [{ ...EVERYWHERE, points: [...EVERYWHERE.points] }],
      classList: ['person', 'vehicle'],
    });
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await remoteSite?.stop();
    await Promise.all([product?.stop(), cameras?.stop()]);
  });

  it('[RS-03] stand over the objects when the video comes straight from the site by WebRTC', async () => {
    const watched = await openWall(async () => undefined);
    await isShownBy(watched.page, 'webrtc');
    await seeBoxes(watched, 'boxes-webrtc', CARRIED_ON_S);
  }, 300_000);

  it('[RS-03] stand over the objects when the video comes by the socket through the relay', async () => {
    const watched = await openWall(refuseDirect);
    await isShownBy(watched.page, 'webcodecs');
    await seeBoxes(watched, 'boxes-relayed', CARRIED_ON_S);
  }, 300_000);

  it('[RS-03] stand over the objects when the video comes by HLS', async () => {
    const watched = await openWall(async (page) => {
      await refuseDirect(page);
      await page.routeWebSocket(/\/media\/live/, (socket) => socket.close({ code: 1008 }));
    });
    await isShownBy(watched.page, 'hls');
    await seeBoxes(watched, 'boxes-hls', KNOWN_S);
  }, 300_000);

  it('[RS-03] stand over the objects in its recordings, which play from the site', async () => {
    const watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
    const { page } = watched;
    await noteBoxes(page);
    const seen = await waitFor(
      'a car that was seen',
      async () => {
        const range = { startTime: 0, endTime: Date.now() };
        return (await operator.ok('ai/sighting/list', { classList: ['vehicle'], ...range })).sightingList.at(-1);
      },
      90_000,
    );
    await page.goto(`${product.url}/homepage/container?device=${deviceSerial}&channel=1&time=${seen.startTime}`);
    await page.locator('[data-playback]').first().waitFor();
    await seeBoxes(watched, 'boxes-playback', KNOWN_S);
  }, 300_000);

  async function openWall(prepare: (page: Page) => Promise<void>): Promise<WatchedPage> {
    const watched = await openSignedIn(browser, product, {
      path: '/homepage/deviceManage',
      allowed: /WebSocket|media\/live/,
    });
    const { page } = watched;
    await noteBoxes(page);
    await prepare(page);
    await page.goto(`${product.url}/homepage/liveVideo?device=${deviceSerial}&channel=1`);
    // Nine windows show the second stream, which costs a shared machine less.
    await page.locator('[data-cell="0"]').waitFor();
    await page.keyboard.press('3');
    await page.locator('[data-cell][data-state="live"]').first().waitFor({ timeout: 45_000 });
    return watched;
  }
});

async function refuseDirect(page: Page): Promise<void> {
  await page.addInitScript(() => {
    RTCPeerConnection.prototype.setRemoteDescription = () => Promise.reject(new Error('no way'));
  });
}

/** A busy machine may have taken another way at first: it tries anew. */
async function isShownBy(page: Page, transport: 'webrtc' | 'webcodecs' | 'hls'): Promise<void> {
  const info = page.locator('[data-cell][data-state=live] [data-tile-info]').first();
  await waitFor(
    `video by ${transport}`,
    async () => {
      if ((await info.count()) === 0) await page.keyboard.press('i');
      const isThere = await info
        .getByText(words[`live.transport_${transport}`])
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
      if (isThere) return true;
      await page.evaluate(() => localStorage.removeItem('vedette.player'));
      await page.reload();
      await page.locator('[data-cell][data-state="live"]').first().waitFor({ timeout: 45_000 });
      return false;
    },
    120_000,
  );
}

/** Half of the boxes of cars lie within so many seconds of the car's way. */
async function seeBoxes(watched: WatchedPage, name: string, withinS: number): Promise<void> {
  const { page } = watched;
  const boxes = page.locator('canvas[data-boxes]');
  if ((await boxes.count()) === 0) await page.keyboard.press('d');
  await boxes.first().waitFor();
  if ((await page.locator('[data-tile-info]').count()) > 0) await page.keyboard.press('i');
  const moving: DrawnBox[] = [];
  await waitFor(
    'boxes of cars',
    async () => {
      moving.push(...(await drawnBoxes(page)).filter(({ speed }) => speed > FAST));
      return moving.length >= ENOUGH;
    },
    150_000,
  );
  const off = moving.map(({ offX, speed }) => offX / speed).toSorted((one, other) => one - other);
  await expectNoProblems(watched, name);
  expect(off[Math.floor(off.length / 2)]).toBeLessThan(withinS);
  await page.keyboard.press('d');
  await expect.poll(() => boxes.count()).toBe(0);
  await watched.close();
}
