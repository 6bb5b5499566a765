// Steps of the alarm spec: motion in a drawn region sent by every notifier, and playback at its time.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { gate } from '../../virtual-devices/scene/scenes/gate.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { shot, type WatchedPage } from '../harness/browser.ts';
import type { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import type { HttpSink } from '../peers/message-sink.ts';
import { PushBrowser } from '../peers/push-browser.ts';
import { LANGUAGES, type Words } from './console-steps.ts';
import { clockText, seeTiles } from './playback-frame.ts';
import { expectNoProblems } from './signed-in.ts';

const { words } = LANGUAGES[0];
/** Pictures come half a second apart where only keys are there, and times are told to the second. */
const NEAR_MS = 1500;

/** The player of the inbox stands at the alarm, and ten seconds before it after a key. */
export async function followsIn(page: Page, time: number): Promise<void> {
  const player = page.locator('[data-alarm-player]');
  await player.locator('[data-playback][data-state="playing"]').waitFor();
  await player.getByRole('button', { name: words['playback.pause'], exact: true }).click();
  const standsAt = async (at: number) =>
    await waitFor(
      'the picture of that moment',
      async () => {
        const { strips, states } = await seeTiles(page);
        return states[0] === 'paused' && Math.abs((strips[0]?.wallMs ?? 0) - at) <= NEAR_MS;
      },
      30_000,
    );
  await player.getByRole('button', { name: words['alarms.toMoment'].replace('{time}', clockText(time)) }).click();
  await standsAt(time);
  await page.keyboard.press('ArrowLeft');
  await standsAt(time - 10_000);
}

/** Quiets smart motion on a device from the details of the first such alarm, which stand open afterwards. */
export async function snooze(watched: WatchedPage, operator: ApiClient, deviceSerial: string): Promise<void> {
  await watched.page.locator('[data-alarm][data-type="SmartMotionAlarm"]').first().click();
  const details = watched.page.getByRole('complementary', { name: words.alarmType_SmartMotionAlarm });
  await details.getByRole('button', { name: words['alarms.snooze'] }).click();
  await details.getByRole('button', { name: words['alarms.wake'] }).waitFor();
  await expectNoProblems(watched, 'alarms-snoozed');
  const { quiet } = await operator.ok('alarm/quiet/get', {});
  expect(quiet.snoozed).toMatchObject([{ deviceSerial, type: 'SmartMotionAlarm' }]);
}

/** What is on screen is of that time, and later by no more than it can have played since it was asked for. */
export async function playsFrom(page: Page, time: number, from: number): Promise<void> {
  // It may begin with the key picture before.
  const seen = await waitFor('footage of that time', async () => {
    const at = (await seeTiles(page)).strips[0]?.wallMs ?? 0;
    if (at - time > -NEAR_MS) return at;
    throw new Error(`${at - time} ms`);
  });
  expect(seen - time).toBeLessThan(Date.now() - from + 10_000);
}

/** Draws a region, and has its motion told by mail, web hook and push. */
export async function reportMotion(operator: ApiClient, deviceSerial: string, sink: HttpSink) {
  const mail = await SmtpSink.start();
  const phone = new PushBrowser();
  // Addresses of this call alone: what an earlier one made goes on telling.
  const [hookPath, pushPath] = [`/motion/${randomUUID()}`, `/push/${randomUUID()}`];
  await drawRegion(operator, deviceSerial);
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, mail: mail.settings }, version });
  const channelIds: string[] = [];
  for (const [kind, settings] of [
    ['email', { to: 'guard@example.com' }],
    ['webhook', { url: `${sink.url}${hookPath}` }],
    ['webPush', phone.subscription(`${sink.url}${pushPath}`)],
  ] as const) {
    const saved = await operator.ok('alarm/channel/save', { kind, name: kind, isEnabled: true, settings });
    channelIds.push(saved.channel.channelId);
  }
  // Answered again where an earlier try was: the word of its question is not in this server.
  const { channelList } = await operator.ok('alarm/channel/list', {});
  const isAsked = channelList.some(({ addressList }) => addressList.some(({ state }) => state === 'waiting'));
  if (isAsked) {
    const token = await mail.consentToken('guard@example.com');
    await operator.ok('alarm/consent/answer', { token, answer: 'confirm' });
  }
  await operator.ok('alarm/rule/save', {
    name: 'Driveway',
    isEnabled: true,
    types: ['MotionAlarm'],
    groups: [],
    leastSeverity: 'info',
    sources: [{ deviceSerial }],
    plan: null,
    timeZone: 'UTC',
    pauseS: 60,
    actions: [{ kind: 'notify', channelIds }],
  });
  const list = async () => (await operator.ok('alarm/list', { types: ['MotionAlarm'] })).alarmList;
  const known = new Set((await list()).map(({ alarmId }) => alarmId));
  const letters = () => mail.mails.filter(({ text }) => !text.includes('Do you want alarm messages'));
  const asked = (path: string) => sink.requests.find((request) => request.path === path);
  return {
    /** The first that was not there before. */
    next: async (): Promise<Alarm | undefined> => (await list()).findLast(({ alarmId }) => !known.has(alarmId)),
    /** Who or what was told by each way, once all were. */
    ways: async () => {
      const [hook, push] = await waitFor(
        'all three to be told',
        () => {
          const [told, pushed] = [asked(hookPath), asked(pushPath)];
          return letters().length > 0 && told && pushed ? ([told, pushed] as const) : undefined;
        },
        30_000,
      );
      const { data } = JSON.parse(hook.body.toString('utf8')) as { data: { alarmId: string } };
      return { mail: letters()[0]?.to, webhook: data.alarmId, webPush: phone.read(push)['alarmId'] };
    },
    stop: () => mail.stop(),
  };
}

/** The upper left of the gate, where the lifted barrier stands ten seconds in 24 and nobody drives or walks. */
async function drawRegion(operator: ApiClient, deviceSerial: string): Promise<void> {
  const place = { deviceSerial, channelNo: 1, section: 'motion' } as const;
  const { value, version } = await operator.ok('config/get', place);
  const { columns = 0, rows = 0 } = (value as { cells?: { columns: number; rows: number } }).cells ?? {};
  const isDrawn = (at: number) => at % columns < columns / 2 && at < (columns * rows) / 2;
  const cells = Array.from({ length: columns * rows }, (_none, at) => (isDrawn(at) ? '1' : '0'));
  const drawn = { on: true, cells: { columns, rows, cells: cells.join('') } };
  await operator.ok('config/set', { ...place, value: drawn, version });
}

export function isBarrierUpAbout(at: number): boolean {
  return [-NEAR_MS, 0, NEAR_MS].some(
    (by) => gate.actors[0]?.place(at + by, { night: 0, variant: 0 })?.sprite === 'barrierUp',
  );
}

/** The newest alarms above the wall: with pictures, hidden and shown by a key, played back by Enter. */
export async function stripWorks(wall: WatchedPage): Promise<void> {
  const strip = wall.page.locator('[data-alarm-strip]');
  await strip.locator('[data-type="FireAlarm"] img').first().waitFor();
  await expectNoProblems(wall, 'alarms-strip');
  await wall.page.keyboard.press('Shift+A');
  await strip.waitFor({ state: 'detached' });
  await wall.page.reload();
  await wall.page.getByRole('button', { name: words['alarms.showStrip'] }).waitFor();
  expect(await strip.count(), 'hidden as it was left').toBe(0);
  await wall.page.getByRole('button', { name: words['alarms.showStrip'] }).click();
  // The one behind it, whatever came before both meanwhile.
  await strip.locator('[data-type="FireAlarm"]').first().press('ArrowRight');
  const next = strip.locator('[data-type="FireAlarm"] + [data-strip-alarm]:focus');
  const second = await next.getAttribute('data-strip-alarm');
  await wall.page.keyboard.press('Enter');
  await wall.page.locator(`[data-alarm-playback="${second}"]`).waitFor();
}

/** One event of another program, by its key. */
export async function ingest(product: Product, token: string, event: Readonly<Record<string, unknown>>): Promise<void> {
  const told = await fetch(`${product.url}/api/v1/event/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  expect(((await told.json()) as { code: number }).code).toBe(200);
}

const PHONE = { width: 390, height: 844 } as const;

/** Every part of the alarm centre beside the inbox, in another language, and as narrow as a phone. */
export async function viewsRead(watched: WatchedPage, address: string, said: Words): Promise<void> {
  const { page } = watched;
  for (const view of ['rules', 'channels', 'quiet', 'sources'] as const) {
    await page.goto(`${address}?view=${view}`);
    await page.getByText(said['alarms.viewQuiet'], { exact: true }).first().waitFor();
    const first = {
      rules: '[data-rule]',
      channels: '[data-delivery]',
      quiet: '[role="switch"]',
      sources: '[data-ingest-key]',
    }[view];
    await page.locator(first).first().waitFor();
    await expectNoProblems(watched, `alarms-${view}-zh`);
    const usual = page.viewportSize() ?? PHONE;
    await page.setViewportSize(PHONE);
    await expectNoProblems(watched, `alarms-${view}-phone`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBe(PHONE.width);
    await page.setViewportSize(usual);
  }
}

/** By the message that said so. */
export async function undo(page: Page, said: string): Promise<void> {
  const message = page.getByRole('status').filter({ hasText: said });
  await message.getByRole('button', { name: words['alarms.undo'] }).click();
}

/** What the badge of the rail reads out. */
async function unhandledOn(link: Locator): Promise<number> {
  const label = link.locator('[data-look] .visually-hidden');
  return (await label.count()) === 0 ? 0 : Number.parseInt((await label.textContent()) ?? '', 10);
}

/** So many at least, and all that nobody has handled: also what the product reported by itself. */
export async function areUnhandled(operator: ApiClient, link: Locator, least: number): Promise<number> {
  return await waitFor(
    `${least} unhandled`,
    async () => {
      const asked = { state: 'new', severity: ['minor', 'major', 'critical'] } as const;
      const { alarmList } = await operator.ok('alarm/list', { ...asked, severity: [...asked.severity] });
      const shown = await unhandledOn(link);
      if (alarmList.length >= least && shown === alarmList.length) return alarmList.length;
      throw new Error(`${shown} of ${alarmList.length}`);
    },
    60_000,
  );
}

/** Pictures are on black in both themes: so is the sign of an alarm over them. */
export async function signKeepsColours({ page }: WatchedPage): Promise<void> {
  const sign = page.locator('[data-tile-alarm] [data-severity]').first();
  const colours = () => sign.evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]);
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(theme).toBe('dark');
  const dark = await colours();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(theme).toBe('light');
  expect(await colours()).toEqual(dark);
}

/** What can be done with a tile is not printed over its alarm, whatever its size. */
export async function alarmBesideControls({ page }: WatchedPage): Promise<void> {
  for (const key of ['1', '3', '4']) {
    await page.keyboard.press(key);
    const tile = page.locator('[data-cell][data-state=live]').first();
    await tile.hover();
    const controls = tile.getByRole('toolbar');
    await expect.poll(() => controls.evaluate((one) => getComputedStyle(one).opacity)).toBe('1');
    const alarm = tile.locator('[data-tile-alarm] [role=status]');
    await shot(page, `alarms-controls-${key}`);
    const [left, right] = [await alarm.boundingBox(), await controls.boundingBox()];
    // Without a box where it makes room.
    expect(left === null || right === null ? 0 : left.x + left.width).toBeLessThanOrEqual(right?.x ?? 0);
  }
  await page.keyboard.press('1');
  await page.mouse.move(0, 0);
}

/** From the alarm that is open to the one below it and back, by each pair of keys. */
export async function stepsByKeys(page: Page, details: Locator): Promise<void> {
  for (const [next, previous] of [
    ['j', 'k'],
    ['n', 'b'],
  ] as const) {
    await details.waitFor();
    await page.keyboard.press(next);
    await details.waitFor({ state: 'detached' });
    await page.keyboard.press(previous);
  }
  await details.waitFor();
}
