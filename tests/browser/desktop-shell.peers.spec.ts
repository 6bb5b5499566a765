// The desktop shell around the real console: how it starts, answers, survives kills, and which servers it trusts.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { DesktopShellUnderTest, newHome, shellCommand, VirtualScreen } from '../harness/desktop-shell.ts';
import { processesNaming } from '../harness/processes.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { expectGreeting, expectMixedAnswers } from './mixed-requests.ts';
import { keepKey, profileText } from './shell-sign-in.ts';
import { OPERATOR } from './signed-in.ts';

let product: Product;
let screen: VirtualScreen;
let shell: DesktopShellUnderTest;
const home = newHome();
const profile = path.join(home.path, 'profile');
/** What runs with the profile: the shell, the browser and all of its processes. */
const running = () => processesNaming(profile);
const start = (server: string, ...more: string[]) => {
  shell = new DesktopShellUnderTest(screen, home.path, ['--server', server, '--profile', profile, ...more]);
};

beforeAll(async () => {
  // One after the other: what has started is ended, also where the other fails.
  screen = await VirtualScreen.start();
  product = await Product.start();
  await product.setUp(...OPERATOR);
}, 240_000);

afterEach(async () => {
  await shell?.stop();
  await waitFor('the end of every process', async () => (await running()).length === 0);
});

afterAll(async () => {
  screen?.stop();
  await product?.stop();
  home.remove();
});

it('[BR-01] [BR-04] tells the status of the account first, and answers 200 mixed requests once each and in order', async () => {
  start(product.url);
  await expectGreeting(shell);
  expect(statSync(profile).mode & 0o777).toBe(0o700);
  await expectMixedAnswers(shell);
});

it('a second start opens its window in the first shell', async () => {
  start(product.url);
  await shell.waitFor('told', 2);
  const second = new DesktopShellUnderTest(screen, home.path, ['--server', product.url, '--profile', profile]);
  expect(await once(second.process, 'exit')).toEqual([0, null]);
  expect(second.of('passedOn')).toHaveLength(1);
  await shell.waitFor('window', 2);
  await expect.poll(() => shell.told('account/status').length).toBe(2);
  expect(await shell.ask('system/info', {}, 1)).toMatchObject({ code: 200 });
  await expect.poll(() => shell.told('window/current').length).toBeGreaterThanOrEqual(2);
  screen.shot('desktop-shell-two-windows');
});

it('a killed page begins a new launch in its window; a killed browser comes back', async () => {
  start(product.url);
  await shell.waitFor('told', 2);
  const renderers = (await running()).filter(({ command }) => command.includes('--type=renderer'));
  expect(renderers.length).toBeGreaterThan(0);
  for (const { pid } of renderers) process.kill(pid, 'SIGKILL');
  await expect.poll(() => shell.told('account/status').length).toBe(2);
  expect(await shell.ask('system/info')).toMatchObject({ code: 200 });
  process.kill(shell.of('started')[0]?.browser ?? 0, 'SIGKILL');
  await shell.waitFor('browserEnded');
  await expect.poll(() => shell.told('account/status').length).toBe(3);
  expect(await shell.ask('system/info')).toMatchObject({ code: 200 });
});

it('[BR-02] signs in by its key after a restart, and nothing that opens a session lies in profile, process list or log', async () => {
  start(product.url);
  await shell.waitFor('told', 2);
  await shell.stop();
  const [, password] = OPERATOR;
  const kept = await keepKey(product, profile);
  const file = path.join(profile, 'sign-in-key.json');
  expect([kept, statSync(file).mode & 0o777]).toEqual(['file', 0o600]);

  start(product.url);
  await expect.poll(() => shell.told('account/status')).toEqual([{ status: 0 }, { status: 1 }]);
  await shell.waitFor('autoLogin');
  expect(shell.of('autoLogin')).toEqual([{ event: 'autoLogin', code: 200 }]);
  screen.shot('desktop-shell-signed-in');
  const commands = (await running()).map(({ command }) => command).join('\n');
  await shell.stop();
  for (const text of [commands, JSON.stringify(shell.events), shell.errors.join('\n')]) {
    expect(text).not.toContain(password);
    // As long as tokens and tickets are.
    expect(text).not.toMatch(/(?<![\w-])[\w-]{43}(?![\w-])|PRIVATE KEY/);
  }
  const left = await profileText(profile);
  expect(left).toContain('vedette.browserId');
  expect(left).not.toContain(password);
  expect(left).not.toMatch(/"accessToken":"[\w-]{43}"/);
});

it('leaves no process behind when it is killed itself', async () => {
  start(product.url);
  await shell.waitFor('told', 2);
  expect((await running()).length).toBeGreaterThan(2);
  shell.process.kill('SIGKILL');
  await expect.poll(running).toEqual([]);
});

it('trusts a certificate that no authority vouches for by its fingerprint alone', async () => {
  const [secure = ''] = product.ready.httpsUrls ?? [];
  start(secure);
  await shell.waitFor('server');
  const { kind, pin = '' } = shell.of('server')[0] ?? {};
  expect(kind).toBe('untrusted');
  screen.shot('desktop-shell-untrusted');
  await shell.stop();
  start(secure, '--trust', `${pin.slice(0, 20)}${pin[20] === 'A' ? 'B' : 'A'}${pin.slice(21)}`);
  await shell.waitFor('server');
  expect(shell.told('account/status')).toEqual([]);
  await shell.stop();
  start(secure, '--trust', pin);
  await shell.waitFor('told', 2);
  await shell.stop();
  // Kept in the profile.
  start(secure);
  await shell.waitFor('told', 2);
});

it('waits for a server that is away, and shows it when it is there', async () => {
  const { port } = new URL(product.url);
  const gate = createServer((socket) => socket.pipe(connect(Number(port), '127.0.0.1')).pipe(socket));
  gate.on('connection', (socket) => socket.on('error', () => undefined));
  await once(gate.listen(0, '127.0.0.1'), 'listening');
  const { port: away } = gate.address() as AddressInfo;
  await new Promise((resolve) => gate.close(resolve));
  start(`http://localhost:${away}`);
  await shell.waitFor('server');
  expect(shell.of('server')[0]).toMatchObject({ kind: 'away' });
  screen.shot('desktop-shell-away');
  await once(gate.listen(away, '127.0.0.1'), 'listening');
  await shell.waitFor('told');
  await shell.stop();
  gate.close();
});

it('refuses root, a profile of another user, and options that it does not know', async () => {
  const foreign = path.join(home.path, 'foreign');
  mkdirSync(foreign);
  // The shell runs as somebody else where tests run as root; else root's own folder is foreign.
  if (process.getuid?.() === 0) chownSync(foreign, 12_345, 12_345);
  for (const args of [
    ['--server', product.url, '--profile', foreign],
    ['--server', 'ftp://x'],
    ['--server', product.url, '--trust', 'me'],
    ['--fly'],
  ]) {
    shell = new DesktopShellUnderTest(screen, home.path, args);
    expect(await once(shell.process, 'exit'), args.join(' ')).toEqual([2, null]);
    expect(shell.errors).toHaveLength(1);
  }
  if (process.getuid?.() !== 0) return;
  const [program = '', ...args] = shellCommand(screen, home.path).command;
  const asRoot = spawnSync(program, [...args, '--server', product.url], { encoding: 'utf8' });
  expect(asRoot).toMatchObject({ status: 2, stdout: '', stderr: 'the shell does not run as root\n' });
});
