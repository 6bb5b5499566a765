// npm run bench:playback: a 600 s playlist, seek and step latency, and the skew of many tiles on one clock, read off the frames.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { STRIP_BLOCKS_PER_WIDTH } from '../virtual-devices/scene/painting/strip.ts';
import { OPERATOR, openSignedIn } from '../tests/browser/signed-in.ts';
import type { ApiClient } from '../tests/harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../tests/harness/browser.ts';
import { Product } from '../tests/harness/product.ts';
import { addAll, startVirtualSite } from '../tests/harness/virtual-site.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import { median, rounded } from './measure/figures.ts';
import { measurePlaylist } from './measure/playlist.ts';
import { type Seen, watchStrips } from './measure/burned-in-strips.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, tiles: { type: 'string', default: '16' } },
});
const ROUNDS = Number(values.rounds);
const TILES = Number(values.tiles);
/** Of recordings before the measurements, and of each wall. */
const RECORDING_MS = 45_000;
const WALL_MS = 10_000;
/** The second stream of the virtual cameras. */
const FRAME_MS = 1000 / 15;

interface Channel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

const playlistMs = await measurePlaylist();
const cameras = startVirtualSite(['--cameras', String(TILES)]);
const [product, browser, virtual] = await Promise.all([Product.start(), openBrowser(), cameras]);
try {
  const operator = await product.setUp(...OPERATOR);
  const channels: Channel[] = [];
  for (const device of virtual.devices) {
    // At once: a wall plays the second stream only where it is as complete as the main one.
    for (const channel of await addAll(operator, [device])) {
      await recordBoth(operator, channel);
      channels.push(channel);
    }
  }
  const [first] = channels as [Channel];
  const from = await waitFor('footage', () => recordedRanges(operator, channels), 180_000);
  const single = await open([first], from + 20_000);
  const seekMs = await measureSeeks(single.page);
  const stepMs = await measureSteps(single.page);
  const trick = await measureTrickPlay(single.page);
  await single.close();
  const wall = await measureWall(channels.slice(0, TILES), from + 5000);
  const result = {
    bench: 'playback',
    playlistMs: rounded(playlistMs),
    seekMs: figures(seekMs),
    stepMs: figures(stepMs),
    trickPicturesPerSecond: rounded(trick),
    wall,
    goals: { playlistMs: 1, seekMs: 80, stepMs: 50, withinOneFrame: 1 },
    load: rounded(loadavg()[0] ?? 0),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await browser.close();
  await Promise.all([product.stop(), virtual.stop()]);
}

async function recordBoth(operator: ApiClient, channel: Channel): Promise<void> {
  const plan = await operator.ok('record/plan/get', channel);
  await operator.ok('record/plan/set', { ...plan, ...channel, secondStream: true });
}

/** From when on all channels have recordings in both streams, once there are enough of them. */
async function recordedRanges(operator: ApiClient, channels: readonly Channel[]): Promise<number | undefined> {
  const now = Date.now();
  const starts: number[] = [];
  for (const channel of channels) {
    for (const quality of [0, 1] as const) {
      const range = { startTime: now - 600_000, endTime: now, quality };
      const { recordList } = await operator.ok('record/query', { ...channel, ...range });
      const last = recordList.at(-1);
      if (!last || last.endTime - last.startTime < RECORDING_MS) return undefined;
      starts.push(last.startTime);
    }
  }
  return Math.max(...starts);
}

async function open(channels: readonly Channel[], at: number): Promise<WatchedPage> {
  const [first] = channels as [Channel];
  const split = [1, 4, 9, 16].find((count) => count >= channels.length) ?? 16;
  const place = new URLSearchParams({ device: first.deviceSerial, channel: String(first.channelNo), time: String(at) });
  if (split > 1) {
    place.set('split', String(split));
    place.set('cells', channels.map(({ deviceSerial, channelNo }) => `${deviceSerial}:${channelNo}`).join(','));
  }
  const path = `/homepage/container?${place}`;
  const watched = await openSignedIn(browser, product, { path, width: 2200, height: 1500 });
  await watchStrips(watched.page, STRIP_BLOCKS_PER_WIDTH);
  const isUp = async (): Promise<boolean> => (await strips(watched.page)).filter(Boolean).length >= channels.length;
  await waitFor('every picture', isUp, 60_000);
  return watched;
}

function strips(page: Page): Promise<Seen[]> {
  return page.evaluate('stripWatch.read()');
}

/** From the release of the pointer to the picture that was asked for. */
async function measureSeeks(page: Page): Promise<number[]> {
  await page.keyboard.press('k');
  await page.getByRole('slider').focus();
  // To about 40 s in sight.
  for (let zoom = 0; zoom < 11; zoom++) await page.keyboard.press('+');
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const box = await page.getByRole('slider').boundingBox();
    if (!box) throw new Error('the timeline is not in sight');
    await page.evaluate('stripWatch.expectSeek()');
    const share = 0.42 + ((round * 7) % 15) / 100;
    await page.mouse.click(box.x + box.width * share, box.y + box.height - 20);
    times.push(await page.evaluate<number>('stripWatch.arrived'));
  }
  return times;
}

/** From the key to the neighbouring picture, on and back. */
async function measureSteps(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS * 2; round++) {
    const key = round < ROUNDS ? '.' : ',';
    await page.evaluate('stripWatch.expectStep()');
    await page.keyboard.press(key);
    times.push(await page.evaluate<number>('stripWatch.arrived'));
  }
  return times;
}

/** Different pictures a second at 16 times the speed, backwards. */
async function measureTrickPlay(page: Page): Promise<number> {
  await page.keyboard.press('End');
  await page.locator('body').press('j');
  for (let faster = 0; faster < 4; faster++) await page.keyboard.press('j');
  const seconds = 2;
  const seen = new Set<number>();
  await page.evaluate(`stripWatch.sample(${seconds * 1000})`);
  for (const [first] of await page.evaluate<Seen[][]>('stripWatch.samples')) if (first) seen.add(first.frame);
  return seen.size / seconds;
}

/**
 * All tiles play at speed 1. A picture stands until the camera took the next one, so the captures of two pictures on screen lie up to a frame
 * apart by the phases of their cameras alone: beyond a frame, one tile is late. Those that say themselves that they catch up or show key
 * pictures alone are counted apart.
 */
async function measureWall(channels: readonly Channel[], at: number) {
  const { page, close } = await open(channels, at);
  const isPlaying = async (): Promise<boolean> =>
    (await page.locator('[data-playback][data-state="playing"]').count()) === channels.length;
  await waitFor('every tile to play', isPlaying, 60_000);
  await page.evaluate(`stripWatch.sample(${WALL_MS})`);
  const samples = await page.evaluate<Seen[][]>('stripWatch.samples');
  const behind = await page.evaluate<readonly (readonly boolean[])[]>('stripWatch.behind');
  const spreads = samples.flatMap((sample, row) => {
    const times = sample.flatMap((one, tile) => (one && !behind[row]?.[tile] ? [one.wallMs] : []));
    return times.length >= 2 ? [Math.max(...times) - Math.min(...times)] : [];
  });
  const marks = behind.flat();
  const frames = channels.map((_, tile) => new Set(samples.map((sample) => sample[tile]?.frame)).size);
  await close();
  return {
    tiles: channels.length,
    capturesApartMs: figures(spreads),
    withinOneFrame: rounded(spreads.filter((spread) => spread <= FRAME_MS + 1).length / Math.max(1, spreads.length)),
    shareBehind: rounded(marks.filter(Boolean).length / Math.max(1, marks.length)),
    framesPerSecond: rounded((median(frames) * 1000) / WALL_MS),
  };
}

function figures(numbers: readonly number[]) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), worst: at(1), of: sorted.length };
}
