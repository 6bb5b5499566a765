// The GTK shell around a hostile page: nothing of another origin is asked for or shown, and no message of it is heard.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GtkShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';

/** Sends one message, and then once what the address names: some refusals load the page again. */
const page = (attack: string) => `<!doctype html><title>own</title><p>own page</p><script>
  const tell = (topic, data) => webkit.messageHandlers.vedette.postMessage({ id: topic + Math.random(), url: '/api/v1.0/cs/' + topic, data, nonce: 'N' });
  tell('account/status', { status: 0 });
  const foreign = new URLSearchParams(location.search).get('foreign');
  const isFirst = sessionStorage.getItem(location.pathname) === null;
  sessionStorage.setItem(location.pathname, '1');
  if (isFirst) { ${attack} }
</script>`;
/** By name; what the shell says of it where that is not the foreign address. */
const ATTACKS: Readonly<Record<string, readonly [code: string, refused?: string]>> = {
  location: ['location.href = foreign;'],
  redirect: ["location.href = '/elsewhere?to=' + encodeURIComponent(foreign);"],
  open: ['window.open(foreign);'],
  opener: ["const other = window.open('about:blank'); other.location = foreign;"],
  frame: ["document.body.append(Object.assign(document.createElement('iframe'), { src: foreign }));"],
  frameRedirect: [
    "document.body.append(Object.assign(document.createElement('iframe'), { src: '/elsewhere?to=' + encodeURIComponent(foreign) }));",
  ],
  script: ["location.href = 'javascript:location.href=\"' + foreign + '\"';", 'javascript:'],
  data: [
    "document.body.append(Object.assign(document.createElement('iframe'), { src: 'data:text/html,x' }));",
    'data:text/html,x',
  ],
  form: [
    "const form = Object.assign(document.createElement('form'), { action: foreign, method: 'post' }); document.body.append(form); form.submit();",
  ],
  refresh: [
    "document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=' + foreign }));",
  ],
};
/** A frame of the server's own origin has no way to the shell either. */
const FRAMED = `<!doctype html><script>
  const message = { id: 'framed', url: '/api/v1.0/cs/language/current', data: { lang: 0 }, nonce: 'N' };
  try { webkit.messageHandlers.vedette.postMessage(message); } catch { }
  parent.postMessage('tried', '*');
</script>`;
const HOSTILE = FRAMED.replace('framed', 'evil');

let screen: VirtualScreen;
let shell: GtkShellUnderTest;
let own: Server;
let hostile: Server;
const hostileRequests: string[] = [];
const home = newHome();
const windows = () => shell.of('window').length - shell.of('closed').length;
const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  hostile = createServer((request, response) => {
    hostileRequests.push(request.url ?? '');
    response.setHeader('content-type', 'text/html').end(HOSTILE);
  }).listen(0, '127.0.0.1');
  own = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://own');
    if (pathname === '/elsewhere')
      return void response.writeHead(302, { location: searchParams.get('to') ?? '' }).end();
    response.setHeader('content-type', 'text/html');
    if (pathname === '/framed') return void response.end(FRAMED);
    if (pathname === '/framing')
      return void response.end(
        page(
          "addEventListener('message', () => tell('preset/result', { result: 1 })); document.body.append(Object.assign(document.createElement('iframe'), { src: '/framed' }));",
        ),
      );
    response.end(page(ATTACKS[pathname.slice(1)]?.[0] ?? ''));
  }).listen(0, '127.0.0.1');
  await Promise.all([once(own, 'listening'), once(hostile, 'listening')]);
  screen = await VirtualScreen.start();
  shell = new GtkShellUnderTest(screen, home.path, ['--server', originOf(own), '--notice-read']);
  await shell.waitFor('told');
}, 120_000);

afterAll(async () => {
  await shell?.stop();
  screen?.stop();
  own?.close();
  hostile?.close();
  home.remove();
});

it.each(Object.keys(ATTACKS))('refuses %s to another origin, and leaves no window of it', async (attack) => {
  const [refusedBefore, toldBefore] = [shell.of('refused').length, shell.told('account/status').length];
  const windowsBefore = windows();
  const foreign = `${originOf(hostile)}/${attack}`;
  shell.say({ do: 'open', address: `/${attack}?foreign=${encodeURIComponent(foreign)}` });
  await expect.poll(() => shell.told('account/status').length).toBeGreaterThan(toldBefore);
  await expect.poll(() => shell.of('refused').length).toBeGreaterThan(refusedBefore);
  const of = ATTACKS[attack]?.[1] ?? foreign;
  expect(shell.of('refused').slice(refusedBefore)).toEqual([{ event: 'refused', what: 'document', of }]);
  await expect.poll(windows).toBe(windowsBefore + 1);
  expect(hostileRequests).toEqual([]);
  expect(shell.told('language/current')).toEqual([]);
});

it('hears no frame, of its own server neither', async () => {
  shell.say({ do: 'open', address: '/framing' });
  // The page says it once the frame has tried.
  await expect.poll(() => shell.told('preset/result')).toEqual([{ result: 1 }]);
  expect(shell.told('language/current')).toEqual([]);
});

it('opens nothing but pages of its server when it is told to', async () => {
  const before = shell.of('refused').length;
  for (const address of [originOf(hostile), 'javascript:alert(1)', 'file:///etc/passwd', 'about:blank'])
    shell.say({ do: 'open', address });
  await expect.poll(() => shell.of('refused').length).toBe(before + 4);
  shell.say({ do: 'fly' });
  await shell.waitFor('badCommand');
});
