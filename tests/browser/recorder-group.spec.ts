// Recorder groups in a browser: made, a site taken over and shown as such, its cameras returned; both languages, both themes.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { RecorderGroupRig } from '../harness/recorder-group.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const PATH = '/homepage/system?section=sites';
const [OWNER, SPARE] = [0, 1] as const;

let rig: RecorderGroupRig;
let virtual: VirtualSite;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [rig, virtual, browser] = await Promise.all([
    RecorderGroupRig.start(3, { hasConsole: true, account: OPERATOR }),
    startVirtualSite(),
    openBrowser(),
  ]);
  const { target, user, password } = virtual.devices.find(({ kind }) => kind === 'camera') as VirtualDevice;
  await rig.operator.ok('device/add', { target, user, password, siteId: rig.site(OWNER).siteId, deviceName: 'Quay' });
  watched = await openSignedIn(browser, rig.product, { path: PATH });
  page = watched.page;
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await rig?.stop();
  await virtual?.stop();
});

const group = () => page.getByRole('region', { name: 'Quay group', exact: true });

it('makes a group of the sites that are chosen, with its spare', async () => {
  await page.getByRole('button', { name: words['groups.add'] }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: words['common.save'] }).click();
  await dialog.getByText(words['sites.nameRequired']).waitFor();
  await dialog.getByText(words['groups.tooFew']).waitFor();
  await dialog.getByLabel(words['sites.name']).fill('Quay group');
  for (const name of ['Site 1', 'Site 2', 'Site 3']) await dialog.getByRole('checkbox', { name }).check();
  await expectNoProblems(watched, 'groups-dialog');
  await dialog.getByRole('button', { name: words['common.save'] }).click();
  await group().getByText(words['groups.state_ready']).nth(2).waitFor();
  await expectNoProblems(watched, 'groups-ready');
  expect((await rig.member(SPARE)).isSpare).toBe(true);
});

it('shows that a site was taken over and by whom', async () => {
  await rig.site(OWNER).process.crash();
  await group().getByText(words['groups.state_takenOver']).waitFor({ timeout: 30_000 });
  await group().getByText('1 camera at Site').waitFor();
  await expectNoProblems(watched, 'groups-taken');
}, 60_000);

it('returns the cameras of a site that is back', async () => {
  await rig.site(OWNER).process.start();
  const bring = group().getByRole('button', { name: words['groups.return'] });
  await bring.waitFor({ timeout: 45_000 });
  await expectNoProblems(watched, 'groups-back');
  const light = await openSignedIn(browser, rig.product, { path: PATH, locale: 'zh-CN', colorScheme: 'light' });
  const there = LANGUAGES.find(({ locale }) => locale === 'zh-CN')?.words ?? words;
  await light.page.getByRole('button', { name: there['groups.return'] }).waitFor();
  await expectNoProblems(light, 'groups-back-light-zh');
  await bring.click();
  await group().getByText(words['groups.state_takenOver']).waitFor({ state: 'detached', timeout: 30_000 });
  await waitFor('the camera to be at home', async () => (await rig.member(OWNER)).cameraTotal === 1);
  await light.page.getByText(there['groups.state_ready']).nth(2).waitFor();
  await expectNoProblems(light, 'groups-light-zh');
  await light.close();
  await watched.close();
}, 120_000);
