// Edge intelligence from the drawing to the alarm: a task that was drawn in the browser rings for somebody in the street, with the picture and its box.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { seeTiles } from './playback-frame.ts';
import { dragPoint } from './region-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');
/** A street with people on the pavement and cars both ways: somebody comes by every few seconds. */
const STREET = '西门街道';

describe.skipIf(!hasAnalystRuntime)('a task that is drawn', () => {
  let product: Product;
  let cameras: VirtualSite;
  let browser: Browser;
  let operator: ApiClient;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    const env = { VEDETTE_ANALYST: analystRuntime };
    [product, browser, cameras] = await Promise.all([Product.start({ env }), openBrowser(), startVirtualSite()]);
    operator = await product.setUp(...OPERATOR);
    await addAll(
      operator,
      cameras.devices.filter(({ name }) => name === STREET),
    );
    await waitFor('the camera', async () => (await operator.ok('device/list', { status: 1 })).total === 1, 60_000);
    watched = await openSignedIn(browser, product, { path: '/homepage/edgeIntelligence' });
    page = watched.page;
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await cameras?.stop();
    await product?.stop();
  });

  const choose = async (label: string, option: string): Promise<void> => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it('runs at its site, and says what it costs', async () => {
    await button(words['edge.add']).click();
    await page.getByLabel(words['edge.name'], { exact: true }).fill('Street');
    await choose(words['edge.camera'], STREET);
    await choose(words['edge.rule'], words['edge.algorithm.intrusion']);
    await page.locator('[data-live] video').first().waitFor();
    await button(words['edge.addZone']).click();
    // Where feet are: the pavement and the street.
    for (const [number, x] of [
      [3, 0.98],
      [4, 0.02],
    ] as const) {
      const handle = words['edge.point'].replace('{name}', 'Zone 1').replace('{number}', String(number));
      await dragPoint(page, button(handle), { x, y: 0.97 });
    }
    await expectNoProblems(watched, 'edge-street');
    await button(words['common.save']).click();
    const row = page.getByRole('row', { name: `Street ${STREET}` });
    await row.getByText(words['edge.state.running']).waitFor({ timeout: 60_000 });
    await page.getByText(/\d ms a picture/).waitFor({ timeout: 90_000 });
    await expectNoProblems(watched, 'edge-running');
  });

  it('[RS-03] draws boxes over the live video where somebody wants them, and forgets them where nobody does', async () => {
    const [device] = (await operator.ok('device/list', {})).deviceList;
    await page.goto(`${product.url}/homepage/liveVideo?device=${device?.deviceSerial}&channel=1`);
    await page.locator('[data-cell][data-state="live"]').first().waitFor({ timeout: 30_000 });
    expect(await page.locator('canvas[data-boxes]').count()).toBe(0);
    await page.keyboard.press('d');
    const boxes = page.locator('canvas[data-boxes]').first();
    await waitFor('boxes', async () => /People|Vehicles/.test(await boxes.evaluate(paintedBoxes)), 60_000);
    await expectNoProblems(watched, 'edge-live-boxes');
    await page.keyboard.press('d');
    await expect.poll(() => boxes.count()).toBe(0);
    expect(watched.problems).toEqual([]);
  });

  it('[RS-03] rings for somebody in its zone, with the picture in which it was seen and its box', async () => {
    const alarm = await waitFor(
      'somebody in the zone',
      async () => (await operator.ok('alarm/list', { types: ['IntrusionAlarm'] })).alarmList.at(0),
      120_000,
    );
    expect(alarm.source).toMatchObject({ detector: 'Vedette' });
    await page.goto(`${product.url}/homepage/alarmMsg`);
    await page.locator(`[data-alarm="${alarm.alarmId}"]`).click();
    const details = page.getByRole('complementary', { name: words['alarmType_IntrusionAlarm'] });
    await details.getByText(words['alarms.recognised']).waitFor();
    await details.getByText('Zone 1', { exact: true }).waitFor();
    const image = details.getByRole('img', { name: words['alarms.picture'] });
    await expect
      .poll(() => image.evaluate((shown) => (shown instanceof HTMLImageElement ? shown.naturalWidth : 0)))
      .toBe(640);
    const box = details.getByRole('img', { name: words['alarms.objectBox'] });
    await box.scrollIntoViewIfNeeded();
    await expectNoProblems(watched, 'edge-alarm-of-site');
    expect(watched.problems).toEqual([]);
  });

  it('[RS-03] is found again by the search with its best picture, and its recording plays from that moment', async () => {
    await page.goto(`${product.url}/homepage/edgeIntelligence`);
    await page.getByText(words['edge.section.search'], { exact: true }).click();
    const found = page.getByRole('list', { name: words['edge.search.results'] }).getByRole('listitem');
    await found.first().waitFor({ timeout: 60_000 });
    await expect
      .poll(() =>
        found
          .first()
          .locator('img')
          .evaluate((img) => (img as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThan(50);
    await expectNoProblems(watched, 'edge-search');
    const animals = page.getByRole('button', { name: words['edge.class.animal'], exact: true });
    await animals.click();
    await page.getByText(words['edge.search.none'], { exact: true }).waitFor();
    await expectNoProblems(watched, 'edge-search-none');
    await animals.click();
    await choose(words['edge.camera'], STREET);
    await page.getByRole('switch', { name: words['edge.search.area'] }).click();
    await page.locator('[data-live] video').first().waitFor();
    const corner = (number: number) =>
      button(words['edge.point'].replace('{name}', words['edge.search.area']).replace('{number}', String(number)));
    // Nobody walks in the sky, everybody below it.
    await dragPoint(page, corner(1), { x: 0.02, y: 0.03 });
    await dragPoint(page, corner(2), { x: 0.98, y: 0.03 });
    await dragPoint(page, corner(3), { x: 0.98, y: 0.25 });
    await dragPoint(page, corner(4), { x: 0.02, y: 0.25 });
    await page.getByText(words['edge.search.none'], { exact: true }).waitFor();
    await dragPoint(page, corner(3), { x: 0.98, y: 0.97 });
    await dragPoint(page, corner(4), { x: 0.02, y: 0.97 });
    await found.first().waitFor();
    await expectNoProblems(watched, 'edge-search-area');
    await page.getByRole('switch', { name: words['edge.search.area'] }).click();
    const path = '/homepage/edgeIntelligence?section=search';
    const phone = { path, width: 390, height: 844, locale: 'zh-CN', colorScheme: 'light' } as const;
    const small = await openSignedIn(browser, product, phone);
    await small.page.locator('a[href*="time="] img').first().waitFor();
    await expectNoProblems(small, 'edge-search-phone');
    await small.page.close();
    await found
      .first()
      .getByText(/Zone 1/)
      .waitFor();
    await found.first().getByRole('link').click();
    await page.waitForURL(/container\?device=.*time=\d{13}/);
    const asked = Number(new URL(page.url()).searchParams.get('time'));
    const played = await waitFor(
      'a frame of that time',
      async () => (await seeTiles(page)).strips[0] ?? undefined,
      60_000,
    );
    expect(Math.abs(played.wallMs - asked)).toBeLessThan(15_000);
    expect(watched.problems).toEqual([]);
  });

  it('[RS-03] stands on the timeline of playback by its class, and has its box in the recording', async () => {
    const seen = page.locator('[data-seen]');
    await seen.first().waitFor({ state: 'attached' });
    expect(await seen.first().textContent()).toMatch(/^(People|Vehicles), seen from .+ to .+/);
    await page
      .getByText(words['edge.class.vehicle'], { exact: true })
      .or(page.getByText(words['edge.class.person'], { exact: true }))
      .first()
      .waitFor();
    await page.keyboard.press('d');
    const boxes = page.locator('[data-playback] canvas[data-boxes]');
    await waitFor('boxes', async () => /People|Vehicles/.test(await boxes.evaluate(paintedBoxes)), 60_000);
    await expectNoProblems(watched, 'edge-playback-boxes');
    await page.keyboard.press('d');
    expect(watched.problems).toEqual([]);
  });

  it('[RS-03] tells, before a task is saved, what it would have told of the last recordings, each played from its moment', async () => {
    const [task] = (await operator.ok('ai/task/list', {})).taskList;
    const { deviceSerial = '', channelNo = 1 } = task ?? {};
    await page.goto(`${product.url}/homepage/edgeIntelligence`);
    await page.getByRole('row', { name: `Street ${STREET}` }).click();
    const test = page.getByRole('region', { name: words['edge.replay.title'] });
    await test.getByRole('button', { name: words['edge.replay.start'], exact: true }).click();
    const told = test.getByRole('list', { name: words['edge.replay.events'] }).getByRole('listitem');
    await told.first().waitFor({ timeout: 120_000 });
    await test.scrollIntoViewIfNeeded();
    await expectNoProblems(watched, 'edge-replay-dark');
    // Live frames go first, so on a busy machine the rest takes long.
    await stopReplay(test, words);
    await test.getByText(/^(Stopped at \d+ %|Alarms in \d+ minutes)/).waitFor();
    await expect
      .poll(() =>
        told
          .first()
          .locator('img')
          .evaluate((img) => (img as HTMLImageElement).naturalWidth),
      )
      .toBe(320);
    await button(words['edge.class.vehicle']).click();
    await test.getByText(words['edge.replay.changed']).waitFor();
    await button(words['edge.class.vehicle']).click();
    expect((await operator.ok('ai/task/list', {})).total).toBe(1);
    await seeReplayInChinese();
    await told.first().getByRole('link').click();
    await page.waitForURL(new RegExp(`container\\?device=${deviceSerial}&channel=${channelNo}&time=\\d{13}`));
    await waitFor('a frame', async () => (await seeTiles(page)).strips[0] ?? undefined, 60_000);
    expect(watched.problems).toEqual([]);
  }, 300_000);

  /** In light colours, and on a phone. */
  async function seeReplayInChinese(): Promise<void> {
    const path = '/homepage/edgeIntelligence';
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const other = await openSignedIn(browser, product, { path, ...size, locale: 'zh-CN', colorScheme: 'light' });
      await other.page.getByRole('row', { name: `Street ${STREET}` }).click();
      const test = other.page.getByRole('region', { name: chinese['edge.replay.title'] });
      await test.getByRole('button', { name: chinese['edge.replay.start'], exact: true }).click();
      await test.getByRole('listitem').first().waitFor({ timeout: 120_000 });
      await test.scrollIntoViewIfNeeded();
      await expectNoProblems(other, `edge-replay-light-${size.width}`);
      // One runs at a time: the next page is another session.
      await stopReplay(test, chinese);
      await other.context.close();
    }
  }
});

/** It may be over by itself. */
async function stopReplay(test: Locator, of: typeof words): Promise<void> {
  const [stop, start] = (['edge.replay.stop', 'edge.replay.start'] as const).map((name) =>
    test.getByRole('button', { name: of[name], exact: true }),
  );
  if (stop === undefined || start === undefined) return;
  await stop.or(start).waitFor();
  if (await stop.isVisible()) await stop.click();
  await start.waitFor();
}

/** What the boxes of a canvas are said to show; empty where nothing is drawn on it. */
function paintedBoxes(canvas: Element): string {
  const { width, height } = canvas as HTMLCanvasElement;
  const data = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
  const isPainted = data.some((value, at) => at % 4 === 3 && value > 0);
  return isPainted ? (canvas.getAttribute('aria-label') ?? '') : '';
}
