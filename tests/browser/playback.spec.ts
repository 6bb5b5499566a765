// Playback of one camera with two recordings and a gap: calendar, timeline, keys, links, typed times, and rights that end.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { cutOff, expectInside, MAGNIFIED } from './magnified-page.ts';
import { clockText, seeTiles } from './playback-frame.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const GUEST = ['guest', 'Visit-2026'] as const;
const SERIAL = 'VDDOCK0006';
const { words } = LANGUAGES[0];
const GAP_MS = 10_000;

interface RecordedSpan {
  readonly startTime: number;
  readonly endTime: number;
}

let product: Product;
let browser: Browser;
let operator: ApiClient;
let site: VirtualSite;
let dev: { deviceSerial: string; channelNo: number };
let watched: WatchedPage;
let page: Page;
/** The two recordings; the second goes on. */
let first: RecordedSpan;
let second: RecordedSpan;

beforeAll(async () => {
  [product, browser, site] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  // By its RTSP URL alone: what the camera keeps itself does not fill the gap.
  const { url, password, user } = await rtspOf(SERIAL);
  const { device } = await operator.ok('device/add', { target: url, user, password, deviceName: 'Dock 3' });
  dev = { deviceSerial: device.deviceSerial, channelNo: 1 };
  await waitFor('10 s of recording', async () => lengthOf((await spans())[0]) >= 10_000, 60_000);
  await control('stop');
  await waitFor('the camera to be offline', async () => (await statusOf()) === 0, 60_000);
  // Recordings that are moments apart are told as one.
  await waitFor('a gap', async () => Date.now() - ((await spans())[0]?.endTime ?? Date.now()) >= GAP_MS, 60_000);
  await control('start');
  await waitFor('14 s more', async () => lengthOf((await spans())[1]) >= 14_000, 90_000);
  [first, second] = (await spans()) as [RecordedSpan, RecordedSpan];
  watched = await openSignedIn(browser, product, { path: '/homepage/container' });
  page = watched.page;
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

const lengthOf = (span: RecordedSpan | undefined): number => (span ? span.endTime - span.startTime : 0);
const slider = (): Locator => page.getByRole('slider', { name: words['playback.timeline'] });
const view = (): Locator => page.locator('[data-playback]');

async function spans(): Promise<readonly RecordedSpan[]> {
  const { recordList } = await operator.ok('record/query', {
    ...dev,
    startTime: Date.now() - 3_600_000,
    endTime: Date.now() + 5000,
  });
  return recordList;
}

/** First and last instant of the timeline, ms. */
async function inSight(): Promise<{ from: number; to: number }> {
  const [from, to] = await Promise.all(['data-from', 'data-to'].map((name) => slider().getAttribute(name)));
  return { from: Number(from), to: Number(to) };
}

async function expectNoFuture(): Promise<void> {
  const { to } = await inSight();
  expect(to).toBeGreaterThan(0);
  expect(to).toBeLessThanOrEqual(Date.now());
}

async function clickAt(at: number): Promise<void> {
  const [box, { from, to }] = await Promise.all([slider().boundingBox(), inSight()]);
  if (!box) throw new Error('the timeline is not in sight');
  await slider().click({ position: { x: (box.width * (at - from)) / (to - from), y: box.height / 2 } });
}

const dayAndMonth = (at: number): string[] =>
  [new Date(at).getMonth() + 1, new Date(at).getDate()].map((part) => String(part).padStart(2, '0'));

async function statusOf(): Promise<number> {
  return (await operator.ok('device/get', { deviceSerial: dev.deviceSerial })).device.status;
}

async function control(command: string): Promise<void> {
  await fetch(`${site.controlUrl}/devices/${SERIAL}/${command}`, { method: 'POST', body: '{}' });
}

async function rtspOf(serial: string): Promise<{ url: string; user: string; password: string }> {
  const state = (await (await fetch(`${site.controlUrl}/state`)).json()) as {
    devices: { serial: string; streams: Record<string, { url: string }> }[];
  };
  const streams = state.devices.find((device) => device.serial === serial)?.streams ?? {};
  const url = Object.values(streams)[0]?.url ?? '';
  const { user, password } = site.devices[0] ?? { user: '', password: '' };
  return { url, user, password };
}

/** Waits until the clock in the picture is the timeline's within a second, and answers it. */
function pictureTime(on: Page = page): Promise<number> {
  return waitFor(
    'a picture whose clock is the timeline’s',
    async () => {
      const { strips, shownAt } = await seeTiles(on);
      const [seen] = strips;
      return seen && Math.abs(seen.wallMs - shownAt) <= 1000 ? seen.wallMs : undefined;
    },
    30_000,
  );
}

/** Like `pictureTime`, once it lies between two instants; playback goes on meanwhile, so `to` moves with the time since then. */
function pictureBetween(from: number, to: number, since = Date.now()): Promise<number> {
  return waitFor(
    `a picture of ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`,
    async () => {
      const at = await pictureTime();
      if (at >= from && at <= to + Date.now() - since) return at;
      throw new Error(`a picture of ${new Date(at).toISOString()}`);
    },
    30_000,
  );
}

/** Answers when it began. */
async function open(at: number, more: Readonly<Record<string, string>> = {}): Promise<number> {
  const since = await go(at, more);
  await pictureTime();
  return since;
}

/** Waits for no picture: what is said of a gap stands for six seconds alone. */
async function go(at: number, more: Readonly<Record<string, string>> = {}): Promise<number> {
  const since = Date.now();
  const place = new URLSearchParams({ device: dev.deviceSerial, channel: '1', ...more, time: String(at) });
  await page.goto(`${product.url}/homepage/container?${place}`);
  return since;
}

describe('choosing a camera', () => {
  it('[LV-06] asks for a camera, plays its last minute and marks days with recordings', async () => {
    await page.getByText(words['playback.choose']).waitFor();
    await expectNoProblems(watched, 'playback-choose');
    await page.getByRole('treeitem', { name: 'Dock 3' }).click();
    expect(await pictureTime()).toBeGreaterThan(first.startTime - 1000);
    const marked = page.locator('button[data-marked=recorded]');
    await expect.poll(() => marked.count()).toBe(1);
    expect(await marked.getAttribute('aria-current')).toBe('date');
    expect(await marked.getAttribute('aria-label')).toContain(words['playback.dayRecorded'].replace('{day}', ''));
    // The last hours fill the timeline, nothing of it lies in the future, and the day is that of the picture.
    await expectNoFuture();
    const { from, to } = await inSight();
    expect(to - from).toBe(4 * 3_600_000);
    expect(to - (await pictureTime())).toBeLessThan(0.05 * (to - from));
    expect(await marked.getAttribute('aria-pressed')).toBe('true');
    await waitFor('the date beside the clock', async () => {
      const { shownAt } = await seeTiles(page);
      const [year, month, day] = [new Date(shownAt).getFullYear(), ...dayAndMonth(shownAt)];
      const text = await page.locator('[data-playhead]').textContent();
      return text?.includes(`${month}/${day}/${year}`) === true && text.endsWith(clockText(shownAt));
    });
    // Two, unless a busy machine has lost the camera for a moment since.
    const told = page.getByRole('list', { name: words['playback.spans'] }).getByRole('listitem');
    await waitFor('the recordings in words', async () => (await told.count()) === (await spans()).length);
    expect(await told.count()).toBeGreaterThanOrEqual(2);
    await expectNoProblems(watched, 'playback-playing');
  });
});

describe('on a page of 1440 × 900 that is magnified to 200 %', () => {
  it('the tree keeps its height, and cameras and days are reached by scrolling', async () => {
    const usual = page.viewportSize();
    await page.setViewportSize(MAGNIFIED);
    const tree = page.getByRole('tree');
    expect((await tree.boundingBox())?.height ?? 0).toBeGreaterThan(100);
    await expectInside(page, page.getByRole('treeitem', { name: 'Dock 3' }));
    expect(await cutOff(page, 'main')).toEqual([]);
    await expectNoProblems(watched, 'playback-magnified');
    const today = page.locator('button[aria-current=date]');
    await today.scrollIntoViewIfNeeded();
    await expectInside(page, today);
    await expectNoProblems(watched, 'playback-magnified-days');
    if (usual !== null) await page.setViewportSize(usual);
  });
});

describe('seeking', () => {
  it('a link opens a camera at a time', async () => {
    const wanted = first.startTime + 4000;
    const since = await open(wanted);
    await pictureBetween(wanted - 1500, wanted + 6000, since);
    expect(watched.problems).toEqual([]);
  });

  it('accepts a typed time, with a hint where it is invalid', async () => {
    await page.keyboard.press('t');
    const field = page.getByLabel(words['playback.goToTime']);
    await page.locator('input:focus').and(field).waitFor();
    await field.fill('25:00');
    await field.press('Enter');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('title')).toBe(words['playback.wrongTime']);
    const wanted = second.startTime + 5000;
    await field.fill(clockText(wanted));
    await field.press('Enter');
    await pictureBetween(wanted - 2000, wanted + 6000);
    await expect.poll(() => field.inputValue()).toBe('');
  });

  it('keys: ten seconds back and forward, previous and next recording, pause and frame step', async () => {
    await slider().focus();
    const from = await pictureTime();
    await page.keyboard.press('ArrowRight');
    await pictureBetween(from + 8500, from + 16_000);
    await page.keyboard.press('ArrowLeft');
    await pictureBetween(from - 1500, from + 6000);
    await page.keyboard.press('p');
    await page.keyboard.press('p');
    await pictureBetween(first.startTime - 1500, first.startTime + 6000);
    await page.keyboard.press('n');
    await pictureBetween(second.startTime - 1500, second.startTime + 6000);
    await page.keyboard.press('Space');
    await waitFor('the pause', async () => (await view().getAttribute('data-state')) === 'paused');
    // By the counter of the camera, which on a busy machine makes fewer pictures in a second.
    const frame = async () => (await seeTiles(page)).strips[0]?.frame;
    const still = await waitFor('a picture that stands', async () => {
      const seen = await frame();
      await pictureTime();
      return seen === (await frame()) && seen;
    });
    let wanted = still;
    for (const [key, by] of [
      ['.', 1],
      ['.', 1],
      [',', -1],
    ] as const) {
      wanted += by;
      await page.keyboard.press(key);
      await expect.poll(frame, { message: `${still} and ${key}` }).toBe(wanted);
    }
    await page.keyboard.press('Space');
    await waitFor('it to go on', async () => (await view().getAttribute('data-state')) === 'playing');
  });

  it('a click on the timeline, zoomed around the playhead', async () => {
    await open(second.startTime + 8000);
    await slider().focus();
    // It stands: played on, the one picture would pass for the other on a busy machine.
    await page.keyboard.press('k');
    await waitFor('the pause', async () => (await view().getAttribute('data-state')) === 'paused');
    const before = await pictureTime();
    for (let step = 0; step < 4; step++) await page.keyboard.press('-');
    await expectNoFuture();
    // From a day to some 84 seconds.
    for (let step = 0; step < 10; step++) await page.keyboard.press('+');
    await expectNoFuture();
    const { from, to } = await inSight();
    expect(to - from).toBeLessThan(100_000);
    expect(before).toBeGreaterThan(from - 1000);
    expect(before).toBeLessThan(to + 1000);
    // The old picture would pass for the new one until that is there.
    await clickAt(before - 4000);
    const left = await pictureBetween(before - 6000, before - 2000);
    await clickAt(before - 1000);
    const back = await waitFor('a later picture', async () => {
      const at = await pictureTime();
      return at > left + 1000 && at;
    });
    expect(Math.abs(back - (before - 1000))).toBeLessThan(2000);
    await expectNoProblems(watched, 'playback-zoomed');
  });
});

describe('in a gap', () => {
  it('plays from the next recording and says so', async () => {
    const inGap = Math.round((first.endTime + second.startTime) / 2);
    await go(inGap);
    const said = words['playback.jumped'].replace('{from}', clockText(inGap)).split(' Playing')[0] ?? '';
    await page.getByRole('status').getByText(said).waitFor();
    await expectNoProblems(watched, 'playback-jumped');
    await pictureBetween(second.startTime - 1500, second.startTime + 8000);
    expect(watched.problems).toEqual([]);
  });

  it('continues after the gap while playing', async () => {
    const since = await go(first.endTime - 4000);
    await page
      .getByRole('status')
      .getByText(words['playback.jumped'].split(' {from}')[0] ?? '')
      .waitFor();
    await pictureBetween(second.startTime - 1500, second.startTime + 8000, since);
  });

  it('[LV-06] a day without recordings says so and links to the nearest one', async () => {
    await page.getByRole('button', { name: words['common.previousMonth'] }).click();
    await page.getByRole('button', { name: /^\w+, \w+ 15\b/ }).click();
    await page.getByText(words['playback.emptyDay']).waitFor();
    const chosen = page.getByRole('button', { name: /^\w+, \w+ 15\b/, pressed: true });
    await chosen.waitFor();
    await waitFor('the pause', async () => (await view().getAttribute('data-state')) !== 'playing');
    await expectNoProblems(watched, 'playback-empty-day');
    await chosen.waitFor();
    await page.getByRole('button', { name: words['playback.nearestDay'] }).click();
    await page.getByText(words['playback.emptyDay']).waitFor({ state: 'detached' });
    await waitFor('it to play', async () => (await view().getAttribute('data-state')) === 'playing');
    await pictureBetween(first.startTime - 1500, first.startTime + 8000);
    expect(watched.problems).toEqual([]);
  });
});

describe("on the device's storage", () => {
  it('[ST-07] [LV-06] [EN-21] plays recordings of the recorder where the site has none, and only those when selected', async () => {
    const { target, user, password } = site.devices.find(({ kind }) => kind === 'recorder') as VirtualDevice;
    const { device } = await operator.ok('device/add', { target, user, password, deviceName: 'Recorder' });
    const place = { deviceSerial: device.deviceSerial, channelNo: 2 };
    const range = { startTime: Date.now() - 3 * 3_600_000, endTime: Date.now() };
    const { recordList } = await operator.ok('record/query', { ...place, ...range, srcType: 2 });
    const kept = recordList.find((span) => lengthOf(span) >= 300_000);
    if (!kept) throw new Error('the recorder kept nothing long enough');
    const wanted = kept.startTime + 120_000;
    const since = Date.now();
    const link = { device: place.deviceSerial, channel: '2', time: String(wanted) };
    await page.goto(`${product.url}/homepage/container?${new URLSearchParams(link)}`);
    await pictureBetween(wanted - 2000, wanted + 8000, since);
    const ofDevice = words['playback.spanDevice'].split(' {from}')[0] ?? '';
    await page.getByRole('list', { name: words['playback.spans'] }).getByText(ofDevice).first().waitFor();
    await expectNoProblems(watched, 'playback-device');
    const sources = page.getByRole('radiogroup', { name: words['playback.source'] });
    // Of ours alone nothing is there: playback goes on with what we recorded since.
    await sources.getByText(words['playback.sourceServer']).click();
    await pictureBetween(since - 60_000, Date.now());
    await sources.getByText(words['playback.sourceDevice']).click();
    await open(wanted + 60_000, { ...link, source: 'device' });
    await pictureBetween(wanted + 58_000, wanted + 70_000);
    expect(watched.problems).toEqual([]);
  });
});

describe('for other accounts', () => {
  async function share(permission: 'videoView' | 'videotapeView'): Promise<string> {
    await operator.call('user/add', { username: GUEST[0], password: GUEST[1], userType: 2 });
    const answer = await operator.ok('share/add', { account: GUEST[0], items: [dev], permission: [permission] });
    return answer.shareId;
  }
  const guestOptions = () => ({
    account: GUEST,
    // A ticket that ended says so to whatever is under way.
    allowed: /status of 403/,
    path: `/homepage/container?${new URLSearchParams({ device: dev.deviceSerial, channel: '1', time: String(second.startTime + 2000) })}`,
  });

  it('[PM-03] the right to live video alone plays nothing', async () => {
    const shareId = await share('videoView');
    const guest = await openSignedIn(browser, product, { ...guestOptions(), colorScheme: 'light' });
    await guest.page.getByText(words['live.denied']).or(guest.page.getByText(words.errCode_1004)).first().waitFor();
    await expect.poll(async () => (await seeTiles(guest.page)).strips).toEqual([null]);
    await expectNoProblems(guest, 'playback-denied');
    await guest.close();
    await operator.ok('share/delete', { shareId, shareType: 2 });
  });

  it('[PM-04] [SE-33] a withdrawn share stops its video within 2 s, and says why', async () => {
    const shareId = await share('videotapeView');
    const guest = await openSignedIn(browser, product, guestOptions());
    await pictureTime(guest.page);
    // The picture's canvas is as large as the picture while there is one.
    await guest.page.evaluate(() => {
      const pictures = { lastAt: 0 };
      Object.assign(window, { pictures });
      const look = (): void => {
        const canvas = document.querySelector<HTMLCanvasElement>('[data-playback] canvas');
        if (canvas && canvas.width > 1) pictures.lastAt = Date.now();
        requestAnimationFrame(look);
      };
      look();
    });
    const lastAt = () =>
      guest.page.evaluate(() => (window as unknown as { pictures: { lastAt: number } }).pictures.lastAt);
    await waitFor('a picture', async () => (await lastAt()) > 0);
    const endedAt = Date.now();
    await operator.ok('share/delete', { shareId, shareType: 2 });
    await waitFor(
      'the refusal',
      async () => (await guest.page.locator('[data-playback]').getAttribute('data-state')) === 'denied',
    );
    // The words come from the page, the picture goes in the worker.
    await waitFor('the picture to go', async () =>
      (await seeTiles(guest.page)).strips.every((strip) => strip === null),
    );
    expect((await lastAt()) - endedAt).toBeLessThan(2000);
    await guest.page.locator('[data-playback]').getByText('Dock 3').waitFor();
    await guest.page.locator('[data-playback]').getByText(words.errCode_1017).waitFor();
    expect(await guest.page.getByText(words.errCode_1009).count()).toBe(0);
    await expectNoProblems(guest, 'playback-withdrawn');
    await guest.close();
  });
});

describe('in Chinese and in the light theme', () => {
  it('[UI-03] shows the same', async () => {
    const said = LANGUAGES[1].words;
    const chinese = await openSignedIn(browser, product, {
      path: `/homepage/container?${new URLSearchParams({ device: dev.deviceSerial, channel: '1', time: String(second.startTime + 2000) })}`,
      locale: 'zh-CN',
      colorScheme: 'light',
    });
    await pictureTime(chinese.page);
    await chinese.page.getByRole('slider', { name: said['playback.timeline'] }).waitFor();
    await expectNoProblems(chinese, 'playback-zh');
    await chinese.close();
  });
});
