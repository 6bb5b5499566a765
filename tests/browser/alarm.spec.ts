// Alarms for an operator: from device to screen, once each, on every page, filtered, acknowledged, played back.
import type { Browser, Locator, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { HttpSink } from '../peers/message-sink.ts';
import { addWebhook, choose, makeKey, makeRule, quickRule, tuneBurst } from './alarm-setup-steps.ts';
import {
  alarmBesideControls,
  areUnhandled,
  followsIn,
  ingest,
  isBarrierUpAbout,
  playsFrom,
  signKeepsColours,
  snooze,
  stepsByKeys,
  stripWorks,
  reportMotion,
  undo,
  viewsRead,
} from './alarm-steps.ts';
import { LANGUAGES } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const SCREEN = '/homepage/alarmMsg';
/** Of a page that is frozen and has no line; the table of faults has ten minutes. */
const HIDDEN_MS = isLongRun ? 600_000 : 0;

let product: Product;
let browser: Browser;
let cameras: VirtualSite;
let operator: ApiClient;
let serials: string[];
let watched: WatchedPage;
let page: Page;
let sink: HttpSink;

beforeAll(async () => {
  [product, browser, sink, cameras] = await Promise.all([
    Product.start(),
    openBrowser(),
    new HttpSink().start(),
    startVirtualSite(['--cameras', '2']),
  ]);
  // Only what the tests tell: the scenes before the cameras would go on by themselves.
  for (const serial of (await states()).map((state) => state.serial)) {
    await command(serial, 'events', { watchesScenes: false });
  }
  operator = await product.setUp(...OPERATOR);
  serials = (await addAll(operator, cameras.devices)).map(({ deviceSerial }) => deviceSerial);
  await waitFor(
    'both cameras to be listened to',
    async () => (await states()).every((state) => state.subscriptions > 0),
    30_000,
  );
  watched = await openSignedIn(browser, product, { path: SCREEN });
  page = watched.page;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), cameras?.stop(), sink?.stop()]);
});

async function states(): Promise<{ serial: string; subscriptions: number }[]> {
  const answer = await fetch(`${cameras.controlUrl}/state`);
  return ((await answer.json()) as { devices: { serial: string; subscriptions: number }[] }).devices;
}

async function command(serial: string | undefined, name: string, input: object): Promise<void> {
  const url = `${cameras.controlUrl}/devices/${serial}/${name}`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`);
}

/** Begins anew, also where an earlier try left it on. */
async function raise(camera: number, topic: RaisedAlarmType): Promise<void> {
  await clear(camera, topic);
  await command(serials[camera], 'raise', { topic, channelNo: 1 });
}

async function clear(camera: number, topic: RaisedAlarmType): Promise<void> {
  await command(serials[camera], 'clear', { topic, channelNo: 1 });
  const lasting = async () => (await operator.ok('alarm/list', { types: [topic], isActive: true })).alarmList;
  await expect.poll(lasting).toEqual([]);
}

function rows(of: Page, type: string): Locator {
  return of.locator(`[data-alarm][data-type="${type}"]`);
}

it('[AL-01] [AL-03] [RT-06] an alarm appears in the list at once, stays open, and ends with its pair', async () => {
  await raise(0, 'MotionAlarm');
  const row = rows(page, 'MotionAlarm').first();
  await row.getByText(words['alarms.ongoing']).waitFor();
  await clear(0, 'MotionAlarm');
  await row.getByText(words['alarms.ongoing']).waitFor({ state: 'detached' });
  expect(await row.getAttribute('data-state')).toBe('new');
  await expectNoProblems(watched, 'alarms-list');
});

it('[AL-03] highlights the tile of the camera while the alarm lasts, also when it began before the page', async () => {
  // As grave as can be: what the product finds out of the stream of a starved camera stands below it.
  await raise(0, 'FallDetect');
  const wall = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
  await wall.page.getByRole('treeitem', { name: cameras.devices[0]?.name ?? '' }).dblclick();
  const ring = wall.page.locator('[data-tile-alarm]');
  await ring.getByText(words.alarmType_FallDetect).waitFor();
  await raise(0, 'FireAlarm');
  await ring.getByText(words.alarmType_FireAlarm).waitFor();
  await wall.page.locator('[data-cell][data-state=live]').waitFor();
  await expectNoProblems(wall, 'alarms-tile');
  await signKeepsColours(wall);
  await alarmBesideControls(wall);
  await clear(0, 'FireAlarm');
  await ring.getByText(words.alarmType_FallDetect).waitFor();
  await clear(0, 'FallDetect');
  await ring.getByText(words.alarmType_FallDetect).waitFor({ state: 'detached' });
  await stripWorks(wall);
  await wall.close();
});

it('[AL-01] other pages show a count on the rail and a message for critical alarms, none twice after a reconnect', async () => {
  const other = await openSignedIn(browser, product, { path: '/homepage/deviceManage', allowed: /WebSocket/ });
  const lines: WebSocketRoute[] = [];
  let isCut = false;
  await other.page.routeWebSocket(/\/ws$/, async (line) => {
    if (isCut) return await line.close();
    line.connectToServer();
    lines.push(line);
  });
  await other.page.reload();
  const badge = other.page.getByRole('navigation').getByRole('link', { name: words['screen.alarms'] });
  await other.page.getByText(words['connection.online']).waitFor();
  await raise(1, 'FireAlarm');
  await other.page.getByRole('alert').getByText(words.alarmType_FireAlarm).waitFor();
  await areUnhandled(operator, badge, 1);
  await expectNoProblems(other, 'alarms-elsewhere');
  isCut = true;
  await lines.at(-1)?.close();
  await other.page.getByText(words['connection.reconnecting']).first().waitFor();
  await raise(1, 'SmokeAlarm');
  const stored = async () => await operator.ok('alarm/list', { types: ['SmokeAlarm'], isActive: true });
  await expect.poll(async () => (await stored()).alarmList.length).toBe(1);
  isCut = false;
  await areUnhandled(operator, badge, 2);
  await badge.click();
  for (const type of ['FireAlarm', 'SmokeAlarm'] as const) {
    await rows(other.page, type).first().waitFor();
    const { alarmList } = await operator.ok('alarm/list', { types: [type] });
    const shown = await rows(other.page, type).evaluateAll((all) => all.map((row) => row.getAttribute('data-alarm')));
    expect(shown, `each ${type} once`).toEqual(alarmList.map(({ alarmId }) => alarmId));
  }
  // Looking at them handles none.
  const before = await areUnhandled(operator, badge, 2);
  const { alarmList } = await operator.ok('alarm/list', { types: ['FireAlarm', 'SmokeAlarm'], state: 'new' });
  await operator.ok('alarm/ack', { alarmIds: alarmList.map(({ alarmId }) => alarmId) });
  expect(await areUnhandled(operator, badge, 0)).toBeLessThan(before);
  await other.close();
});

it('[AL-01] new alarms wait behind a button while the pointer is over the list', async () => {
  // Of one group: what a device tells of itself stands elsewhere.
  await raise(0, 'PirAlarm');
  await page.goto(`${product.url}${SCREEN}?group=input`);
  const before = await operator.ok('alarm/list', { types: ['InputAlarm'] });
  await rows(page, 'PirAlarm').first().hover();
  await raise(0, 'InputAlarm');
  const pill = page.getByRole('button', { name: words['alarms.arrived_one'].replace('{count}', '1') });
  await pill.waitFor();
  expect(await rows(page, 'InputAlarm').count()).toBe(before.alarmList.length);
  await expectNoProblems(watched, 'alarms-held');
  await pill.click();
  await waitFor('the new row', async () => (await rows(page, 'InputAlarm').count()) === before.alarmList.length + 1);
});

it('[AL-02] is filtered by type, severity and state, also in the URL', async () => {
  await page.goto(`${product.url}${SCREEN}`);
  await choose(page, words['alarms.filterGroup'], words.alarmGroup_fire);
  await rows(page, 'InputAlarm').first().waitFor({ state: 'detached' });
  const { alarmList } = await operator.ok('alarm/list', { groups: ['fire'] });
  await waitFor('fire alone', async () => (await page.locator('[data-alarm]').count()) === alarmList.length);
  expect(page.url()).toContain('group=fire');
  await choose(page, words['alarms.filterState'], words['alarms.acknowledged']);
  await choose(page, words['alarms.filterGroup'], words.alarmGroup_network);
  await page.getByText(words['alarms.noMatch']).waitFor();
  await expectNoProblems(watched, 'alarms-no-match');
  await page.getByRole('button', { name: words['alarms.clearFilter'] }).click();
  await rows(page, 'InputAlarm').first().waitFor();
});

it('[AL-02] is read, commented on and acknowledged by keyboard, singly and in bulk', async () => {
  const types = ['NetworkDisconnected', 'RaidFailed', 'DiskFull'] as const;
  for (const type of types) await raise(1, type);
  await page.goto(`${product.url}${SCREEN}?state=new`);
  await rows(page, 'NetworkDisconnected').first().click();
  const details = page.getByRole('complementary', { name: words.alarmType_NetworkDisconnected });
  await details.getByText('tnsvdt:Alarm/NetworkDisconnected').waitFor();
  await details.getByLabel(words['alarms.comment'], { exact: true }).fill('A drill.');
  await details.getByRole('button', { name: words['alarms.addComment'] }).click();
  await details.getByText('A drill.').waitFor();
  await expectNoProblems(watched, 'alarms-details');
  await rows(page, 'NetworkDisconnected').first().focus();
  await page.keyboard.press('a');
  await page.locator('[data-type="NetworkDisconnected"][data-state="acknowledged"]').waitFor();
  await details.waitFor({ state: 'detached' });
  for (const type of ['RaidFailed', 'DiskFull']) await rows(page, type).first().getByRole('checkbox').check();
  await page.getByRole('button', { name: words['alarms.acknowledgeChosen_other'].replace('{count}', '2') }).click();
  for (const type of ['RaidFailed', 'DiskFull']) {
    await page.locator(`[data-type="${type}"][data-state="acknowledged"]`).first().waitFor();
  }
  for (const type of types) {
    const { alarmList } = await operator.ok('alarm/list', { types: [type] });
    expect(alarmList[0], type).toMatchObject({ state: 'acknowledged', acknowledgedBy: OPERATOR[0] });
  }
});

it('[ST-08] opens playback at the time of the alarm, previous and next by key', async () => {
  await raise(0, 'InputAlarm');
  await page.goto(`${product.url}${SCREEN}`);
  await rows(page, 'InputAlarm').first().click();
  const details = page.getByRole('complementary', { name: words.alarmType_InputAlarm });
  await stepsByKeys(page, details);
  const { alarmList } = await operator.ok('alarm/list', { types: ['InputAlarm'] });
  await followsIn(page, alarmList[0]?.time ?? 0);
  await expectNoProblems(watched, 'alarms-player');
  await details.getByRole('button', { name: words['alarms.playBack'] }).click();
  await page.waitForURL(/container/);
  const address = new URL(page.url()).searchParams;
  expect([address.get('device'), address.get('channel'), Number(address.get('time'))]).toEqual([
    serials[0],
    '1',
    alarmList[0]?.time,
  ]);
  await page.goBack();
  await rows(page, 'InputAlarm').first().waitFor();
  expect(watched.problems).toEqual([]);
});

it('[ST-08] [UI-05] plays alarms one after another, each from its time', async () => {
  // Of a group that nothing else tells of: what a device says of itself comes in between, and has no picture.
  const types = ['TrafficJam', 'EscapeRouteBlocked'] as const;
  const last: Alarm[] = [];
  for (const type of types) {
    await raise(1, type);
    const isOn = { types: [type], isActive: true };
    last.unshift(await waitFor(type, async () => (await operator.ok('alarm/list', isOn)).alarmList[0]));
  }
  await page.goto(`${product.url}${SCREEN}?place=dev:${serials[1]}&group=vehicle`);
  await page.locator(`[data-alarm="${last[0]?.alarmId}"]`).click();
  await page.getByRole('complementary', { name: words.alarmType_EscapeRouteBlocked }).waitFor();
  await page.keyboard.press('p');
  const bar = page.locator('[data-alarm-playback]');
  await bar.waitFor();
  expect(await bar.getAttribute('data-alarm-playback')).toBe(last[0]?.alarmId);
  await page.keyboard.press('Shift+N');
  await page.locator(`[data-alarm-playback="${last[1]?.alarmId}"]`).waitFor();
  expect(Number(new URL(page.url()).searchParams.get('time'))).toBe(last[1]?.time);
  await expectNoProblems(watched, 'alarms-playback');
  await page.getByRole('button', { name: words['alarms.previous'] }).click();
  await page.locator(`[data-alarm-playback="${last[0]?.alarmId}"]`).waitFor();
  await page.getByRole('button', { name: words['alarms.playbackEnd'] }).click();
  await bar.waitFor({ state: 'detached' });
});

it('[AL-02] is assigned, closed, reopened, found by day, and exported as a file', async () => {
  await raise(0, 'GlassBreak');
  await page.goto(`${product.url}${SCREEN}?type=GlassBreak`);
  const row = rows(page, 'GlassBreak').first();
  await row.click();
  const details = page.getByRole('complementary', { name: words.alarmType_GlassBreak });
  await details.getByRole('button', { name: words['alarms.assign'] }).click();
  const assign = page.getByRole('dialog', { name: words['alarms.assign'] });
  await assign.getByLabel(words['alarms.assignTo'], { exact: true }).fill('nobody');
  await page.keyboard.press('Enter');
  await assign.getByText(words['alarms.assignRefused']).waitFor();
  const give = async (): Promise<void> => {
    await assign.getByLabel(words['alarms.assignTo'], { exact: true }).fill(OPERATOR[0]);
    await page.keyboard.press('Enter');
    await page.locator('[data-type="GlassBreak"][data-state="assigned"]').first().waitFor();
  };
  await give();
  await undo(page, words['alarms.didAssign'].replace('{account}', OPERATOR[0]));
  await page.locator('[data-type="GlassBreak"][data-state="new"]').first().waitFor();
  await details.getByRole('button', { name: words['alarms.assign'] }).click();
  await give();
  await expectNoProblems(watched, 'alarms-assigned');
  await details.getByRole('button', { name: words['alarms.close'], exact: true }).click();
  await page.locator('[data-type="GlassBreak"][data-state="closed"]').first().waitFor();
  await undo(page, words['alarms.didClose_one'].replace('{count}', '1'));
  await page.locator('[data-type="GlassBreak"][data-state="assigned"]').first().waitFor();
  await page.getByRole('button', { name: words['alarms.calendar'] }).click();
  const today = page.locator('[data-marked][aria-current="date"]');
  await today.waitFor();
  await expectNoProblems(watched, 'alarms-calendar');
  await today.click();
  await page.waitForURL(/time=between/);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: words['alarms.export'] }).click();
  expect((await saved).suggestedFilename()).toMatch(/^alarms-\d{4}-\d\d-\d\d\.csv$/);
  await page.locator('[data-last-alarm]').waitFor();
  expect(watched.problems).toEqual([]);
});

it('a rule and a channel created here notify a program, and the delivery log shows it', async () => {
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { ...config.alarms, messageNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
  await page.goto(`${product.url}${SCREEN}?view=channels`);
  await addWebhook(page, 'Guard house', `${sink.url}/hook`);
  const channel = page.locator('[data-channel="Guard house"]');
  await channel.getByRole('button', { name: words['alarmRules.testOf'].replace('{name}', 'Guard house') }).click();
  await page.getByRole('dialog').getByText(words['alarmRules.testDone']).waitFor();
  await page.keyboard.press('Escape');
  await makeRule(watched);
  const before = sink.requests.length;
  await raise(1, 'ScreamDetect');
  await waitFor('the program to be told', async () => sink.requests.length > before);
  await page.getByText(words['alarms.viewChannels'], { exact: true }).click();
  await page.locator('[data-delivery="done"]').first().waitFor();
  await expectNoProblems(watched, 'alarms-channels');
});

it('[AL-01] [EN-06] [ST-08] motion in a drawn region reaches inbox, timeline, mail, webhook and push, and plays from its time', async () => {
  const deviceSerial = serials[0] ?? '';
  const told = await reportMotion(operator, deviceSerial, sink);
  // Those of now alone: with what was before they would fold to a flood.
  await page.goto(`${product.url}${SCREEN}?type=MotionAlarm&time=between&from=${Date.now()}`);
  await page.getByText(words['alarms.noMatch']).waitFor();
  await command(deviceSerial, 'events', { watchesScenes: true });
  const alarm = await waitFor('motion in the region', told.next, 60_000);
  await command(deviceSerial, 'events', { watchesScenes: false });
  expect(isBarrierUpAbout(alarm.time), 'what moves there is the barrier').toBe(true);
  await page.locator(`[data-alarm="${alarm.alarmId}"]`).click();
  expect(await told.ways(), 'told by each way').toEqual({
    mail: 'guard@example.com',
    webhook: alarm.alarmId,
    webPush: alarm.alarmId,
  });
  await page.locator('[data-alarm-player] [data-playback][data-state="playing"]').waitFor();
  const askedAt = Date.now();
  await page.keyboard.press('p');
  await page.locator(`[data-alarm-playback="${alarm.alarmId}"]`).waitFor();
  expect(Number(new URL(page.url()).searchParams.get('time'))).toBe(alarm.time);
  await playsFrom(page, alarm.time, askedAt);
  const mark = page.locator(`[data-mark-at="${alarm.time}"]`).filter({ hasText: words.alarmType_MotionAlarm });
  await mark.waitFor({ state: 'attached' });
  await expectNoProblems(watched, 'alarms-moment');
  await told.stop();
});

it(
  '[FT-37] a frozen and disconnected page gets what it missed within three seconds of its return, nothing twice',
  async () => {
    const types = ['DoorForced', 'DoorTamper'] as const;
    await page.goto(`${product.url}${SCREEN}?group=access`);
    await page.getByText(words['alarms.noMatch']).waitFor();
    const session = await page.context().newCDPSession(page);
    await page.context().setOffline(true);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    for (const type of types) await raise(0, type);
    const stored = async () => (await operator.ok('alarm/list', { types: [...types] })).alarmList.length;
    await expect.poll(stored).toBe(2);
    const hiddenUntil = Date.now() + HIDDEN_MS;
    await waitFor('the time away', () => Date.now() >= hiddenUntil, HIDDEN_MS + 60_000);
    await page.context().setOffline(false);
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    const backAt = await page.evaluate(() => performance.now());
    for (const type of types) await rows(page, type).first().waitFor();
    const tookMs = (await page.evaluate(() => performance.now())) - backAt;
    await expect.poll(() => page.locator('[data-alarm]').count()).toBe(2);
    process.stdout.write(`frozen-page: ${JSON.stringify({ awayMs: HIDDEN_MS, backMs: Math.round(tookMs) })}\n`);
    if (isLongRun) expect(tookMs).toBeLessThanOrEqual(3000);
    await session.detach();
  },
  120_000 + 2 * HIDDEN_MS,
);

it('[AL-01] [FT-35] groups a burst of one camera into one expandable row, and a program with a key sends events', async () => {
  await page.goto(`${product.url}${SCREEN}?view=sources`);
  const token = await makeKey(watched);
  await page.goto(`${product.url}${SCREEN}?type=SmartMotionAlarm`);
  await page.getByText(words['alarms.noMatch']).waitFor();
  const event = { deviceSerial: serials[1] ?? '', channelNo: 1, type: 'SmartMotionAlarm' } as const;
  for (const id of ['a', 'b', 'c', 'd']) await ingest(product, token, { ...event, eventId: id, key: id });
  const rule = await quickRule(operator, 'SmartMotionAlarm');
  const flood = page.locator('[data-flood="4"]');
  await flood.waitFor();
  expect(await rows(page, 'SmartMotionAlarm').count()).toBe(1);
  await expectNoProblems(watched, 'alarms-flood');
  await snooze(watched, operator, serials[1] ?? '');
  await flood.click();
  await waitFor('four rows', async () => (await rows(page, 'SmartMotionAlarm').count()) === 4);
  await flood.click();
  await rows(page, 'SmartMotionAlarm').first().focus();
  await page.keyboard.press('j');
  await page.getByRole('complementary', { name: words.alarmType_SmartMotionAlarm }).waitFor();
  await page.keyboard.press('a');
  const done = async () => await operator.ok('alarm/list', { types: ['SmartMotionAlarm'], state: 'acknowledged' });
  await expect.poll(async () => (await done()).alarmList.length).toBe(4);
  await tuneBurst(watched, operator, { rule, serial: serials[1] ?? '' });
  expect(watched.problems).toEqual([]);
});

it('[UI-03] [EN-06] shows the same in Chinese and in the light theme', async () => {
  const said = LANGUAGES[1].words;
  const look = { path: `${SCREEN}?group=fire`, locale: 'zh-CN', colorScheme: 'light' } as const;
  const chinese = await openSignedIn(browser, product, look);
  await rows(chinese.page, 'SmokeAlarm').first().getByText(said.alarmType_SmokeAlarm).waitFor();
  await rows(chinese.page, 'SmokeAlarm').first().click();
  await chinese.page.getByRole('complementary', { name: said.alarmType_SmokeAlarm }).waitFor();
  await expectNoProblems(chinese, 'alarms-zh');
  await viewsRead(chinese, `${product.url}${SCREEN}`, said);
  await chinese.close();
});
