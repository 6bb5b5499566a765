// Several cameras on one clock: windows, frame steps, reverse, speed, audio, an offline camera, and a browser without decoders.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { DOWN_ERRORS, whileDown } from '../harness/process-outage.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, signIn } from './console-steps.ts';
import { clockText, leaveAudioOut, seeTiles } from './playback-frame.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const NAMES = ['Gate House', 'Main Lobby', 'Dock 3'] as const;
const OFFLINE = 'VDDOCK0006';
/** On a busy machine cameras leave pictures out and their clocks are only nearly known; `npm run bench:playback` measures the skew itself. */
const TOGETHER_MS = 2500;

let product: Product;
let browser: Browser;
let operator: ApiClient;
let site: VirtualSite;
let watched: WatchedPage;
let page: Page;
const serials: string[] = [];
/** An instant that all three have footage of, with some around it. */
let middle: number;

beforeAll(async () => {
  [product, browser, site] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  for (const name of NAMES) {
    const camera = site.devices.find((device) => device.name === name);
    if (!camera) throw new Error(`no camera ${name}`);
    const { target, user, password } = camera;
    serials.push((await operator.ok('device/add', { target, user, password, deviceName: name })).device.deviceSerial);
  }
  middle = await waitFor('24 s of each', common, 120_000);
  await fetch(`${site.controlUrl}/devices/${OFFLINE}/stop`, { method: 'POST', body: '{}' });
  watched = await openSignedIn(browser, product, { path: `/homepage/container?${address(1)}` });
  page = watched.page;
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

/** The middle of what all have recorded, once it is long enough. */
async function common(): Promise<number | undefined> {
  let from = 0;
  let to = Number.POSITIVE_INFINITY;
  for (const deviceSerial of serials) {
    const range = { startTime: Date.now() - 600_000, endTime: Date.now() };
    const span = (
      await operator.ok('record/query', { deviceSerial, channelNo: 1, ...range, srcType: 1 })
    ).recordList.at(-1);
    if (!span) return undefined;
    from = Math.max(from, span.startTime);
    to = Math.min(to, span.endTime);
  }
  return to - from >= 24_000 ? Math.round((from + to) / 2) : undefined;
}

function address(count: number): URLSearchParams {
  const place = new URLSearchParams({ device: serials[0] ?? '', channel: '1', time: String(middle - 4000) });
  if (count === 1) return place;
  place.set('split', '4');
  place.set(
    'cells',
    serials
      .slice(0, count)
      .map((serial) => `${serial}:1`)
      .join(','),
  );
  return place;
}

/** Waits until every window shows the same instant; where one is asked for, until all stand still there. */
function together(count: number, at?: number): Promise<readonly number[]> {
  return waitFor(
    `${count} pictures of one instant`,
    async () => {
      const { strips, states, shownAt } = await seeTiles(page);
      const times = strips.flatMap((strip) => (strip ? [strip.wallMs] : []));
      const isThere =
        at === undefined ||
        (Math.abs(shownAt - at) < 1000 && states.filter((state) => state === 'paused').length === count);
      if (isThere && times.length === count && Math.max(...times) - Math.min(...times) <= TOGETHER_MS) return times;
      throw new Error(`${states.join(' ')} at ${shownAt}: ${times.map((time) => time - shownAt).join(' ')}`);
    },
    45_000,
  );
}

/** Paused, where all three have footage: a busy machine plays past its end before a test looks. */
async function standInTheMiddle(count: number): Promise<readonly number[]> {
  const at = Math.floor((middle - 4000) / 1000) * 1000;
  await page.keyboard.press('k');
  await page.keyboard.press('t');
  const field = page.getByLabel(words['playback.goToTime']);
  await field.fill(clockText(at));
  await field.press('Enter');
  await field.evaluate((input: HTMLElement) => input.blur());
  return together(count, at);
}

/** Of the first window. */
async function frame(): Promise<number> {
  return (await seeTiles(page)).strips[0]?.frame ?? -1;
}

describe('several windows', () => {
  it('adds cameras from the tree, all at the same instant', async () => {
    await together(1);
    await standInTheMiddle(1);
    await page.keyboard.press('2');
    await page.getByText(words['playback.emptyTile']).first().waitFor();
    await page.getByRole('treeitem', { name: NAMES[1] }).click();
    await page.getByRole('treeitem', { name: NAMES[2] }).click();
    await together(3);
    const cells = `${serials.map((serial) => `${serial}:1`).join(',')},`;
    await expect.poll(() => new URL(page.url()).searchParams.get('cells')).toBe(cells);
    // Each lane of the timeline has the name of its camera, and its colours are explained.
    await expect.poll(() => page.locator('[data-lanes] li').allTextContents()).toEqual([...NAMES]);
    await page.getByRole('list', { name: words['playback.legend'] }).getByText(words['playback.legendAlarm']).waitFor();
    await expectNoProblems(watched, 'playback-wall');
  });

  it('locks a range of all cameras at once: one protection with its name, cameras and reason', async () => {
    const [at = 0] = await standInTheMiddle(3);
    await page.keyboard.press('i');
    await page.keyboard.press('l');
    await waitFor('two seconds of playback', async () => (await seeTiles(page)).shownAt >= at + 2000, 30_000);
    await page.keyboard.press('k');
    await page.keyboard.press('o');
    await page.keyboard.press('Shift+L');
    const dialog = page.getByRole('dialog', { name: words['marks.lockRange'] });
    await dialog.getByText(NAMES.join(', ')).waitFor();
    await dialog.getByLabel(words['marks.name']).fill('Theft');
    await dialog.getByLabel(words['marks.reason']).fill('Case 17');
    await dialog.getByRole('button', { name: words['marks.lock'], exact: true }).click();
    await page
      .getByText(
        words['marks.locked']
          .replace('{name}', 'Theft')
          .replace('{cameras}', words['export.items_other'].replace('{count}', '3')),
      )
      .waitFor();
    await page.getByRole('button', { name: words['marks.open'], exact: true }).click();
    const list = page.getByRole('dialog', { name: words['marks.title'] });
    const row = list.getByRole('listitem');
    await row.getByText(NAMES.join(', ')).waitFor();
    await row.getByText('Case 17').waitFor();
    expect(await row.count()).toBe(1);
    await expectNoProblems(watched, 'playback-lock-of-three');
    const locked = async (): Promise<number> => {
      const totals = await Promise.all(
        serials.map(
          async (deviceSerial) => (await operator.ok('record/lock/list', { deviceSerial, channelNo: 1 })).total,
        ),
      );
      return totals.reduce((sum, total) => sum + total, 0);
    };
    expect(await locked()).toBe(3);
    await row.getByRole('button', { name: words['marks.unlock'].replace('{name}', 'Theft') }).click();
    await list.getByText(words['marks.unlocked'].replace('{name}', 'Theft')).waitFor();
    expect(await locked()).toBe(0);
    await list.getByRole('button', { name: words['marks.undo'] }).click();
    await row.getByText(NAMES.join(', ')).waitFor();
    await waitFor('all locks to be back', async () => (await locked()) === 3);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });

  it('plays all of them, including the offline camera', async () => {
    const [before = 0] = await standInTheMiddle(3);
    const deviceSerial = serials[2] ?? '';
    const status = async (): Promise<number> => (await operator.ok('device/get', { deviceSerial })).device.status;
    await waitFor('the camera to be offline', async () => (await status()) === 0, 60_000);
    await page.keyboard.press('l');
    const after = await waitFor(
      'two seconds more',
      async () => {
        const times = await together(3);
        if (Math.min(...times) > before + 2000) return times;
        throw new Error(`only ${times.map((time) => time - before).join(' ')} ms on`);
      },
      30_000,
    );
    expect(Math.max(...after) - Math.min(...after)).toBeLessThanOrEqual(TOGETHER_MS);
    await page.keyboard.press('k');
  });

  it('is muted until a window is selected for audio, one at a time', async () => {
    await page.goto(`${product.url}/homepage/container?${address(3)}`);
    const tiles = page.locator('[data-playback]');
    await tiles.first().waitFor();
    await page.evaluate(() => {
      const heard = { pieces: 0, loudest: 0 };
      Object.assign(window, { heard });
      const { start } = AudioBufferSourceNode.prototype;
      AudioBufferSourceNode.prototype.start = function (...how) {
        const samples = this.buffer?.getChannelData(0) ?? new Float32Array();
        heard.pieces++;
        heard.loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), heard.loudest);
        start.apply(this, how);
      };
    });
    const heard = () =>
      page.evaluate(() => (window as unknown as { heard: Record<'pieces' | 'loudest', number> }).heard);
    await standInTheMiddle(3);
    await page.keyboard.press('l');
    await waitFor('all to play', async () => (await page.locator('[data-state="playing"]').count()) === 3, 30_000);
    expect(await heard()).toMatchObject({ pieces: 0 });
    await tiles.first().hover();
    await tiles.first().getByRole('button', { name: words['live.unmute'] }).click();
    await waitFor(
      'a piece of sound with a beep',
      async () => {
        const sound = await heard();
        if (sound.pieces >= 1 && sound.loudest > 0.05) return true;
        throw new Error(JSON.stringify(sound));
      },
      30_000,
    );
    await page.keyboard.press('k');
    await tiles.first().getByRole('button', { name: words['live.mute'] }).click();
    for (const at of [0, 1]) {
      await tiles.nth(at).hover();
      await tiles.nth(at).getByRole('button', { name: words['live.unmute'] }).click();
      await expect.poll(() => page.locator('[data-playback] button[aria-pressed="true"]').count()).toBe(1);
      await tiles.nth(at).getByRole('button', { name: words['live.mute'] }).waitFor();
    }
  });

  it('maximised, a camera is never black: its picture stays until the better stream shows its first', async () => {
    await page.goto(`${product.url}/homepage/container?${address(3)}`);
    await together(3);
    await page.keyboard.press('3');
    await page.locator('[data-wall="9"]').waitFor();
    await together(3);
    await page.evaluate(() => {
      const seen = { frames: 0, black: 0 };
      Object.assign(window, { seen });
      const look = (): void => {
        const surfaces = [...document.querySelectorAll<HTMLCanvasElement>('[data-playback] canvas[data-surface]')];
        const tiles = document.querySelectorAll('[data-playback]').length;
        // A canvas without a picture has the size that all new ones have, or none.
        const shown = new Set(surfaces.filter(({ width }) => width > 300).map((one) => one.closest('[data-playback]')));
        seen.frames++;
        if (shown.size < tiles) seen.black++;
        requestAnimationFrame(look);
      };
      look();
    });
    await page.locator('[data-playback]').first().dblclick();
    await page.locator('[data-wall="1"]').waitFor();
    await together(1);
    const surfaces = page.locator('[data-playback] canvas[data-surface]');
    await waitFor('the better stream alone', async () => (await surfaces.count()) === 1);
    const { frames, black } = await page.evaluate(
      () => (window as unknown as { seen: { frames: number; black: number } }).seen,
    );
    expect(frames).toBeGreaterThan(0);
    expect(black).toBe(0);
    await page.locator('[data-playback]').first().dblclick();
    await page.locator('[data-wall="9"]').waitFor();
    await together(3);
  });
});

describe('single frames', () => {
  it('steps to exactly the next and the previous frame', async () => {
    await page.goto(`${product.url}/homepage/container?${address(3)}`);
    await together(3);
    // Steps are counted by the window that is chosen.
    await page.locator('[data-playback]').first().click();
    const chosen = async () => page.locator('[data-playback]').first().getAttribute('data-selected');
    await waitFor('the first window to be chosen', async () => (await chosen()) === 'true');
    await standInTheMiddle(3);
    let expected = await frame();
    for (const [key, by] of [
      ['.', 1],
      ['.', 1],
      ['.', 1],
      [',', -1],
      [',', -1],
      [',', -1],
      [',', -1],
    ] as const) {
      expected += by;
      await page.keyboard.press(key);
      const wanted = expected;
      let seen = -1;
      await waitFor(`picture ${wanted}`, async () => {
        seen = await frame();
        if (seen !== wanted) throw new Error(`it shows ${seen}`);
        return true;
      });
    }
    await page.locator('[data-playback] time').first().waitFor();
  });

  it('plays in reverse and at higher speed', async () => {
    await page.goto(`${product.url}/homepage/container?${address(1)}`);
    await together(1);
    await standInTheMiddle(1);
    const from = await frame();
    await page.keyboard.press('j');
    const frames: number[] = [from];
    await waitFor('six pictures back', async () => {
      const now = await frame();
      if (now >= 0 && now !== frames.at(-1)) frames.push(now);
      return frames.length > 6;
    });
    expect(frames).toEqual(frames.toSorted((a, b) => b - a));
    await page.keyboard.press('k');
    await page.getByRole('button', { name: new RegExp(`^${words['playback.speed']}`) }).click();
    await page.getByRole('menuitemradio', { name: '16×', exact: true }).click();
    const slow = await frame();
    const play = page.getByRole('button', { name: words['playback.play'], exact: true });
    await play.click();
    // Twelve seconds of footage lie ahead and more: no line and no machine is so slow that playback leaves its pictures out. On a
    // quick one the key pictures that count pass within half a second, and behind the last of them nothing is shown: who looked too
    // late looks again.
    await waitFor(
      'pictures five seconds on',
      async () => {
        const now = await frame();
        if (now > slow + 100) return true;
        const state = await page.locator('[data-playback]').first().getAttribute('data-state');
        if (state === 'playing' || state === 'loading') throw new Error(`${now} after ${slow}, ${state}`);
        await standInTheMiddle(1);
        await play.click();
        return false;
      },
      60_000,
    );
    expect(watched.problems).toEqual([]);
  });

  it('shows a thumbnail where the pointer rests on the timeline, and while it is dragged', async () => {
    await page.goto(`${product.url}/homepage/container?${address(1)}`);
    await together(1);
    await standInTheMiddle(1);
    const timeline = page.getByRole('slider');
    await timeline.focus();
    for (let step = 0; step < 10; step++) await page.keyboard.press('+');
    const box = await timeline.boundingBox();
    if (!box) throw new Error('the timeline is not in sight');
    const xOf = async (at: number): Promise<number> => {
      const [from, to] = await Promise.all(['data-from', 'data-to'].map((name) => timeline.getAttribute(name)));
      return box.x + (box.width * (at - Number(from))) / (Number(to) - Number(from));
    };
    const preview = page.locator('[data-scrub]');
    const pictureUnderPointer = () =>
      waitFor('a picture', () =>
        preview.evaluate((canvas: HTMLCanvasElement) => {
          const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
          return pixels.some((value, at) => at % 4 < 3 && value > 60);
        }),
      );
    // Where the pointer rests it needs no press.
    await page.mouse.move(await xOf(middle - 6000), box.y + 70);
    await preview.waitFor();
    await pictureUnderPointer();
    await expectNoProblems(watched, 'playback-rest');
    await page.mouse.move(box.x + 20, box.y - 200);
    await preview.waitFor({ state: 'detached' });
    // The view ends at the present, so the playhead may stand at its right edge.
    const pressedAt = Math.min(await xOf(middle - 4000), box.x + box.width - 20);
    await page.mouse.move(pressedAt, box.y + 70);
    await page.mouse.down();
    await page.mouse.move(pressedAt - 40, box.y + 70, { steps: 3 });
    await preview.waitFor();
    await pictureUnderPointer();
    await expectNoProblems(watched, 'playback-scrub');
    await page.mouse.up();
    await preview.waitFor({ state: 'detached' });
  });
});

describe('while the site is down', () => {
  it('[FT-17] says so, keeps the position, and resumes by itself when the site is back', async () => {
    const path = `/homepage/container?${address(1)}`;
    const other = await openSignedIn(browser, product, { path, allowed: DOWN_ERRORS });
    const tile = other.page.locator('[data-playback]').first();
    const state = () => tile.getAttribute('data-state');
    const pictureAt = async () => (await seeTiles(other.page)).strips[0]?.wallMs;
    await waitFor('a picture', pictureAt);
    let stoodAt = 0;
    await whileDown(product, 'main-site.ts', async () => {
      await other.page.getByText(words['playback.failed']).waitFor({ timeout: 60_000 });
      stoodAt = (await seeTiles(other.page)).shownAt;
      await expectNoProblems(other, 'playback-server-away');
    });
    const next = await waitFor(
      'a picture behind it',
      async () => {
        const at = (await state()) === 'playing' ? await pictureAt() : undefined;
        return at !== undefined && at > stoodAt - 1000 && at;
      },
      60_000,
    );
    // What nobody could see is not left out.
    expect(next - stoodAt).toBeLessThan(20_000);
    expect(other.problems).toEqual([]);
    await other.close();
  });
});

describe('without WebCodecs', () => {
  it('plays by HLS, and says what is unavailable and why', async () => {
    const limited = await openPage(browser, { colorScheme: 'light' });
    await limited.context.addInitScript('delete globalThis.VideoDecoder');
    await limited.page.goto(
      `${product.url}/login?${new URLSearchParams({ from: `/homepage/container?${address(1)}` })}`,
    );
    await signIn(limited.page, words, ...OPERATOR);
    await waitFor('a picture', async () => (await seeTiles(limited.page)).strips[0] ?? undefined, 45_000);
    await expect.poll(() => limited.page.locator('[data-playback] video').count()).toBe(1);
    expect(await limited.page.getByRole('button', { name: words['playback.reverse'] }).count()).toBe(0);
    await limited.page.getByText(words['playback.limited']).click();
    await limited.page.getByText(words['playback.limitedNoDecoder']).waitFor();
    await expectNoProblems(limited, 'playback-limited');
    await leaveAudioOut(limited.page);
    await limited.page.reload();
    await limited.page.getByText(words['playback.audioLeftOut']).waitFor();
    await expectNoProblems(limited, 'playback-without-audio');
    await limited.close();
  });
});
