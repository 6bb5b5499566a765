// The audio of recorded G.711 in the browser: hls.js plays it as a tone that is heard from the start, after a jump and after a gap.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HlsPlayback } from '../../media/playback/encoded-audio/hls-playback.fixture.ts';
import { g711Format } from '../../media/recorder/synthetic-stream.fixture.ts';
import { openBrowser } from '../harness/browser.ts';
import { waitFor } from '../harness/wait-for.ts';

const SCRIPT = new URL('../../node_modules/hls.js/dist/hls.light.min.js', import.meta.url).pathname;
const START_MS = Date.UTC(2026, 2, 29, 0, 59, 0);
const TONE_HZ = 440;
const tone = (atS: number): number => 0.4 * Math.sin(2 * Math.PI * TONE_HZ * atS);

interface Heard {
  readonly currentTime: number;
  readonly audioBytes: number;
  /** Of the loudest frequency. */
  readonly peakHz: number;
  readonly peakDb: number;
  readonly errors: readonly string[];
}

let bench: HlsPlayback;
let browser: Browser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([HlsPlayback.create(), openBrowser()]);
  await bench.record({ startMs: START_MS, seconds: 40, audio: g711Format, sound: tone });
  await bench.record({ startMs: START_MS + 100_000, seconds: 20, audio: g711Format, sound: tone });
  bench.range = { startTime: START_MS, endTime: START_MS + 200_000 };
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await bench?.remove();
});

async function open(page: Page): Promise<void> {
  const address = new URL('/page', bench.playlistUrl).href;
  await page.route(address, async (route) => {
    await route.fulfill({ contentType: 'text/html', body: '<video autoplay playsinline></video>' });
  });
  await page.goto(address);
  await page.addScriptTag({ path: SCRIPT });
  await page.evaluate((source) => {
    const { Hls } = globalThis as unknown as { Hls: new () => PlayerOfHls };
    const player = new Hls();
    const video = document.querySelector('video') as HTMLVideoElement;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaElementSource(video).connect(analyser).connect(context.destination);
    const errors: string[] = [];
    player.on('hlsError', (_event, { fatal, details }) => {
      // A jump breaks off what loads.
      if (fatal) errors.push(details);
    });
    player.loadSource(source);
    player.attachMedia(video);
    Object.assign(globalThis, { heardBy: { context, analyser, errors } });
  }, bench.playlistUrl);
}

async function heard(page: Page): Promise<Heard> {
  return await page.evaluate(() => {
    const { heardBy } = globalThis as unknown as {
      heardBy: { context: AudioContext; analyser: AnalyserNode; errors: string[] };
    };
    const { context, analyser, errors } = heardBy;
    const video = document.querySelector('video') as HTMLVideoElement & { webkitAudioDecodedByteCount: number };
    const levels = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(levels);
    const peakDb = Math.max(...levels);
    return {
      currentTime: video.currentTime,
      audioBytes: video.webkitAudioDecodedByteCount,
      peakHz: (levels.indexOf(peakDb) * context.sampleRate) / analyser.fftSize,
      peakDb,
      errors,
    };
  });
}

/** Waits until it plays beyond a time and the tone is what is heard. */
async function hear(page: Page, afterS: number): Promise<Heard> {
  return await waitFor(
    `the tone after ${afterS} s`,
    async () => {
      const now = await heard(page);
      const isTone = Math.abs(now.peakHz - TONE_HZ) < 30 && now.peakDb > -40;
      return now.currentTime > afterS && isTone && now;
    },
    30_000,
  );
}

it('is heard from the start, after a jump into the middle and after a gap', async () => {
  const page = await browser.newPage();
  await open(page);
  const first = await hear(page, 1.5);
  expect(first.audioBytes).toBeGreaterThan(1000);
  for (const second of [25, 50]) {
    await page.evaluate((to) => {
      (document.querySelector('video') as HTMLVideoElement).currentTime = to;
    }, second);
    await hear(page, second + 1);
  }
  // Over the gap, which takes no time in the playlist.
  await page.evaluate(() => {
    (document.querySelector('video') as HTMLVideoElement).currentTime = 38;
  });
  const last = await hear(page, 42);
  expect(last.errors).toEqual([]);
  expect(last.audioBytes).toBeGreaterThan(first.audioBytes);
  await page.close();
}, 120_000);

interface PlayerOfHls {
  loadSource(url: string): void;
  attachMedia(video: HTMLVideoElement): void;
  on(event: 'hlsError', listener: (event: string, data: { fatal: boolean; details: string }) => void): void;
}
