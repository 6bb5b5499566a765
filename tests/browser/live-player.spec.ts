// Live player with real cameras in a real browser: WebCodecs, MSE when lagging, HLS without WebSocket, audio, H.265, MJPEG, a narrow line.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, Locator, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type PageOptions, shot, type WatchedPage } from '../harness/browser.ts';
import { type GstreamerPeer, startGstreamer } from '../harness/gstreamer.ts';
import { NarrowLine } from '../harness/narrow-line.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { clockInFrame, LANGUAGES, liveClock, waitForFrameChange } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const GATE = 'Gate House';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let virtual: VirtualSite;
let peer: GstreamerPeer;

beforeAll(async () => {
  [product, browser, virtual, peer] = await Promise.all([
    Product.start(),
    openBrowser(),
    startVirtualSite(),
    startGstreamer(),
  ]);
  operator = await product.setUp(...OPERATOR);
  const gate = virtual.devices.find(({ name }) => name === GATE);
  if (!gate) throw new Error('no gate');
  await operator.ok('device/add', { target: gate.target, user: gate.user, password: gate.password, deviceName: GATE });
  for (const [path, deviceName] of [
    ['/stream1', 'Two codecs'],
    ['/h265', 'H265 alone'],
    ['/h264-aac', 'Speaking'],
    ['/mjpeg', 'Stills'],
  ] as const) {
    await operator.ok('device/add', { target: peer.url(path), deviceName });
  }
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), virtual?.stop(), peer?.stop()]);
});

interface LiveWall extends WatchedPage {
  /** Puts one camera alone on the wall, and answers its tile. */
  show(name: string, key?: string): Promise<Locator>;
}

async function openWall(
  options: PageOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
  at: { readonly url: string } = product,
): Promise<LiveWall> {
  const watched = await openSignedIn(browser, at, { path: '/homepage/liveVideo', ...options });
  const { page } = watched;
  await prepare?.(page);
  return {
    ...watched,
    // Nine windows show the second stream, which costs a shared machine less.
    show: async (name, key = '3') => {
      await page.locator('[data-cell="0"]').waitFor();
      await page.keyboard.press(key);
      if (await clear(page).isEnabled()) await clear(page).click();
      await page.getByRole('tree').getByRole('treeitem', { name }).click();
      return page.locator('[data-cell="0"]');
    },
  };
}

async function deviceCalled(name: string): Promise<{ readonly deviceSerial: string }> {
  const { deviceList } = await operator.ok('device/list', {});
  const found = deviceList.find(({ deviceName }) => deviceName === name);
  if (!found) throw new Error(`no device ${name}`);
  return found;
}

const clear = (page: Page): Locator => page.getByRole('button', { name: words['live.clear'] });

const isLive = (tile: Locator): Promise<void> =>
  tile.and(tile.page().locator('[data-state=live]')).waitFor({ timeout: 30_000 });

/** What the tile says of how it is shown. */
async function shownBy(tile: Locator): Promise<string> {
  const info = tile.locator('[data-tile-info]');
  const show = tile.page().getByRole('button', { name: words['live.showInfo'], exact: true });
  if ((await show.count()) > 0) await show.click();
  await info.waitFor();
  return (await info.locator('dt', { hasText: words['live.infoTransport'] }).locator('+ dd').textContent()) ?? '';
}

const way = (transport: 'webcodecs' | 'mse' | 'hls' | 'jpeg', because: 'fewTiles' | 'lagged' | 'noSocket' | 'stills') =>
  `${words[`live.transport_${transport}`]} · ${words[`live.because_${because}`]}`;

describe('on a default page', () => {
  let wall: LiveWall;
  beforeAll(async () => {
    wall = await openWall();
  });
  afterAll(() => wall?.close());

  it('[LV-01] decodes one tile by WebCodecs, and shows the current frames of the camera', async () => {
    const tile = await wall.show(GATE);
    await waitFor('WebCodecs', async () => (await shownBy(tile)) === way('webcodecs', 'fewTiles'), 30_000);
    const shown = await waitFor('a picture of now', async () => {
      const [before, seen, after] = [await picturesMade(), await counterIn(wall.page), await picturesMade()];
      // Never from the future, and not older than a second when the camera was first asked, once nothing holds it up.
      expect(seen).toBeLessThan(after);
      return seen > before - 15 && seen;
    });
    await waitFor('newer pictures', async () => (await counterIn(wall.page)) > shown + 5);
    await shot(wall.page, 'live-webcodecs');
    expect(wall.problems).toEqual([]);
  });

  it('goes to two minutes ago in the tile by one click or key and back to live by another', async () => {
    const tile = await wall.show(GATE);
    await waitFor('a live picture', async () => (await counterIn(wall.page)) > 0);
    await waitFor('ten seconds of recording', async () => {
      const { deviceSerial } = await deviceCalled(GATE);
      const range = { startTime: Date.now() - 600_000, endTime: Date.now() };
      const { recordList } = await operator.ok('record/query', { deviceSerial, channelNo: 1, ...range, srcType: 1 });
      return recordList.some(({ startTime, endTime }) => endTime - startTime > 10_000);
    });
    const replay = tile.locator('[data-replay]');
    await tile.hover();
    await tile.getByRole('button', { name: words['replay.start'] }).click();
    const pressedAt = Date.now();
    const old = await waitFor(
      'a picture of then',
      async () => {
        const seen = await clockInFrame(wall.page, '[data-replay]');
        return (await replay.getAttribute('data-replay-state')) === 'playing' && seen;
      },
      30_000,
    );
    // Two minutes, or since the recording began: then it says where it plays from.
    expect(old.wallMs).toBeLessThan(pressedAt - 4000);
    if (old.wallMs > pressedAt - 110_000)
      await replay.getByText(words['playback.jumped'].split(' {from}')[0] ?? '').waitFor();
    await expectNoProblems(wall, 'live-replay');
    await replay.getByRole('button', { name: words['replay.toLive'] }).click();
    await replay.waitFor({ state: 'detached' });
    await liveClock(wall.page, '[data-cell="0"]', 5000);
    await wall.page.keyboard.press('b');
    await replay.waitFor();
    await wall.page.keyboard.press('b');
    await replay.waitFor({ state: 'detached' });
    expect(wall.problems).toEqual([]);
  });

  it('[LV-01] shows an H.265 camera by its H.264 stream, by a transcode, or with a message', async () => {
    const plays = await wall.page.evaluate(() => MediaSource.isTypeSupported('video/mp4; codecs="hvc1.1.6.L120.B0"'));
    const both = await wall.show('Two codecs', '1');
    await isLive(both);
    await both
      .getByText(plays ? /H\.265/ : /H\.264/)
      .first()
      .waitFor({ state: 'attached' });
    const alone = await wall.show('H265 alone', '1');
    if (plays) return isLive(alone);
    // Without a stream for this browser the site makes one, where it has an ffmpeg; else the tile says so.
    const isTranscoded = findOnPath('ffmpeg');
    if (isTranscoded) await waitForFrameChange(wall.page, '[data-cell="0"]');
    else await alone.getByText(words['live.unsupportedCodec'].replace('{codec}', 'H.265')).waitFor({ timeout: 30_000 });
    expect(wall.problems).toEqual([]);
  });

  it('[LV-01] shows an MJPEG camera frame by frame', async () => {
    const tile = await wall.show('Stills');
    await waitFor('JPEG', async () => (await shownBy(tile)) === way('jpeg', 'stills'), 30_000);
    const still = tile.locator('canvas[data-shown]');
    const size = () => still.evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.height]);
    await expect.poll(size).toEqual([320, 176]);
    expect(wall.problems).toEqual([]);
  });

  it('[ST-07] plays its recording', async () => {
    const { deviceSerial } = await deviceCalled('Stills');
    const range = { startTime: Date.now() - 600_000, endTime: Date.now() + 60_000 };
    const recorded = await waitFor(
      '3 s of recording',
      async () => {
        const { recordList } = await operator.ok('record/query', { deviceSerial, channelNo: 1, ...range });
        return recordList.find(({ startTime, endTime }) => endTime - startTime > 3000);
      },
      30_000,
    );
    const { page } = wall;
    const place = new URLSearchParams({ device: deviceSerial, channel: '1', time: String(recorded.startTime) });
    await page.goto(`${product.url}/homepage/container?${place}`);
    await page.locator('[data-playback][data-state=playing]').waitFor({ timeout: 30_000 });
    const picture = page.locator('[data-playback] canvas:not([data-still])');
    await waitFor('the picture', () =>
      picture.evaluate((canvas: HTMLCanvasElement) => canvas.width === 320 && canvas.height === 176),
    );
    await shot(page, 'playback-jpeg');
    expect(wall.problems).toEqual([]);
  });
});

describe('on a page with problems', () => {
  it('[LV-01] switches from lagging WebCodecs to MSE without a black frame', async () => {
    const wall = await openWall();
    const decodes = await decoderWorker(wall.page);
    await decodes.evaluate(believeQueue, 0);
    const tile = await wall.show(GATE);
    await waitFor('WebCodecs', async () => (await shownBy(tile)) === way('webcodecs', 'fewTiles'), 30_000);
    await noteDarkness(wall.page);
    await decodes.evaluate(believeQueue, 50);
    await waitFor('MSE', async () => (await shownBy(tile)) === way('mse', 'lagged'), 30_000);
    await waitForFrameChange(wall.page, '[data-cell="0"]');
    expect(await wall.page.evaluate('window.darkMoments')).toEqual([]);
    await expect.poll(() => wall.page.locator('[data-surface]').count()).toBe(0);
    expect(wall.problems).toEqual([]);
    await wall.close();
  });

  it('[LV-01] falls back to HLS without WebSockets, and the tile says why', async () => {
    const wall = await openWall({ allowed: /WebSocket|media\/live/ }, (page) =>
      page.routeWebSocket(/\/media\/live/, (socket) => socket.close({ code: 1008 })),
    );
    const tile = await wall.show(GATE);
    await waitFor('HLS', async () => (await shownBy(tile)) === way('hls', 'noSocket'), 30_000);
    expect(await liveClock(wall.page, '[data-cell="0"]', 15_000)).toBeLessThan(15_000);
    // The camera sends G.711, which the site made AAC.
    await wall.page.keyboard.press('m');
    await tile.locator('[data-sound="playing"]').waitFor();
    const decoded = () => tile.locator('video').evaluate((video) => Reflect.get(video, 'webkitAudioDecodedByteCount'));
    await waitFor('decoded audio', async () => (await decoded()) > 1000);
    await wall.close();
  });
});

describe('audio', () => {
  let wall: LiveWall;
  beforeAll(async () => {
    wall = await openWall({}, async (page) => {
      // A picture by MSE has its delay, which the sound can keep; one by WebCodecs does not wait for any sound.
      await page.addInitScript(preferMse);
      await page.reload();
      await page.evaluate(tapLoudspeaker);
    });
  });
  afterAll(() => wall?.close());

  it('[LV-01] audio and video are within 100 ms of each other', async () => {
    const tile = await wall.show(GATE);
    await isLive(tile);
    await listen(wall.page, tile);
    // The camera beeps at the start of each second of its clock, which its picture shows.
    const apart = await waitFor(
      'sound beside its picture',
      async () => {
        const beeps = (await wall.page.evaluate('window.beeps')) as number[];
        const pictures: number[] = [];
        for (let count = 0; count < 5; count++) {
          const seen = await clockInFrame(wall.page, '[data-cell="0"]');
          if (seen) pictures.push(seen.readAt - seen.wallMs);
        }
        if (beeps.length < 5 || pictures.length < 3) return undefined;
        const sound = median(beeps.slice(-5).map((at) => ((at + 500) % 1000) - 500));
        const difference = Math.abs(sound - median(pictures));
        if (difference >= 100) throw new Error(`sound ${sound} ms, picture ${median(pictures)} ms`);
        return difference;
      },
      40_000,
    );
    expect(apart).toBeLessThan(100);
    await wall.page.keyboard.press('m');
    await tile.locator('[data-sound=playing]').waitFor({ state: 'detached' });
  });

  it.each([
    { codec: 'G.711', camera: GATE },
    { codec: 'AAC', camera: 'Speaking' },
  ])('[LV-01] plays $codec of the tile that is listened to, and is silent after that', async ({ camera }) => {
    const tile = await wall.show(camera);
    await isLive(tile);
    await waitFor('silence before', async () => (await loudest(wall.page)) === 0);
    await listen(wall.page, tile);
    await waitFor('audio', async () => (await loudest(wall.page)) > 0.01);
    await wall.page.keyboard.press('m');
    await waitFor('silence', async () => (await loudest(wall.page)) === 0);
    expect(await tile.getAttribute('data-state')).toBe('live');
    expect(wall.problems).toEqual([]);
  });

  it('[LV-01] says that a camera has no audio', async () => {
    const tile = await wall.show('Two codecs');
    await isLive(tile);
    await wall.page.keyboard.press('m');
    await tile.getByText(words['live.sound_none']).waitFor({ timeout: 15_000 });
    await shot(wall.page, 'live-no-sound');
    expect(wall.problems).toEqual([]);
  });
});

async function listen(page: Page, tile: Locator): Promise<void> {
  await page.keyboard.press('m');
  await tile.locator('[data-sound=playing]').waitFor({ timeout: 20_000 });
}

/** The counter that the camera burned into what is shown. */
async function counterIn(page: Page): Promise<number> {
  return (await waitFor('a readable strip', () => clockInFrame(page, '[data-cell="0"]'))).frame;
}

/** Pictures that the gate's second stream has made so far. */
async function picturesMade(): Promise<number> {
  const { devices } = (await (await fetch(`${virtual.controlUrl}/state`)).json()) as {
    devices: { name: string; streams: Record<string, { pictures: number }> }[];
  };
  return devices.find(({ name }) => name === GATE)?.streams['/live/1/second']?.pictures ?? Number.NaN;
}

/** The wall starts it by itself, ahead of the first tile. */
function decoderWorker(page: Page): Promise<Worker> {
  return waitFor('the worker that decodes', () => page.workers().find((worker) => /decoder-worker/.test(worker.url())));
}

/** However quick or slow the machine is, so many frames wait for the decoder. */
function believeQueue(queued: number): void {
  Object.defineProperty(VideoDecoder.prototype, 'decodeQueueSize', { configurable: true, get: () => queued });
}

/** What the browser would have learned, had WebCodecs fallen behind a moment ago. */
function preferMse(): void {
  const quickTiles = { count: 0, at: Date.now() };
  localStorage.setItem(
    'vedette.player',
    JSON.stringify({ version: 1, quickTiles, socketBlockedAt: null, failures: [] }),
  );
}

function findOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Notes every animation frame at which the tile shows no picture at all. */
async function noteDarkness(page: Page): Promise<void> {
  await page.evaluate(() => {
    const darkMoments: string[] = [];
    Object.assign(window, { darkMoments });
    const look = (): void => {
      const tile = document.querySelector('[data-cell="0"]');
      const video = tile?.querySelector('video');
      const surface = tile?.querySelector<HTMLCanvasElement>('canvas[data-surface]');
      const still = tile?.querySelector('canvas[data-shown]');
      // While it seeks, an element shows the picture it had.
      const isLit = (video?.videoWidth ?? 0) > 0 || (surface && surface.style.visibility !== 'hidden') || still;
      if (!isLit) darkMoments.push(`${performance.now()}`);
      requestAnimationFrame(look);
    };
    look();
  });
}

/** Listens to whatever goes to the loudspeaker: how loud it was lately, and when beeps began (ms since 1970). */
function tapLoudspeaker(): void {
  const beeps: number[] = [];
  const analysers: AnalyserNode[] = [];
  let wasSilentAt = 0;
  const samples = new Float32Array(2048);
  const look = (): void => {
    let loudest = 0;
    for (const analyser of analysers) {
      analyser.getFloatTimeDomainData(samples);
      const onset = samples.findIndex((sample) => Math.abs(sample) > 0.01);
      for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample));
      const now = performance.timeOrigin + performance.now();
      if (onset < 0) wasSilentAt = now;
      else if (wasSilentAt > 0 && onset > 0) {
        beeps.push(now - ((samples.length - onset) / analyser.context.sampleRate) * 1000);
        wasSilentAt = 0;
      }
    }
    Object.assign(window, { loudest });
  };
  Object.assign(window, { beeps, loudest: 0 });
  const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
  AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode) {
    if (to instanceof AudioDestinationNode) {
      const analyser = this.context.createAnalyser();
      analyser.fftSize = samples.length;
      analysers.splice(0, analysers.length, analyser);
      connect.call(this, analyser);
    }
    return connect.call(this, to);
  } as typeof AudioNode.prototype.connect;
  setInterval(look, 5);
}

function loudest(page: Page): Promise<number> {
  return page.evaluate('window.loudest') as Promise<number>;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** So large that the narrow line cannot carry it: a keyframe five times a second, finely quantised. */
async function makeMainStreamLarge(): Promise<void> {
  const { deviceSerial } = await deviceCalled(GATE);
  const place = { deviceSerial, channelNo: 1, section: 'video' as const };
  const { value, version } = await operator.ok('config/get', place);
  const [main, ...others] = (value as { streams: object[] }).streams;
  await operator.ok('config/set', {
    ...place,
    value: { streams: [{ ...main, bitrate: 8192, fps: 25, gop: 5 }, ...others] },
    version,
  });
}

it('[FT-33] a page on a narrow line gets the second stream by itself and says so, and disturbs no other', async () => {
  await makeMainStreamLarge();
  const line = await NarrowLine.to(product.url);
  const [far, near] = await Promise.all([openWall({}, undefined, line), openWall()]);
  try {
    const [farTile, nearTile] = await Promise.all([far.show(GATE, '1'), near.show(GATE, '1')]);
    const main = words['live.quality0'];
    await Promise.all([farTile, nearTile].map((tile) => tile.getByText(main).first().waitFor({ state: 'attached' })));
    await isLive(farTile);
    line.narrow();
    await farTile.getByText(words['live.slowLine']).waitFor({ timeout: 60_000 });
    await farTile.getByText(words['live.quality1']).first().waitFor({ state: 'attached' });
    await liveClock(far.page, '[data-cell="0"]', 3000);
    await shot(far.page, 'live-narrow-line');
    expect(await nearTile.getByText(main).count()).toBeGreaterThan(0);
    expect(await nearTile.getByText(words['live.slowLine']).count()).toBe(0);
    await liveClock(near.page, '[data-cell="0"]');
    expect(near.problems).toEqual([]);
  } finally {
    await Promise.all([far.close(), near.close(), line.stop()]);
  }
}, 180_000);
