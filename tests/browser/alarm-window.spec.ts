// A rule shows the camera of an alarm on live walls: where it goes, how it ends, what it leaves alone.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { choose } from './alarm-setup-steps.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const WALL = '/homepage/liveVideo';
const GUARD = ['guard', 'Visit-2026'] as const;
const SHOWN_S = 8;
/** Longer than any test waits. */
const LONG_S = 300;

let product: Product;
let browser: Browser;
let cameras: VirtualSite;
let operator: ApiClient;
let serials: string[];
let names: string[];

beforeAll(async () => {
  [product, browser, cameras] = await Promise.all([
    Product.start(),
    openBrowser(),
    startVirtualSite(['--cameras', '3']),
  ]);
  operator = await product.setUp(...OPERATOR);
  serials = (await addAll(operator, cameras.devices)).map(({ deviceSerial }) => deviceSerial);
  names = cameras.devices.map(({ name }) => name);
  for (const serial of serials) await command(serial, 'events', { watchesScenes: false });
  await operator.ok('user/add', { username: GUARD[0], password: GUARD[1], userType: 2 });
  const items = serials.map((deviceSerial) => ({ deviceSerial, channelNo: 1 }));
  await operator.ok('share/add', { account: GUARD[0], items, permission: ['alarmPush', 'videoView'] });
  await waitFor(
    'all cameras to be listened to',
    async () => (await subscriptions()).every((count) => count > 0),
    30_000,
  );
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), cameras?.stop()]);
});

async function subscriptions(): Promise<number[]> {
  const answer = await fetch(`${cameras.controlUrl}/state`);
  const { devices } = (await answer.json()) as { devices: { subscriptions: number }[] };
  return devices.map((device) => device.subscriptions);
}

async function command(serial: string | undefined, name: string, input: object): Promise<void> {
  const url = `${cameras.controlUrl}/devices/${serial}/${name}`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`);
}

async function raise(camera: number, topic: RaisedAlarmType): Promise<void> {
  await command(serials[camera], 'raise', { topic, channelNo: 1 });
}

/** A live wall of one window with this camera. */
async function openWall(camera: number, account = OPERATOR as readonly [string, string]): Promise<WatchedPage> {
  const wall = await openSignedIn(browser, product, { path: WALL, account });
  await wall.page.getByRole('treeitem', { name: names[camera] ?? '' }).dblclick();
  await wall.page.keyboard.press('1');
  await shows(wall.page, camera);
  return wall;
}

const tile = (page: Page): Locator => page.locator('[data-cell]:not([data-warm])');
const mark = (page: Page): Locator => page.locator('[data-alarm-window]');

async function shows(page: Page, camera: number): Promise<void> {
  await tile(page)
    .getByRole('button', { name: names[camera] ?? '' })
    .first()
    .waitFor();
  await page.locator('[data-cell][data-state=live]').first().waitFor({ timeout: 45_000 });
}

async function addRule(type: RaisedAlarmType, walls: 'own' | 'viewers'): Promise<void> {
  await operator.ok('alarm/rule/save', {
    name: type,
    isEnabled: true,
    types: [type],
    groups: [],
    leastSeverity: 'info',
    sources: [],
    plan: null,
    timeZone: 'UTC',
    pauseS: 0,
    actions: [{ kind: 'wall', seconds: LONG_S, walls }],
  });
}

it('a rule made by its form shows the camera of an alarm for its time, then the former camera again', async () => {
  const rules = await openSignedIn(browser, product, { path: '/homepage/alarmMsg?view=rules' });
  await rules.page.getByRole('button', { name: words['alarmRules.add'] }).first().click();
  const form = rules.page.getByRole('complementary', { name: words['alarmRules.new'] });
  await form.getByLabel(words['alarmRules.name'], { exact: true }).fill('Fire on walls');
  await choose(rules.page, words['alarmRules.addKind'], words.alarmType_FireAlarm);
  await form.getByRole('button', { name: words['alarmRules.action_wall'] }).click();
  await choose(rules.page, words['alarmRules.walls'], words['alarmRules.walls_viewers']);
  await form.getByLabel(words['alarmRules.recordFor'], { exact: true }).fill(String(SHOWN_S));
  await expectNoProblems(rules, 'alarm-window-rule');
  await form.getByRole('button', { name: words['alarmRules.save'] }).click();
  await rules.page.locator('[data-rule="Fire on walls"]').waitFor();
  await rules.close();
  const [mine, theirs] = [await openWall(1), await openWall(2, GUARD)];
  await raise(0, 'FireAlarm');
  for (const wall of [mine, theirs]) {
    await mark(wall.page).getByText(words.alarmType_FireAlarm).waitFor();
    await shows(wall.page, 0);
  }
  await expectNoProblems(mine, 'alarm-window');
  await mark(mine.page).waitFor({ state: 'detached', timeout: 2 * SHOWN_S * 1000 });
  await shows(mine.page, 1);
  await mark(theirs.page).waitFor({ state: 'detached', timeout: 2 * SHOWN_S * 1000 });
  await shows(theirs.page, 2);
  await mine.close();
  await theirs.close();
});

it('takes a free window first, is dismissed or kept, and a kept one can be undone', async () => {
  await addRule('GlassBreak', 'own');
  const wall = await openWall(1);
  const { page } = wall;
  await page.keyboard.press('2');
  await raise(0, 'GlassBreak');
  await mark(page).waitFor();
  expect(
    await tile(page)
      .locator('[data-handle]')
      .evaluateAll((all) => all.map((one) => one.ariaLabel)),
  ).toEqual([
    expect.stringContaining(names[1] ?? ''),
    expect.stringContaining(names[0] ?? ''),
    expect.not.stringContaining(':'),
    expect.not.stringContaining(':'),
  ]);
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await mark(page).getByRole('button', { name: words['live.alarmWindowDismiss'] }).click();
  await mark(page).waitFor({ state: 'detached' });
  await page.locator('[data-state=empty]').nth(2).waitFor();
  await page.keyboard.press('1');
  await raise(2, 'GlassBreak');
  await mark(page).getByRole('button', { name: words['live.alarmWindowKeep'] }).click();
  await mark(page).waitFor({ state: 'detached' });
  await page.reload();
  await shows(page, 2);
  await raise(1, 'GlassBreak');
  await mark(page).getByRole('button', { name: words['live.alarmWindowKeep'] }).click();
  await shows(page, 1);
  await page.keyboard.press('Control+z');
  await shows(page, 2);
  await wall.close();
});

it('leaves a window alone that is recorded by hand or fills the wall, and is not there after a reload', async () => {
  await addRule('SmokeAlarm', 'own');
  const [recorded, maximised, idle] = [await openWall(1), await openWall(1), await openWall(1)];
  await recorded.page.keyboard.press('r');
  await recorded.page.getByText(words['live.recordMark'], { exact: true }).waitFor();
  await tile(maximised.page).click();
  await maximised.page.keyboard.press('Enter');
  await maximised.page.locator('[data-maximised]').waitFor();
  await raise(0, 'SmokeAlarm');
  await mark(idle.page).waitFor();
  // All three were told at the same time; two more alarms later nothing of the first is on its way any more.
  await raise(2, 'SmokeAlarm');
  await tile(idle.page)
    .getByRole('button', { name: names[2] ?? '' })
    .first()
    .waitFor();
  for (const { page } of [recorded, maximised]) {
    expect(await mark(page).count()).toBe(0);
    await shows(page, 1);
  }
  await idle.page.reload();
  await shows(idle.page, 1);
  expect(await mark(idle.page).count()).toBe(0);
  for (const wall of [recorded, maximised, idle]) await wall.close();
});
