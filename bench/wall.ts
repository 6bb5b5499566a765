// npm run bench:wall: many tiles in one tab for minutes: the share of frames drawn, and memory growth of the tab.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { OPERATOR } from '../tests/browser/signed-in.ts';
import { openBrowser, openPage } from '../tests/harness/browser.ts';
import { Product } from '../tests/harness/product.ts';
import { addAll, startVirtualSite } from '../tests/harness/virtual-site.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import { median } from './measure/figures.ts';
import { treeUsage } from './measure/process-tree.ts';

const { values } = parseArgs({
  options: {
    tiles: { type: 'string', default: '64' },
    /** 0 main, 1 second (640×360, 15 a second), 2 third (320×180, 10 a second). */
    quality: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '0.5' },
    /** Streams are shared out among the tiles: the making of pictures is not what is measured. */
    cameras: { type: 'string', default: '4' },
  },
});
const TILES = Number(values.tiles);
const QUALITY = Number(values.quality) as 0 | 1 | 2;
const RATE = [20, 15, 10][QUALITY] ?? 10;
const MEASURED_MS = Number(values.minutes) * 60_000;
const SAMPLE_MS = 2000;
/** Until then buffers fill to what they keep: no growth of the memory that would go on. */
const WARM_UP_MINUTES = 0.75;
const PAGE = '/bench-wall/';

const folder = await mkdtemp(path.join(tmpdir(), 'vedette-wall-'));
const [product, browser, virtual] = await Promise.all([
  Product.start(),
  openBrowser(),
  startVirtualSite(),
  build({
    root: new URL('wall-page/', import.meta.url).pathname,
    base: PAGE,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
  }),
]);
try {
  const operator = await product.setUp(...OPERATOR);
  const channels = await addAll(operator, virtual.devices.slice(0, Number(values.cameras)));
  const { page, problems } = await openPage(browser, { width: 1920, height: 1080 });
  // A page that the bench serves comes from no known place, and would have to ask for the way to this machine.
  await page.context().grantPermissions(['local-network-access']);
  await page.exposeFunction('ticketFor', async (tile: number) => {
    const channel = channels[tile % channels.length] as (typeof channels)[number];
    const { ticket, hlsUrl } = await operator.ok('media/url', { ...channel, quality: QUALITY });
    return { ticket, hlsUrl };
  });
  await servePage(page);
  await page.goto(`${product.url}${PAGE}index.html?tiles=${TILES}`);
  await waitFor(
    'every tile to be live',
    async () => {
      const { live, transports } = await wall(page);
      if (live < TILES) throw new Error(`${live} of ${TILES} are, by ${transports.join(', ')}; ${problems.join('; ')}`);
      return true;
    },
    120_000,
  );
  const session = await browser.newBrowserCDPSession();
  const begun = await wall(page);
  const begunAt = performance.now();
  let sampledUntilMs = 0;
  const memory: { minutes: number; megabytes: number }[] = [];
  const sample = async (): Promise<boolean> => {
    const minutes = (performance.now() - begunAt) / 60_000;
    if (minutes * 60_000 < sampledUntilMs) return false;
    sampledUntilMs = minutes * 60_000 + SAMPLE_MS;
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const tabs = processInfo.filter(({ type }) => type === 'renderer');
    if (minutes > WARM_UP_MINUTES)
      memory.push({ minutes, megabytes: tabs.reduce((sum, { id }) => sum + treeUsage(id).pssMiB, 0) * 1.048576 });
    return minutes * 60_000 >= MEASURED_MS;
  };
  await waitFor('the time to pass', sample, MEASURED_MS * 2 + 60_000);
  const seconds = (performance.now() - begunAt) / 1000;
  const end = await wall(page);
  const drawnShare = (end.frames - begun.frames) / (seconds * RATE * TILES);
  const result = {
    bench: 'wall',
    tiles: TILES,
    quality: QUALITY,
    minutes: Math.round((seconds / 60) * 100) / 100,
    drawnShare: Math.round(drawnShare * 1000) / 1000,
    framesPerSecond: Math.round((end.frames - begun.frames) / seconds),
    live: end.live,
    dropped: end.dropped,
    firstFrameMedianMs: Math.round(median(end.firstFrameMs)),
    // Null where the run was too short to tell.
    memorySlopeMbPerMin: MEASURED_MS < 2 * WARM_UP_MINUTES * 60_000 ? null : Math.round(slope(memory) * 100) / 100,
    transports: end.transports,
    problems,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await browser.close();
  await Promise.all([product.stop(), virtual.stop(), rm(folder, { recursive: true, force: true })]);
}

interface WallFigures {
  readonly frames: number;
  readonly live: number;
  readonly firstFrameMs: number[];
  readonly dropped: number;
  readonly transports: string[];
}

function wall(page: Page): Promise<WallFigures> {
  return page.evaluate('window.wall') as Promise<WallFigures>;
}

/** The page comes from the product's own origin, as any page that may open its socket. */
async function servePage(page: Page): Promise<void> {
  const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };
  await page.route(`**${PAGE}**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(PAGE.length);
    const body = await readFile(path.join(folder, path.normalize(`/${name}`)));
    await route.fulfill({ body, contentType: types[path.extname(name)] ?? 'application/octet-stream' });
  });
}

/** Least squares over all samples, MB a minute. */
function slope(samples: readonly { minutes: number; megabytes: number }[]): number {
  const mean = (of: (one: (typeof samples)[number]) => number): number =>
    samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [meanX, meanY] = [mean(({ minutes }) => minutes), mean(({ megabytes }) => megabytes)];
  const above = mean(({ minutes, megabytes }) => (minutes - meanX) * (megabytes - meanY));
  const below = mean(({ minutes }) => (minutes - meanX) ** 2);
  return below === 0 ? 0 : above / below;
}
