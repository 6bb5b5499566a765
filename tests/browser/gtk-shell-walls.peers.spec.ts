// Walls of the GTK shell on a desktop with two monitors: each fills the monitor that was named for it.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { GtkShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';
import { waitFor } from '../harness/wait-for.ts';
import { TwoMonitors } from '../harness/weston.ts';

const MAIN = '#3050a0';
const WALL = '#20a040';
/** As the console opens further walls: an empty window under their name, which is then led to its page. */
const POP_OUT =
  "const wall = window.open('', 'vedette-wall-2', 'popup,width=300,height=200'); wall.location.replace('/wall');";
const page = (colour: string, script: string) =>
  `<!doctype html><title>own</title><body style="margin:0;background:${colour}"><script>
  webkit.messageHandlers.vedette.postMessage({ id: 'status', url: '/api/v1.0/cs/account/status', data: { status: 0 }, nonce: String(Math.random()) });
  ${script}
</script>`;

const home = newHome();
let screen: VirtualScreen;
let monitors: TwoMonitors;
let own: Server;
let shell: GtkShellUnderTest;
const start = (address: string, ...more: string[]) => {
  const { port } = own.address() as AddressInfo;
  const args = ['--server', `http://127.0.0.1:${port}${address}`, '--notice-read', ...more];
  shell = new GtkShellUnderTest(screen, home.path, args, monitors.env);
};
const isFilled = (monitor: string, colour: string) => {
  const colours = monitors.colours(monitor);
  return colours.length > 0 && colours.every((one) => one === colour);
};

beforeAll(async () => {
  own = createServer((request, response) => {
    const [colour, script] = request.url === '/wall' ? [WALL, ''] : [MAIN, request.url === '/walls' ? POP_OUT : ''];
    response.setHeader('content-type', 'text/html').end(page(colour, script));
  }).listen(0, '127.0.0.1');
  await once(own, 'listening');
  screen = await VirtualScreen.start();
  monitors = await TwoMonitors.start(screen, home.path);
}, 120_000);

afterEach(async () => {
  await shell?.stop();
});

afterAll(() => {
  monitors?.stop();
  screen?.stop();
  own?.close();
  home.remove();
});

it('a wall that the page opens fills the monitor that was named for it', async () => {
  start('/walls', '--monitor', 'screen0', '--wall', 'screen1');
  await shell.waitFor('placed');
  expect(shell.of('monitors')[0]?.monitors?.map(({ name }) => name)).toEqual(['screen0', 'screen1']);
  expect(shell.of('window').map(({ isPopup, monitor }) => [isPopup, monitor])).toEqual([
    [false, 'screen0'],
    [true, null],
  ]);
  expect(shell.of('placed')).toEqual([{ event: 'placed', window: 1, monitor: 'screen1' }]);
  await waitFor('the wall on its monitor', () => isFilled('screen1', WALL), 120_000);
  await waitFor('the first window on its monitor', () => isFilled('screen0', MAIN), 120_000);
  screen.shot('gtk-shell-walls');
});

it('further windows fill the monitor that a driver names; one that is missing is said', async () => {
  start('/client.html', '--monitor', 'screen1');
  await waitFor('the first window on its monitor', () => isFilled('screen1', MAIN), 120_000);
  shell.say({ do: 'open', address: '/wall', monitor: 'screen0' });
  await waitFor('the second on the other', () => isFilled('screen0', WALL), 120_000);
  shell.say({ do: 'open', address: '/wall', monitor: 'screen7' });
  await shell.waitFor('failure');
  expect(shell.of('failure')).toEqual([{ event: 'failure', what: 'monitor', message: 'none is called screen7' }]);
  expect(shell.of('window').at(-1)).toMatchObject({ monitor: null });
});
