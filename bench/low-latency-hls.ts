// npm run bench:low-latency-hls: glass-to-glass latency of our own origin for CDNs, by hls.js in low-latency mode, read off the frames.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { playLowLatency } from '../tests/browser/low-latency-page.ts';
import { OPERATOR } from '../tests/browser/signed-in.ts';
import { openBrowser } from '../tests/harness/browser.ts';
import { Product } from '../tests/harness/product.ts';
import { addAll, startVirtualSite } from '../tests/harness/virtual-site.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import { median } from './measure/figures.ts';
import { takeSamples, watchFrames } from './measure/frame-delay.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } });
const MEASURED_MS = Number(values.seconds) * 1000;
/** hls.js reaches its distance from the edge first. */
const SETTLE_MS = 10_000;

const [product, browser, virtual] = await Promise.all([
  Product.start(),
  openBrowser(),
  startVirtualSite(['--cameras', '1']),
]);
try {
  const operator = await product.setUp(...OPERATOR);
  await addAll(operator, virtual.devices);
  await operator.ok('cdn/provider/save', { providerName: 'Origin', kind: 'origin', validMinutes: 60 });
  const [device] = (await operator.ok('device/list', {})).deviceList;
  const channel = { deviceSerial: device?.deviceSerial ?? '', channelNo: 1 };
  const { url } = await operator.ok('cdn/live/get', { ...channel, protocol: 1 });
  await operator.ok('cdn/live/start', { url });
  const page = await (await browser.newContext()).newPage();
  const begun = performance.now();
  await playLowLatency(page, url);
  await watchFrames(page);
  await waitFor('the first picture', async () => (await takeSamples(page)).length > 0, 60_000);
  const firstFrameMs = Math.round(performance.now() - begun);
  const shown = performance.now();
  await waitFor('the delay to settle', () => performance.now() - shown > SETTLE_MS, SETTLE_MS * 2);
  await takeSamples(page);
  const measured = performance.now();
  await waitFor('enough pictures', () => performance.now() - measured > MEASURED_MS, 10 * MEASURED_MS);
  const delays = (await takeSamples(page)).map(({ delayMs }) => delayMs).toSorted((a, b) => a - b);
  const result = {
    bench: 'low-latency-hls',
    p50: Math.round(median(delays)),
    p95: Math.round(delays[Math.floor(delays.length * 0.95)] ?? Number.NaN),
    frames: delays.length,
    firstFrameMs,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await browser.close();
  await Promise.all([product.stop(), virtual.stop()]);
}
