// npm run bench:latency: glass-to-glass latency by WebCodecs and by MSE, read off the frames, and the camera's share of it.
import { randomBytes, randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { openRtspSource } from '@vedette/media/source/rtsp-source.ts';
import { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import type { Browser, Page } from 'playwright-core';
import { openSignedIn, OPERATOR } from '../tests/browser/signed-in.ts';
import { openBrowser } from '../tests/harness/browser.ts';
import { Product } from '../tests/harness/product.ts';
import { startVirtualSite, type VirtualDevice } from '../tests/harness/virtual-site.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import { median } from './measure/figures.ts';
import { takeSamples, watchFrames } from './measure/frame-delay.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '15' }, windows: { type: 'string', default: '1' } },
});
const MEASURED_MS = Number(values.seconds) * 1000;
/** The picture finds its delay first. */
const SETTLE_MS = 8000;
/** Keys of the wall: one window shows the main stream, nine the second. */
const LAYOUT_KEY: Readonly<Record<string, string>> = { 1: '1', 9: '3' };
/** What the browser would have learned had WebCodecs fallen behind: MSE from the first picture on. */
const PREFER_MSE = `localStorage.setItem('vedette.player', JSON.stringify({
  version: 1, quickTiles: { count: 0, at: Date.now() }, socketBlockedAt: null, failures: [] }))`;

const [product, browser, virtual] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
try {
  const operator = await product.setUp(...OPERATOR);
  const [gate] = virtual.devices as [VirtualDevice];
  const { target, user, password, name: deviceName } = gate;
  await operator.ok('device/add', { target, user, password, deviceName });
  const quality = values.windows === '1' ? 'main' : 'second';
  const camera = watchCamera(await rtspUrl(`/live/1/${quality}`), gate);
  const mse = await measure(browser, deviceName, PREFER_MSE);
  const webcodecs = await measure(browser, deviceName, '');
  await camera.stop();
  // The engine moves a fresh stream's clock towards the device's by little at a time: only its last delays mean anything.
  const cameraP50 = Math.round(median(camera.delays.slice(-100)));
  const result = {
    bench: 'latency',
    stream: quality,
    mseP50: mse.p50 - cameraP50,
    webcodecsP50: webcodecs.p50 - cameraP50,
    cameraP50,
    mse,
    webcodecs,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await browser.close();
  await Promise.all([product.stop(), virtual.stop()]);
}

/** Delays from the instant of a picture, the camera's own included, ms. */
interface Measured {
  readonly p50: number;
  readonly p95: number;
  readonly frames: number;
  readonly firstFrameMs: number;
}

async function measure(on: Browser, camera: string, prepare: string): Promise<Measured> {
  const { page, close } = await openSignedIn(on, product, { path: '/homepage/liveVideo' });
  if (prepare !== '') {
    await page.evaluate(prepare);
    await page.reload();
  }
  await page.keyboard.press(LAYOUT_KEY[values.windows] ?? '1');
  const firstFrameMs = await open(page, camera);
  await watchFrames(page);
  const begun = performance.now();
  await waitFor('the delay to settle', () => performance.now() - begun > SETTLE_MS, SETTLE_MS * 2);
  await takeSamples(page);
  await waitFor('enough pictures', () => performance.now() - begun > SETTLE_MS + MEASURED_MS, 10 * MEASURED_MS);
  const delays = (await takeSamples(page)).map(({ delayMs }) => delayMs).toSorted((a, b) => a - b);
  const isQuick = (await page.locator('[data-cell="0"] canvas[data-surface]').count()) > 0;
  if (isQuick !== (prepare === '')) process.stderr.write(`the transport changed while it was measured\n`);
  await close();
  const p95 = Math.round(delays[Math.floor(delays.length * 0.95)] ?? Number.NaN);
  return { p50: Math.round(median(delays)), p95, frames: delays.length, firstFrameMs };
}

/** Clicks the camera and answers the time from the subscription to its first picture, ms. */
async function open(page: Page, camera: string): Promise<number> {
  await page.locator('[data-cell="0"]').waitFor();
  await page.evaluate(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
      if (typeof data === 'string' && data.includes('"subscribe"'))
        Object.assign(globalThis, { subscribedAt: performance.now() });
      send.call(this, data);
    };
    const tile = document.querySelector('[data-cell="0"]');
    const note = (): void => {
      if (tile?.getAttribute('data-state') !== 'live' || 'firstFrameAt' in globalThis) return;
      Object.assign(globalThis, { firstFrameAt: performance.now() });
    };
    if (tile) new MutationObserver(note).observe(tile, { attributes: true, attributeFilter: ['data-state'] });
  });
  await page.getByRole('tree').getByRole('treeitem', { name: camera }).click();
  return waitFor(
    'the first picture',
    async () => {
      const took = (await page.evaluate('globalThis.firstFrameAt - globalThis.subscribedAt')) as number;
      return took > 0 ? Math.round(took) : undefined;
    },
    60_000,
  );
}

/** Where the first device serves a stream, by its control port. */
async function rtspUrl(stream: string): Promise<string> {
  const { devices } = (await (await fetch(`${virtual.controlUrl}/state`)).json()) as {
    devices: { streams: Record<string, { url: string }> }[];
  };
  return devices[0]?.streams[stream]?.url ?? '';
}

/** Time from the instant of each picture until its last byte left the camera, ms: reads the stream beside the product. */
function watchCamera(url: string, { user, password }: VirtualDevice) {
  const delays: number[] = [];
  const source = openRtspSource({
    url,
    credentials: { user, password },
    dial: dialDirect,
    clock: systemClock,
    random: () => randomInt(1 << 30) / (1 << 30),
    clientNonce: () => randomBytes(8).toString('hex'),
    signInLimiter: new SignInLimiter(systemClock),
    consumer: {
      format: () => undefined,
      discontinuity: () => undefined,
      state: () => undefined,
      accessUnit: ({ track, wallMs }) => {
        if (track === 'video') delays.push(systemClock.wallMs() - wallMs);
      },
    },
  });
  return { delays, stop: () => source.close() };
}
