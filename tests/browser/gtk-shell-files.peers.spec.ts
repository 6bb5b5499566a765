// Files that pages of the GTK shell save: a dialog asks for the name, with a download of the server and with a blob of the page.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { GtkShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';
import { waitFor } from '../harness/wait-for.ts';

const REPORT = 'what the server has\n';
const BLOB = 'what the page made\n';
const page = (script: string) => `<!doctype html><title>own</title><p>own page</p><script>
  webkit.messageHandlers.vedette.postMessage({ id: 'status', url: '/api/v1.0/cs/account/status', data: { status: 0 }, nonce: 'N' });
  ${script}
</script>`;
const PAGES: Readonly<Record<string, string>> = {
  '/server': page("location.href = '/report';"),
  '/blob': page(
    `const link = Object.assign(document.createElement('a'), { download: '../made.txt', href: URL.createObjectURL(new Blob([${JSON.stringify(BLOB)}])) }); link.click();`,
  ),
};

const home = newHome();
let screen: VirtualScreen;
let own: Server;
let shell: GtkShellUnderTest;
/** GTK gives it the name of the program. */
const isDialogShown = () => screen.titles().includes('vedette-gtk-shell');
const start = async (address: string) => {
  const { port } = own.address() as AddressInfo;
  shell = new GtkShellUnderTest(screen, home.path, ['--server', `http://127.0.0.1:${port}${address}`, '--notice-read']);
  await shell.waitFor('told');
  await waitFor('the dialog', isDialogShown, 60_000);
};
const saveAs = async (name: string): Promise<string> => {
  const file = path.join(home.path, name);
  screen.press('ctrl+a');
  screen.type(file);
  screen.press('Return');
  return await waitFor('the file', () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined), 60_000);
};

beforeAll(async () => {
  own = createServer((request, response) => {
    if (request.url === '/report')
      response.setHeader('content-disposition', 'attachment; filename="../report.txt"').end(REPORT);
    else response.setHeader('content-type', 'text/html').end(PAGES[request.url ?? ''] ?? '');
  }).listen(0, '127.0.0.1');
  await once(own, 'listening');
  screen = await VirtualScreen.start();
}, 60_000);

afterEach(async () => {
  await shell?.stop();
});

afterAll(() => {
  screen?.stop();
  own?.close();
  home.remove();
});

it('saves a download of the server under the name that the person gives it', async () => {
  await start('/server');
  screen.shot('gtk-shell-save');
  expect(await saveAs('kept report.txt')).toBe(REPORT);
});

it('saves a blob of the page', async () => {
  await start('/blob');
  expect(await saveAs('kept blob.txt')).toBe(BLOB);
});

it('saves nothing when the person does not want it', async () => {
  await start('/server');
  screen.press('Escape');
  await waitFor('the end of the dialog', () => !isDialogShown());
  expect(existsSync(path.join(home.path, 'report.txt'))).toBe(false);
});
