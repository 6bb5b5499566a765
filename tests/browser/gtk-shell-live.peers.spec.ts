// Live view in the GTK shell: tiles that GStreamer plays beneath the page, at the places that the page says, with what the page draws over them.
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { GtkShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';
import { type GstreamerPeer, startGstreamer } from '../harness/gstreamer.ts';
import { processesBelow } from '../harness/processes.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { keepKey, WEBKIT } from './shell-sign-in.ts';
import { OPERATOR } from './signed-in.ts';

interface Place {
  readonly window: number;
  readonly isCovered: boolean;
  readonly rect: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

const TILE = 2;
/** Bars of GStreamer's test picture, with what the decoder and the colours of the screen make of them. */
const BARS = { yellow: [255, 255, 0], green: [0, 255, 0], red: [255, 0, 0] } as const;
const TOLERANCE = 24;
const WIDTH = 1280;
const home = newHome();
const profile = path.join(home.path, 'profile');
let screen: VirtualScreen;
let product: Product;
let independent: GstreamerPeer;
let operator: ApiClient;
let shell: GtkShellUnderTest;

const start = () => {
  // Without decorations: places of the page are places of the screen.
  const args = ['--server', product.url, '--profile', profile, '--notice-read', '--monitor', 'screen'];
  shell = new GtkShellUnderTest(screen, home.path, args);
};
const places = () =>
  (shell.told('window/current').at(-1) as { tileList?: readonly Place[] } | undefined)?.tileList ?? [];
const playing = () => shell.of('tile').filter(({ tile, state }) => tile === TILE && state === 'playing').length;
const frames = () => shell.of('frames').findLast(({ tile }) => tile === TILE)?.count ?? 0;
/** The bar that the pixel is of. */
const barAt = (pixels: Buffer, x: number, y: number) =>
  Object.entries(BARS).find(([, bar]) =>
    bar.every((value, channel) => Math.abs((pixels[(y * WIDTH + x) * 3 + channel] ?? 0) - value) < TOLERANCE),
  )?.[0];
/** All of them at the place of the tile on the screen. */
const barsSeen = (): boolean => {
  const rect = places().find(({ window }) => window === TILE)?.rect;
  if (rect === undefined) return false;
  const pixels = screen.pixels();
  const found = new Set<string>();
  for (let y = Math.ceil(rect.y); y < rect.y + rect.height - 1; y += 4)
    for (let x = Math.ceil(rect.x); x < rect.x + rect.width - 1; x += 4) found.add(barAt(pixels, x, y) ?? 'none');
  return Object.keys(BARS).every((name) => found.has(name));
};
/** Again while a busy machine takes longer than the page may. */
const ask = async (topic: string, data: object) =>
  await waitFor(topic, async () => (await shell.ask(topic, data)).code === 200, 120_000);
const play = async (isNative: boolean) => {
  const before = shell.of('outcome').length;
  shell.say({ do: 'play', tile: TILE, isNative, tag: 1000 + before });
  await shell.waitFor('outcome', before + 1);
  return shell.of('outcome').at(-1);
};

beforeAll(async () => {
  // One after the other: what has started is ended, also where the other fails.
  screen = await VirtualScreen.start();
  independent = await startGstreamer();
  product = await Product.start();
  operator = await product.setUp(...OPERATOR);
  start();
  await shell.waitFor('told', 2);
  await shell.stop();
  await keepKey(product, profile, WEBKIT);
  start();
  await shell.waitFor('autoLogin');
  await waitFor('the sign-in', () => shell.told('account/status').length > 1, 60_000);
}, 300_000);

afterAll(async () => {
  await shell?.stop();
  screen?.stop();
  await product?.stop();
  await independent?.stop();
  home.remove();
});

it('plays H.265 of a camera of others, and tells its address to nobody', async () => {
  const { device } = await operator.ok('device/add', { target: independent.url('/h265'), deviceName: 'H.265' });
  const channel = { deviceSerial: device.deviceSerial, channelNo: 1 };
  await waitFor('the codec', async () => {
    const { codec } = await operator.ok('media/url', { ...channel, quality: 1 });
    return codec === 'h265';
  });
  await ask('live/start', { ...channel, window: TILE });
  await waitFor('the tile', async () => (await play(true))?.code === 200, 120_000);
  await expect.poll(places).toMatchObject([{ window: TILE, isCovered: false }]);
  await waitFor('its first frame', () => playing() > 0, 60_000);
  const log = [JSON.stringify(shell.events), shell.errors.join('\n')].join('\n');
  const commands = (await processesBelow(shell.pid)).map(({ command }) => command).join('\n');
  for (const text of [log, commands]) expect(text).not.toMatch(/rtsp:|(?<![\w-])[\w-]{43}(?![\w-])/);
});

it('is seen where the page leaves its place clear, and beneath what the page draws there', async () => {
  await waitFor('the picture on the screen', barsSeen, 30_000).finally(() => screen.shot('gtk-shell-h265'));
  screen.press('question');
  await expect.poll(places).toMatchObject([{ window: TILE, isCovered: true }]);
  await waitFor('the dialog over the picture', () => !barsSeen(), 60_000);
  screen.shot('gtk-shell-covered');
  const before = frames();
  screen.press('Escape');
  await waitFor('the picture again', barsSeen, 60_000);
  await waitFor('frames', () => frames() > before, 60_000);
  // It played on beneath the dialog.
  expect(shell.of('tile').filter(({ state }) => state === 'lost')).toEqual([]);
});
