// npm run bench:gateway: cost of the gateway per live viewer, plain and over TLS, beside that of the site.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Product } from '../tests/harness/product.ts';
import { findProcess } from '../tests/harness/processes.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import type { Watch } from './contenders/contender.ts';
import { startCameras } from './measure/cameras.ts';
import { JsonLineProcess, passes } from './measure/json-line-process.ts';
import { rounded } from './measure/figures.ts';
import { treeUsage } from './measure/process-tree.ts';

const { values } = parseArgs({
  options: { viewers: { type: 'string', default: '100' }, seconds: { type: 'string', default: '20' } },
});
const CAMERAS = 10;
const KBPS = 2000;
const WARM_UP_MS = 5000;
const viewers = Number(values.viewers);
const seconds = Number(values.seconds);

const [product, cameras] = await Promise.all([Product.start(), startCameras(CAMERAS, KBPS)]);
try {
  const operator = await product.setUp();
  const serials: string[] = [];
  for (const [index, { url, user, password }] of cameras.list.entries()) {
    const order = { target: url, user, password, deviceName: `Camera ${index + 1}` };
    serials.push((await operator.ok('device/add', order)).device.deviceSerial);
  }
  await waitFor('every camera', async () => (await operator.ok('device/list', {})).onlineTotal >= CAMERAS, 60_000);
  const watch = async (base: string): Promise<Watch[]> =>
    Promise.all(
      Array.from({ length: viewers }, async (_, index): Promise<Watch> => {
        const deviceSerial = serials[index % CAMERAS] ?? '';
        const { ticket } = await operator.ok('media/url', { deviceSerial, channelNo: 1, quality: 0 });
        return { kind: 'live', base: base.replace(/^http/, 'ws'), ticket };
      }),
    );
  const secure = product.ready.httpsUrls?.find((url) => !url.includes('[')) ?? '';
  const plain = await measure(await watch(product.url));
  const tls = await measure(await watch(secure));
  const result = { bench: 'gateway', viewers, kbps: KBPS, load: rounded(loadavg()[0] ?? 0), plain, tls };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await product.stop();
  await cameras.stop();
}

interface Cost {
  /** Percent of one core for one viewer of 2 Mbit/s. */
  readonly gatewayPerViewer: number;
  readonly sitePerViewer: number;
  readonly delivered: number;
}

async function measure(watches: readonly Watch[]): Promise<Cost> {
  const [gateway, site] = await Promise.all([pidOf('gateway/main-gateway.ts'), pidOf('site/main-site.ts')]);
  const usage = (): { gateway: number; site: number } => ({
    gateway: treeUsage(gateway).cpuS,
    site: treeUsage(site).cpuS,
  });
  const idle = usage();
  await passes(WARM_UP_MS);
  const busy = usage();
  const child = new JsonLineProcess(new URL('./viewers.ts', import.meta.url).pathname);
  child.process.stdin?.end(watches.map((one) => JSON.stringify(one)).join('\n'));
  await child.line();
  await passes(WARM_UP_MS);
  const before = { ...usage(), ...(await child.ask<{ bytes: number }>()), at: performance.now() };
  await passes(seconds * 1000);
  const after = { ...usage(), ...(await child.ask<{ bytes: number }>()), at: performance.now() };
  await child.stop();
  const elapsedS = (after.at - before.at) / 1000;
  const percent = (from: number, to: number, overS: number): number => ((to - from) / overS) * 100;
  const idlePercent = (name: 'gateway' | 'site'): number => percent(idle[name], busy[name], WARM_UP_MS / 1000);
  const perViewer = (name: 'gateway' | 'site'): number =>
    rounded((percent(before[name], after[name], elapsedS) - idlePercent(name)) / viewers);
  return {
    gatewayPerViewer: perViewer('gateway'),
    sitePerViewer: perViewer('site'),
    delivered: rounded((after.bytes - before.bytes) / ((viewers * KBPS * 1000 * elapsedS) / 8)),
  };
}

async function pidOf(script: string): Promise<number> {
  return (await findProcess(product.process.pid ?? 0, script)).pid;
}
