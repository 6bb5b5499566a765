// The GTK shell around the real console: what it says of its engine, how it starts, answers, signs in and survives kills.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { GtkShellUnderTest, newHome, shellCommand, VirtualScreen } from '../harness/desktop-shell.ts';
import { processesBelow, processesNaming } from '../harness/processes.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectGreeting, expectMixedAnswers } from './mixed-requests.ts';
import { keepKey, profileText, WEBKIT } from './shell-sign-in.ts';
import { OPERATOR } from './signed-in.ts';

let product: Product;
let screen: VirtualScreen;
let shell: GtkShellUnderTest;
const home = newHome();
const profile = path.join(home.path, 'profile');
const start = (server: string, ...more: string[]) => {
  const args = ['--server', server, '--profile', profile, ...more];
  shell = new GtkShellUnderTest(screen, home.path, args);
};
/** Without those that ended and were not fetched by their parent: they have no command line any more. */
const alive = async (pids: readonly number[]) =>
  (await processesNaming(' ')).map(({ pid }) => pid).filter((pid) => pids.includes(pid));
const pidsBelow = async () => (await processesBelow(shell.pid)).map(({ pid }) => pid);

beforeAll(async () => {
  // One after the other: what has started is ended, also where the other fails.
  screen = await VirtualScreen.start();
  product = await Product.start();
  await product.setUp(...OPERATOR);
}, 240_000);

afterEach(async () => {
  await shell?.stop();
  await waitFor('the end of every process', async () => (await processesNaming(profile)).length === 0);
});

afterAll(async () => {
  screen?.stop();
  await product?.stop();
  home.remove();
});

it('says what the distribution says of WebKitGTK before any page of the server, and goes on when the person does', async () => {
  start(product.url);
  await shell.waitFor('notice');
  expect(shell.of('started')[0]).toMatchObject({ webKit: expect.stringMatching(/^2\.\d+\.\d+$/) });
  // Nothing of the server is shown before: its pages would greet the shell.
  expect(shell.told('account/status')).toEqual([]);
  // Drawn by the processor, beside other tests.
  await waitFor('the notice', () => screen.hasColour('#d5dde5'), 120_000);
  screen.shot('gtk-shell-notice');
  // The link is the only thing on the page that has the focus by Tab.
  screen.press('Tab', 'Return');
  await shell.waitFor('told', 2);
  await shell.stop();
  start(product.url);
  await shell.waitFor('told', 2);
  expect(shell.of('notice')).toEqual([]);
});

it('[BR-01] [BR-04] tells the status of the account first, and answers 200 mixed requests once each and in order', async () => {
  start(product.url, '--notice-read');
  await expectGreeting(shell);
  expect(statSync(profile).mode & 0o777).toBe(0o700);
  await expectMixedAnswers(shell);
  screen.shot('gtk-shell-sign-in');
});

it('a second start opens its window in the first shell', async () => {
  start(product.url, '--notice-read');
  await shell.waitFor('told', 2);
  const second = new GtkShellUnderTest(screen, home.path, ['--server', product.url, '--profile', profile]);
  expect(await once(second.process, 'exit')).toEqual([0, null]);
  expect(second.of('passedOn')).toHaveLength(1);
  await shell.waitFor('window', 2);
  await expect.poll(() => shell.told('account/status').length).toBe(2);
  expect(await shell.ask('system/info', {}, 1)).toMatchObject({ code: 200 });
});

it('a killed page begins a new launch in its window; a killed view comes back', async () => {
  start(product.url, '--notice-read');
  await shell.waitFor('told', 2);
  // In its sandbox: the one with the page, not those that hold the sandbox.
  const pages = (await processesBelow(shell.pid)).filter(({ command }) => /^\S*WebKitWebProcess /.test(command));
  expect(pages.length).toBeGreaterThan(0);
  for (const { pid } of pages) process.kill(pid, 'SIGKILL');
  await shell.waitFor('crashed');
  await expect.poll(() => shell.told('account/status').length).toBe(2);
  expect(await shell.ask('system/info')).toMatchObject({ code: 200 });
  process.kill(shell.of('started')[0]?.view ?? 0, 'SIGKILL');
  await shell.waitFor('viewEnded');
  await expect.poll(() => shell.told('account/status').length).toBe(3);
  expect(await shell.ask('system/info')).toMatchObject({ code: 200 });
});

it('[BR-02] signs in by its key after a restart, and nothing that opens a session lies in profile, process list or log', async () => {
  start(product.url, '--notice-read');
  await shell.waitFor('told', 2);
  await shell.stop();
  const [, password] = OPERATOR;
  expect(await keepKey(product, profile, WEBKIT)).toBe('file');

  start(product.url, '--notice-read');
  await expect.poll(() => shell.told('account/status')).toEqual([{ status: 0 }, { status: 1 }]);
  await shell.waitFor('autoLogin');
  expect(shell.of('autoLogin')).toEqual([{ event: 'autoLogin', code: 200 }]);
  const commands = (await processesBelow(shell.pid)).map(({ command }) => command).join('\n');
  await shell.stop();
  // As long as tokens and tickets are.
  const secret = /(?<![\w-])[\w-]{43}(?![\w-])|PRIVATE KEY/;
  const left = await profileText(profile, WEBKIT);
  expect(left).toContain('vedette.browserId');
  expect(left).not.toMatch(/accessToken.{1,8}?[\w-]{43}/s);
  for (const text of [commands, JSON.stringify(shell.events), shell.errors.join('\n')])
    expect(text).not.toMatch(secret);
  for (const text of [commands, JSON.stringify(shell.events), shell.errors.join('\n'), left])
    expect(text).not.toContain(password);
});

it('leaves no process behind when it is killed itself, nor when its view is and it ends', async () => {
  start(product.url, '--notice-read');
  await shell.waitFor('told', 2);
  const pids = await pidsBelow();
  // The view, its network and its page, and what holds the sandbox.
  expect(pids.length).toBeGreaterThan(3);
  shell.process.kill('SIGKILL');
  await expect.poll(() => alive(pids)).toEqual([]);
  start(product.url, '--notice-read');
  await shell.waitFor('told', 2);
  const again = await pidsBelow();
  await shell.stop();
  await expect.poll(() => alive(again)).toEqual([]);
});

it('trusts a certificate that no authority vouches for by its fingerprint alone', async () => {
  const [secure = ''] = product.ready.httpsUrls ?? [];
  start(secure, '--notice-read');
  await shell.waitFor('server');
  const { kind, pin = '' } = shell.of('server')[0] ?? {};
  expect(kind).toBe('untrusted');
  await shell.stop();
  start(secure, '--notice-read', '--trust', `${pin.slice(0, 20)}${pin[20] === 'A' ? 'B' : 'A'}${pin.slice(21)}`);
  await shell.waitFor('server');
  expect(shell.told('account/status')).toEqual([]);
  await shell.stop();
  start(secure, '--notice-read', '--trust', pin);
  await shell.waitFor('told', 2);
});

it('refuses root and options that it does not know, and says what is missing', async () => {
  const without = path.join(home.path, 'without');
  mkdirSync(without);
  const broken = path.join(home.path, 'broken');
  mkdirSync(broken);
  // As GJS is where the libraries are not.
  writeFileSync(path.join(broken, 'gjs'), `#!/bin/sh\necho '{"missing":["WebKit-6.0"],"webKit":null}'\n`);
  chmodSync(path.join(broken, 'gjs'), 0o755);
  for (const [args, env, words] of [
    [['--fly'], {}, /--fly/],
    [['--server', product.url], { PATH: without }, /^GJS is not installed\. On Debian: apt-get install gjs /],
    [['--server', product.url], { PATH: `${broken}:/bin` }, /^GJS does not find WebKit-6\.0\. On Debian: apt-get/],
  ] as const) {
    shell = new GtkShellUnderTest(screen, home.path, args, env);
    expect(await once(shell.process, 'exit'), args.join(' ')).toEqual([2, null]);
    expect(shell.errors).toEqual([expect.stringMatching(words)]);
  }
  if (process.getuid?.() !== 0) return;
  const [program = '', ...args] = shellCommand(screen, home.path, {}, GtkShellUnderTest.entry).command;
  const asRoot = spawnSync(program, [...args, '--server', product.url], { encoding: 'utf8' });
  expect(asRoot).toMatchObject({ status: 2, stdout: '', stderr: 'the shell does not run as root\n' });
});
