// The desktop shell around a hostile page: nothing of another origin is shown, and no message of it is heard.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DesktopShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';
import { HostileSite } from '../harness/hostile-site.ts';
import { ATTACKS, attackingPage } from './shell-attacks.ts';

/** Tries every way to the shell that a page has. */
const HOSTILE = `<!doctype html><script>
  const message = { id: 'evil', url: '/api/v1.0/cs/language/current', data: { lang: 0 } };
  for (const one of [window.chrome?.webview, window.parent?.chrome?.webview]) try { one?.postMessage(message); } catch { }
  try { window.vedetteNative?.(JSON.stringify(message)); } catch { }
</script>`;

let screen: VirtualScreen;
let shell: DesktopShellUnderTest;
let site: HostileSite;
const home = newHome();
/** The browser has pages of its own, such as its address bar's, that the shell refuses too. */
const refusalsOf = (address: string) => shell.of('refused').filter(({ of }) => of === address);
const windows = () => shell.of('window').length - shell.of('closed').length;

beforeAll(async () => {
  site = await HostileSite.start({
    own: (path) => attackingPage('chrome.webview.postMessage', ATTACKS[path.slice(1)] ?? ''),
    foreign: HOSTILE,
  });
  screen = await VirtualScreen.start();
  // Without a click Chromium itself would stop new windows: here the shell has to.
  const program = path.join(home.path, 'browser');
  writeFileSync(program, '#!/bin/sh\nexec chromium --disable-popup-blocking "$@"\n', { mode: 0o755 });
  shell = new DesktopShellUnderTest(screen, home.path, ['--server', site.origin, '--browser', program]);
  await shell.waitFor('told');
}, 120_000);

afterAll(async () => {
  await shell?.stop();
  screen?.stop();
  site?.stop();
  home.remove();
});

it.each(Object.keys(ATTACKS))('refuses %s to another origin, and leaves no window of it', async (attack) => {
  const foreign = `${site.foreignOrigin}/${attack}`;
  const toldBefore = shell.told('account/status').length;
  const windowsBefore = windows();
  shell.say({ do: 'open', address: `/${attack}?foreign=${encodeURIComponent(foreign)}` });
  await expect.poll(() => shell.told('account/status').length).toBe(toldBefore + 1);
  await expect.poll(() => refusalsOf(foreign).map(({ what }) => what)).toContain('document');
  await expect.poll(windows).toBe(windowsBefore + 1);
  expect(site.requests).toEqual([]);
  expect(shell.told('language/current')).toEqual([]);
});

it('opens nothing but pages of its server when it is told to', async () => {
  const addresses = [site.foreignOrigin, 'javascript:alert(1)', 'file:///etc/passwd', 'chrome://settings'];
  for (const address of addresses) shell.say({ do: 'open', address });
  for (const address of addresses) await expect.poll(() => refusalsOf(address).length).toBeGreaterThan(0);
  shell.say({ do: 'fly' });
  await shell.waitFor('badCommand');
  screen.shot('desktop-shell-own-pages');
});
