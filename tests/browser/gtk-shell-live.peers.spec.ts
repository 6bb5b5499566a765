// Live view in the GTK shell: a tile in H.265 that GStreamer plays above the page, at the place that the page says.
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
}

const TILE = 2;
const home = newHome();
const profile = path.join(home.path, 'profile');
let screen: VirtualScreen;
let product: Product;
let independent: GstreamerPeer;
let operator: ApiClient;
let shell: GtkShellUnderTest;

const start = () => {
  const args = ['--server', product.url, '--profile', profile, '--notice-read'];
  shell = new GtkShellUnderTest(screen, home.path, args);
};
const places = () =>
  (shell.told('window/current').at(-1) as { tileList?: readonly Place[] } | undefined)?.tileList ?? [];
const playing = () => shell.of('tile').filter(({ tile, state }) => tile === TILE && state === 'playing').length;
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
  screen.shot('gtk-shell-h265');
  const log = [JSON.stringify(shell.events), shell.errors.join('\n')].join('\n');
  const commands = (await processesBelow(shell.pid)).map(({ command }) => command).join('\n');
  for (const text of [log, commands]) expect(text).not.toMatch(/rtsp:|(?<![\w-])[\w-]{43}(?![\w-])/);
});
