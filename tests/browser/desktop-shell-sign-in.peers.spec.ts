// The desktop shell signs somebody in at an identity provider: a button of the real console, the person's browser, and the loopback address of the shell.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DesktopShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';
import { openBrowser, openPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { StrangerProvider } from '../harness/stranger-provider.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { addProvider } from './identity-steps.ts';
import { OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const NAME = 'Head office';
const BUTTON = words['identity.signInWith'].replace('{name}', NAME);
const home = newHome();
const profile = path.join(home.path, 'profile');
const opened = path.join(home.path, 'opened');

let product: Product;
let stranger: StrangerProvider;
let browser: Browser;
let screen: VirtualScreen;
let shell: DesktopShellUnderTest;

beforeAll(async () => {
  screen = await VirtualScreen.start();
  [product, browser, stranger] = await Promise.all([Product.start(), openBrowser(), StrangerProvider.start()]);
  const operator = await product.setUp(...OPERATOR);
  await addProvider(operator, stranger, NAME);
  // What the desktop would open in the person's browser is written down.
  const programs = path.join(home.path, 'bin');
  mkdirSync(programs);
  writeFileSync(path.join(programs, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
  // The window of the shell is pressed by its tools for developers.
  const program = path.join(programs, 'browser');
  writeFileSync(program, `#!/bin/sh\nexec chromium --remote-debugging-port=0 "$@"\n`, { mode: 0o755 });
  const args = ['--server', product.url, '--profile', profile, '--browser', program];
  shell = new DesktopShellUnderTest(screen, home.path, args, { PATH: `${programs}:${process.env['PATH']}` });
  await shell.waitFor('told', 2);
}, 240_000);

afterAll(async () => {
  await shell?.stop();
  await browser?.close();
  screen?.stop();
  await product?.stop();
  stranger?.stop();
  home.remove();
});

async function windowOfShell(): Promise<Page> {
  const [port] = readFileSync(path.join(profile, 'browser', 'DevToolsActivePort'), 'utf8').split('\n');
  const joined = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  return await waitFor('the window', () => joined.contexts().flatMap((context) => context.pages())[0]);
}

it('by the browser that it opens, and its window never shows a page of the provider', async () => {
  stranger.user = { sub: 'anna', preferred_username: 'anna' };
  const window = await windowOfShell();
  await window.getByRole('button', { name: BUTTON }).click();
  await window.getByText(words['identity.clientWaiting']).waitFor();
  screen.shot('desktop-shell-provider-waiting');
  await waitFor('the address', () => existsSync(opened) && readFileSync(opened, 'utf8').length > 0);
  const address = new URL(readFileSync(opened, 'utf8'));
  expect(address.origin).toBe(new URL(product.url).origin);
  const person = await openPage(browser);
  await person.page.goto(address.href);
  await person.page.getByRole('button', { name: BUTTON }).click();
  await person.page.getByText(words['identity.clientDone']).waitFor();
  await shell.waitFor('providerSignIn');
  expect(shell.of('providerSignIn')).toEqual([{ event: 'providerSignIn', code: 200 }]);
  await waitFor('the status', () => shell.told('account/status').length === 2);
  expect(shell.told('account/status')).toEqual([{ status: 0 }, { status: 1 }]);
  screen.shot('desktop-shell-provider-signed-in');
  expect(shell.of('refused')).toEqual([]);
  const said = JSON.stringify(shell.events) + shell.errors.join('\n');
  expect(said, 'no ticket and no word').not.toMatch(/(?<![\w-])[\w-]{43}(?![\w-])/);
  await person.close();
});
