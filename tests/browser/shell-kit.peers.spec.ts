// The kit for shells: green for a right shell, the desktop shell and the GTK shell, red for shells that are wrong in one way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GtkShellUnderTest, newHome, shellCommand, VirtualScreen } from '../harness/desktop-shell.ts';

const root = new URL('../../', import.meta.url).pathname;
const home = newHome();
let screen: VirtualScreen;

beforeAll(async () => {
  screen = await VirtualScreen.start();
});

afterAll(() => {
  screen?.stop();
  home.remove();
});

/** The lines of TAP, and the exit code. */
async function check(command: readonly string[], as: object = {}) {
  const kit = spawn(process.execPath, [`${root}shells/main-check-shell.ts`, '--', ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...as,
  });
  const parts: Buffer[] = [];
  kit.stdout.on('data', (part: Buffer) => parts.push(part));
  const [code] = (await once(kit, 'close')) as [number | null];
  const lines = Buffer.concat(parts).toString().split('\n');
  return { code, lines, red: lines.flatMap((line) => /^not ok \d+ - (.*)$/.exec(line)?.[1] ?? []) };
}

const smallShell = (mutant: string) => [process.execPath, `${root}tests/peers/small-shell.ts`, '{url}', mutant];

it('is green for a right shell', async () => {
  const { code, lines, red } = await check(smallShell('none'));
  expect(red, lines.join('\n')).toEqual([]);
  expect(code).toBe(0);
  expect(lines.slice(0, 3)).toEqual(['TAP version 14', '1..12', 'ok 1 - loads the page with a transport']);
});

it('is green for the desktop shell', async () => {
  const { command, options } = shellCommand(screen, home.path);
  const { code, lines, red } = await check([...command, '--server', '{url}'], options);
  expect(red, lines.join('\n')).toEqual([]);
  expect(code).toBe(0);
});

it('is green for the GTK shell', async () => {
  const { command, options } = shellCommand(screen, home.path, {}, GtkShellUnderTest.entry);
  const { code, lines, red } = await check([...command, '--server', '{url}', '--notice-read'], options);
  expect(red, lines.join('\n')).toEqual([]);
  expect(code).toBe(0);
});

it.each([
  ['noLock', 'refuses another origin by location'],
  ['wrongId', 'answers the status and the handshake'],
  ['late', 'answers the status and the handshake'],
  ['twice', 'answers 200 mixed requests, each once and in order'],
  ['swapped', 'answers 200 mixed requests, each once and in order'],
  ['oldWord', 'takes the word of a new launch'],
])('is red for a shell with %s', async (mutant, name) => {
  const { code, red } = await check(smallShell(mutant));
  expect(red).toContain(name);
  expect(code).toBe(1);
});
