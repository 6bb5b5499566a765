// npm run bench:native-tiles: tiles that the GTK shell plays itself, for minutes: frames of each, CPU and memory of its processes, and the age of a picture on the screen.
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { OPERATOR } from '../tests/browser/signed-in.ts';
import { keepKey, WEBKIT } from '../tests/browser/shell-sign-in.ts';
import { GtkShellUnderTest, newHome, VirtualScreen } from '../tests/harness/desktop-shell.ts';
import { Product } from '../tests/harness/product.ts';
import { addAll, startVirtualSite } from '../tests/harness/virtual-site.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import { readStrip } from '../virtual-devices/scene/painting/strip.ts';
import { median } from './measure/figures.ts';
import { treeUsage } from './measure/process-tree.ts';

const { values } = parseArgs({
  options: { tiles: { type: 'string', default: '4' }, minutes: { type: 'string', default: '15' } },
});
const TILES = Number(values.tiles);
const MEASURED_MS = Number(values.minutes) * 60_000;
const SAMPLE_MS = 10_000;
const SCREEN_WIDTH = 1280;
/** Pictures of the cameras are 16:9. */
const SHAPE = 16 / 9;
/** The cameras' main streams, a second. */
const RATE = 20;

/** Places of the page are places of the screen. */
const WITHOUT_FRAME = ['--notice-read', '--monitor', 'screen'];

interface Place {
  readonly window: number;
  readonly rect: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

const home = newHome();
const profile = path.join(home.path, 'profile');
const [screen, product, cameras] = [await VirtualScreen.start(), await Product.start(), await startVirtualSite()];
let shell: GtkShellUnderTest | null = null;
const start = (): GtkShellUnderTest =>
  new GtkShellUnderTest(screen, home.path, ['--server', product.url, '--profile', profile, ...WITHOUT_FRAME]);
const outcome = (given: GtkShellUnderTest, tag: number) => given.of('outcome').find((one) => one.tag === tag);
const tiles = Array.from({ length: TILES }, (_, at) => at + 1);

try {
  const operator = await product.setUp(...OPERATOR);
  const channels = await addAll(operator, cameras.devices.slice(0, TILES));
  shell = start();
  await shell.waitFor('told', 2);
  await shell.stop();
  await keepKey(product, profile, WEBKIT);
  shell = start();
  await waitFor('the sign-in', () => (shell?.told('account/status').length ?? 0) > 1, 60_000);
  for (const window of tiles) await play(shell, window, channels[window - 1] as (typeof channels)[number]);
  await waitFor('every first frame', () => new Set(shell?.of('tile').map(({ tile }) => tile)).size === TILES, 60_000);
  // One alone fills the wall: the clock in its picture is large enough to be read.
  if (TILES === 1) screen.press('Return');
  process.stdout.write(`${JSON.stringify(await measure(shell))}\n`);
} finally {
  await shell?.stop();
  await Promise.all([product.stop(), cameras.stop()]);
  screen.stop();
  home.remove();
}

async function play(given: GtkShellUnderTest, window: number, channel: object): Promise<void> {
  await waitFor(
    `tile ${window}`,
    async () => {
      if ((await given.ask('live/start', { ...channel, window })).code !== 200) return false;
      const tag = 1000 + given.events.length;
      given.say({ do: 'play', tile: window, isNative: true, tag });
      return (await waitFor('the outcome', () => outcome(given, tag)))?.code === 200;
    },
    120_000,
  );
}

async function measure(given: GtkShellUnderTest) {
  const counted = (tile: number): number => given.of('frames').findLast((one) => one.tile === tile)?.count ?? 0;
  await waitFor('the first counts', () => tiles.every((tile) => counted(tile) > 0), 60_000);
  const begun = tiles.map(counted);
  const [usage, begunAt] = [treeUsage(given.pid), performance.now()];
  const [memory, ages]: [number[], number[]] = [[], []];
  let sampledAt = begunAt;
  await waitFor(
    'the time to pass',
    () => {
      const now = performance.now();
      if (now - sampledAt < SAMPLE_MS) return false;
      sampledAt = now;
      memory.push(Math.round(treeUsage(given.pid).pssMiB));
      ages.push(...ageOfPictures(given));
      return now - begunAt >= MEASURED_MS;
    },
    MEASURED_MS * 2 + 60_000,
  );
  const seconds = (performance.now() - begunAt) / 1000;
  screen.shot('native-tiles');
  const rates = tiles.map((tile, at) => Math.round(((counted(tile) - (begun[at] ?? 0)) / seconds) * 10) / 10);
  const states = given.of('tile').map(({ state }) => state);
  return {
    bench: 'native-tiles',
    tiles: TILES,
    minutes: Math.round((seconds / 60) * 10) / 10,
    framesPerSecond: rates,
    ofCamera: RATE,
    lost: states.filter((state) => state === 'lost').length,
    cores: Math.round(((treeUsage(given.pid).cpuS - usage.cpuS) / seconds) * 100) / 100,
    memoryMiB: { first: memory[0], median: median(memory), last: memory.at(-1), most: Math.max(...memory) },
    /** From the camera's clock in the picture to the picture on the screen; that is up to 0.1 s older than told. */
    ageMs: { median: Math.round(median(ages)), most: Math.round(Math.max(0, ...ages)), read: ages.length },
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

function ageOfPictures(given: GtkShellUnderTest): number[] {
  const { tileList } = given.told('window/current').at(-1) as { tileList: readonly Place[] };
  const at = Date.now();
  const pixels = screen.pixels();
  return tileList.flatMap(({ rect }) => {
    // Whole pixels of the screen.
    const width = Math.floor(Math.min(rect.width, rect.height * SHAPE)) - 1;
    const left = rect.x + (rect.width - width) / 2;
    const top = rect.y + (rect.height - width / SHAPE) / 2;
    const strip = readStrip(
      (x, y) => pixels[(Math.round(top + y) * SCREEN_WIDTH + Math.round(left + x)) * 3 + 1] ?? 0,
      width,
    );
    return strip === null ? [] : [at - strip.wallMs];
  });
}
