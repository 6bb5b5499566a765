// The GTK shell around a hostile page: nothing of another origin is asked for or shown, and no message of it is heard.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GtkShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';
import { HostileSite } from '../harness/hostile-site.ts';
import { ATTACKS, attackingPage } from './shell-attacks.ts';

/** Beside those of every shell: the code, and what the shell says of it where that is not the foreign address. */
const MORE: Readonly<Record<string, readonly [code: string, refused?: string]>> = {
  frameRedirect: [
    "document.body.append(Object.assign(document.createElement('iframe'), { src: '/elsewhere?to=' + encodeURIComponent(foreign) }));",
  ],
  script: [ATTACKS['script'] ?? '', 'javascript:'],
  data: [
    "document.body.append(Object.assign(document.createElement('iframe'), { src: 'data:text/html,x' }));",
    'data:text/html,x',
  ],
};
/** Once: some refusals load the page again. */
const page = (attack: string) =>
  attackingPage(
    'webkit.messageHandlers.vedette.postMessage.bind(webkit.messageHandlers.vedette)',
    `const isFirst = sessionStorage.getItem(location.pathname) === null;
  sessionStorage.setItem(location.pathname, '1');
  if (isFirst) { ${attack} }`,
  );
const FRAMING =
  "addEventListener('message', () => tell('preset/result', { result: 1 })); document.body.append(Object.assign(document.createElement('iframe'), { src: '/framed' }));";
/** A frame of the server's own origin has no way to the shell either. */
const FRAMED = `<!doctype html><script>
  const message = { id: 'framed', url: '/api/v1.0/cs/language/current', data: { lang: 0 }, nonce: 'N' };
  try { webkit.messageHandlers.vedette.postMessage(message); } catch { }
  parent.postMessage('tried', '*');
</script>`;
const HOSTILE = FRAMED.replace('framed', 'evil');

let screen: VirtualScreen;
let shell: GtkShellUnderTest;
let site: HostileSite;
const home = newHome();
const windows = () => shell.of('window').length - shell.of('closed').length;
const ownPage = (path: string) => {
  const name = path.slice(1);
  if (name === 'framed') return FRAMED;
  return page(name === 'framing' ? FRAMING : (MORE[name]?.[0] ?? ATTACKS[name] ?? ''));
};

beforeAll(async () => {
  site = await HostileSite.start({ own: ownPage, foreign: HOSTILE });
  screen = await VirtualScreen.start();
  shell = new GtkShellUnderTest(screen, home.path, ['--server', site.origin, '--notice-read']);
  await shell.waitFor('told');
}, 120_000);

afterAll(async () => {
  await shell?.stop();
  screen?.stop();
  site?.stop();
  home.remove();
});

it.each(
  Object.keys({ ...ATTACKS, ...MORE }),
)('refuses %s to another origin, and leaves no window of it', async (attack) => {
  const toldBefore = shell.told('account/status').length;
  const windowsBefore = windows();
  const foreign = `${site.foreignOrigin}/${attack}`;
  shell.say({ do: 'open', address: `/${attack}?foreign=${encodeURIComponent(foreign)}` });
  await expect.poll(() => shell.told('account/status').length).toBeGreaterThan(toldBefore);
  const of = MORE[attack]?.[1] ?? foreign;
  // Of this attack: one before it may be refused late.
  const refusals = () => shell.of('refused').filter((one) => one.of === of);
  await expect.poll(refusals).toEqual([{ event: 'refused', what: 'document', of }]);
  await expect.poll(windows).toBe(windowsBefore + 1);
  expect(site.requests).toEqual([]);
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
  for (const address of [site.foreignOrigin, 'javascript:alert(1)', 'file:///etc/passwd', 'about:blank'])
    shell.say({ do: 'open', address });
  await expect.poll(() => shell.of('refused').length).toBe(before + 4);
  shell.say({ do: 'fly' });
  await shell.waitFor('badCommand');
});
