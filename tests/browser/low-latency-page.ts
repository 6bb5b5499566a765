// A page that plays one playlist with hls.js in low-latency mode, as the page of a stranger would: without the console.
import type { Page } from 'playwright-core';

const SCRIPT = new URL('../../node_modules/hls.js/dist/hls.min.js', import.meta.url).pathname;

/** The video stands where tiles of the wall stand, so that what measures those measures it. */
export async function playLowLatency(page: Page, url: string): Promise<void> {
  await page.setContent('<div data-cell="0"><video muted autoplay playsinline></video></div>');
  await page.addScriptTag({ path: SCRIPT });
  await page.evaluate((source) => {
    const { Hls } = globalThis as unknown as { Hls: new (config: object) => PlayerOfHls };
    const player = new Hls({ lowLatencyMode: true, enableWorker: true });
    const errors: string[] = [];
    player.on('hlsError', (_event, { fatal, details }) => {
      if (fatal) errors.push(details);
    });
    player.loadSource(source);
    player.attachMedia(document.querySelector('video'));
    Object.assign(globalThis, { player, playerErrors: errors });
  }, url);
}

export interface LowLatencyState {
  /** Of the video. */
  readonly currentTime: number;
  /** Behind the live edge of the playlist, in seconds. */
  readonly latency: number;
  readonly width: number;
  readonly errors: readonly string[];
}

export async function lowLatencyState(page: Page): Promise<LowLatencyState> {
  return await page.evaluate(() => {
    const { player, playerErrors } = globalThis as unknown as { player: PlayerOfHls; playerErrors: string[] };
    const video = document.querySelector('video') as HTMLVideoElement;
    const { currentTime, videoWidth: width } = video;
    return { currentTime, width, latency: player.latency, errors: playerErrors };
  });
}

interface PlayerOfHls {
  readonly latency: number;
  loadSource(url: string): void;
  attachMedia(video: HTMLVideoElement | null): void;
  on(event: 'hlsError', listener: (event: string, data: { fatal: boolean; details: string }) => void): void;
}
