// The desktop shell around a hostile page: nothing of another origin is shown, and no message of it is heard.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DesktopShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';

/** Sends one message, and then what the address names. */
const page = (attack: string) => `<!doctype html><title>own</title><p>own page</p><script>
  const tell = (topic, data) => chrome.webview.postMessage({ id: topic + Math.random(), url: '/api/v1.0/cs/' + topic, data, nonce: 'N' });
  tell('account/status', { status: 0 });
  const foreign = new URLSearchParams(location.search).get('foreign');
  ${attack}
</script>`;
const ATTACKS: Readonly<Record<string, string>> = {
  location: 'location.href = foreign;',
  redirect: "location.href = '/elsewhere?to=' + encodeURIComponent(foreign);",
  open: 'window.open(foreign);',
  opener: "const other = window.open('about:blank'); other.location = foreign;",
  frame: "document.body.append(Object.assign(document.createElement('iframe'), { src: foreign }));",
  script: "location.href = 'javascript:location.href=\"' + foreign + '\"';",
  form: "const form = Object.assign(document.createElement('form'), { action: foreign, method: 'post' }); document.body.append(form); form.submit();",
  refresh:
    "document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=' + foreign }));",
};
/** Tries every way to the shell that a page has. */
const HOSTILE = `<!doctype html><script>
  const message = { id: 'evil', url: '/api/v1.0/cs/language/current', data: { lang: 0 } };
  for (const one of [window.chrome?.webview, window.parent?.chrome?.webview]) try { one?.postMessage(message); } catch { }
  try { window.vedetteNative?.(JSON.stringify(message)); } catch { }
</script>`;

let screen: VirtualScreen;
let shell: DesktopShellUnderTest;
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
    if (pathname === '/elsewhere') response.writeHead(302, { location: searchParams.get('to') ?? '' }).end();
    else response.setHeader('content-type', 'text/html').end(page(ATTACKS[pathname.slice(1)] ?? ''));
  }).listen(0, '127.0.0.1');
  await Promise.all([once(own, 'listening'), once(hostile, 'listening')]);
  screen = await VirtualScreen.start();
  // Without a click Chromium itself would stop new windows: here the shell has to.
  const program = path.join(home.path, 'browser');
  writeFileSync(program, '#!/bin/sh\nexec chromium --disable-popup-blocking "$@"\n', { mode: 0o755 });
  shell = new DesktopShellUnderTest(screen, home.path, ['--server', originOf(own), '--browser', program]);
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
  shell.say({ do: 'open', address: `/${attack}?foreign=${encodeURIComponent(`${originOf(hostile)}/${attack}`)}` });
  await expect.poll(() => shell.told('account/status').length).toBe(toldBefore + 1);
  await expect.poll(() => shell.of('refused').length).toBeGreaterThan(refusedBefore);
  expect(shell.of('refused').at(-1)).toMatchObject({ what: 'document', of: `${originOf(hostile)}/${attack}` });
  await expect.poll(windows).toBe(windowsBefore + 1);
  expect(hostileRequests).toEqual([]);
  expect(shell.told('language/current')).toEqual([]);
});

it('opens nothing but pages of its server when it is told to', async () => {
  const before = shell.of('refused').length;
  for (const address of [originOf(hostile), 'javascript:alert(1)', 'file:///etc/passwd', 'chrome://settings'])
    shell.say({ do: 'open', address });
  await expect.poll(() => shell.of('refused').length).toBe(before + 4);
  shell.say({ do: 'fly' });
  await shell.waitFor('badCommand');
  screen.shot('desktop-shell-own-pages');
});
