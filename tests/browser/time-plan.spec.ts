// Weekly plan editor: painted by mouse and keys, typed by rows, copied, validated, confirmed, cancelled; then stored as a recording plan.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, saying } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let site: VirtualSite;
let watched: WatchedPage;
let page: Page;
let dev: { deviceSerial: string; channelNo: number };

beforeAll(async () => {
  [product, browser, site] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  const camera = site.devices.find(({ kind }) => kind === 'camera');
  if (!camera) throw new Error('no camera');
  const { target, user, password } = camera;
  const { device } = await operator.ok('device/add', { target, user, password, deviceName: 'Gate' });
  dev = { deviceSerial: device.deviceSerial, channelNo: 1 };
  watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  page = watched.page;
  await page.getByRole('row', { name: /Gate/ }).click();
  await button(words['recordPlan.edit']).waitFor();
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const dialog = (): Locator => page.getByRole('dialog', { name: saying(words['recordPlan.dialog']) });
const surface = (): Locator => dialog().locator('[data-time-plan]');
const segments = (): Locator => dialog().getByRole('slider');
const start = (row: number): Locator => dialog().getByLabel(words['timePlan.rowStart'].replace('{row}', String(row)));
const end = (row: number): Locator => dialog().getByLabel(words['timePlan.rowEnd'].replace('{row}', String(row)));
const inDialog = (name: string): Locator => dialog().getByRole('button', { name, exact: true });
const day = (name: string): Locator =>
  dialog().getByRole('radiogroup', { name: words['timePlan.day'] }).getByText(name);

async function openDialog(): Promise<void> {
  await button(words['recordPlan.edit']).click();
  await surface().waitFor();
}

async function names(): Promise<string[]> {
  return await segments().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
}

/** Where an hour of a row lies; the painter is 520 by 225 with eight rows under a line of hours. */
async function at(row: number, hour: number): Promise<{ x: number; y: number }> {
  const box = await surface().boundingBox();
  if (!box) throw new Error('no painter');
  const rowPx = (box.height - 17) / 8;
  return { x: box.x + 62 + (hour / 24) * (box.width - 76), y: box.y + 17 + (row + 0.5) * rowPx };
}

async function paint(row: number, from: number, to: number): Promise<void> {
  const [one, other] = [await at(row, from), await at(row, to)];
  await page.mouse.move(one.x, one.y);
  await page.mouse.down();
  await drawn();
  await page.mouse.move(other.x, other.y, { steps: 4 });
  await page.mouse.up();
  await drawn();
}

/** No hand is so quick as to begin the next stroke before the last one is on the screen. */
async function drawn(): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

describe('[WG-04] [WG-05] the plan editor', () => {
  it('is 520 by 225 with eight rows, and reset clears it', async () => {
    await openDialog();
    const size = async () => {
      const box = await surface().boundingBox();
      return [box?.width, box?.height];
    };
    await expect.poll(size).toEqual([520, 225]);
    await expect.poll(async () => Math.round((await dialog().boundingBox())?.width ?? 0)).toBe(682);
    // As long as nobody said otherwise it records always.
    await expect.poll(() => segments().count()).toBe(8);
    await inDialog(words['timePlan.reset']).click();
    await expect.poll(() => segments().count()).toBe(0);
  });

  it('paints by mouse: neighbours merge, another type cuts, the eraser removes, an edge is dragged', async () => {
    await paint(1, 8, 12);
    await paint(1, 12, 16);
    await expect.poll(names).toEqual(['Monday, 08:00:00 to 16:00:00, Continuous']);
    await dialog().getByText(words['recordPlan.event'], { exact: true }).click();
    await paint(1, 10, 11);
    await expect
      .poll(names)
      .toEqual([
        'Monday, 08:00:00 to 10:00:00, Continuous',
        'Monday, 10:00:00 to 11:00:00, On events',
        'Monday, 11:00:00 to 16:00:00, Continuous',
      ]);
    await paint(1, 16, 20);
    await dialog().getByText(words['timePlan.eraser'], { exact: true }).click();
    await paint(1, 10, 20);
    await expect.poll(names).toEqual(['Monday, 08:00:00 to 10:00:00, Continuous']);
    await dialog().getByText(words['recordPlan.continuous'], { exact: true }).click();
    await paint(1, 10, 13);
    await expect.poll(names).toEqual(['Monday, 08:00:00 to 13:00:00, Continuous']);
    await paint(2, 22, 24);
    await expect.poll(async () => (await names())[1]).toBe('Tuesday, 22:00:00 to 23:59:59, Continuous');
    await expectNoProblems(watched, 'plan-dialog');
  });

  it('paints by keyboard alone; segments move, grow and are deleted by keys', async () => {
    await surface().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Space', 'ArrowRight', 'ArrowRight', 'Enter']) {
      await page.keyboard.press(key);
    }
    await expect.poll(async () => (await names())[2]).toBe('Wednesday, 08:00:00 to 09:00:00, Continuous');
    await segments().nth(2).focus();
    for (const key of ['ArrowRight', 'Control+ArrowRight', '2']) await page.keyboard.press(key);
    await expect.poll(async () => (await names())[2]).toBe('Wednesday, 08:05:00 to 09:10:00, On events');
    await page.keyboard.press('Delete');
    await expect.poll(names).toHaveLength(2);
  });

  it('[VA-08] refuses the ninth segment of a day, naming day and maximum', async () => {
    for (let hour = 0; hour < 18; hour += 2) await paint(4, hour, hour + 1);
    const thursday = async () => (await names()).filter((name) => name.startsWith('Thursday'));
    await expect.poll(thursday).toHaveLength(8);
    const refused = words['timePlan.tooMany'].replace('{day}', 'Thursday').replace('{maximum}', '8');
    await expect.poll(() => dialog().getByRole('alert').textContent()).toContain(refused);
  });
});

describe('[WG-06] [VA-08] the dialog', () => {
  it('edits a day by rows and accepts it only when valid, naming day and row', async () => {
    await inDialog(words['timePlan.reset']).click();
    await day('Mon').click();
    await start(1).fill('8');
    await end(1).fill('1200');
    await end(1).blur();
    const firstRow = async () => [await start(1).inputValue(), await end(1).inputValue()];
    await expect.poll(firstRow).toEqual(['08:00:00', '12:00:00']);
    await expect.poll(names).toEqual(['Monday, 08:00:00 to 12:00:00, Continuous']);
    const onRow = (phrase: string): string => phrase.replace('{day}', 'Monday').replace('{row}', '2');
    const problems = [
      ['13:00:00', '', onRow(words['timePlan.incomplete'])],
      ['13:00:00', '13:00:00', onRow(words['timePlan.startNotBeforeEnd'])],
      ['11:00:00', '13:00:00', onRow(words['timePlan.overlap'])],
      ['25:00:00', '26:00:00', onRow(words['timePlan.notATime'])],
    ] as const;
    for (const [from, to, sentence] of problems) {
      await start(2).fill(from);
      await end(2).fill(to);
      await day('Tue').click();
      await expect.poll(() => dialog().getByRole('alert').textContent(), { message: sentence }).toContain(sentence);
      expect(await start(1).inputValue()).toBe('08:00:00');
    }
    await expectNoProblems(watched, 'plan-problem');
    await start(2).fill('13:00:00');
    await end(2).fill('17:00:00');
    await day('Tue').click();
    await expect.poll(() => start(1).inputValue()).toBe('');
  });

  it('copies the current day to the selected days', async () => {
    await day('Mon').click();
    for (const name of ['Wed', 'Holiday']) await dialog().locator('fieldset').getByText(name, { exact: true }).click();
    await inDialog(words['timePlan.copy']).click();
    await expect
      .poll(async () => (await names()).map((name) => name.split(',')[0]))
      .toEqual(['Monday', 'Monday', 'Wednesday', 'Wednesday', 'Holiday', 'Holiday']);
  });

  it('cancel restores the former plan; confirm keeps it, and saving stores it', async () => {
    await inDialog(words['common.cancel']).click();
    await dialog().waitFor({ state: 'hidden' });
    await openDialog();
    await expect.poll(() => segments().count()).toBe(8);
    await inDialog(words['timePlan.presets']).click();
    await page.getByRole('menuitem', { name: words['recordPlan.workHours'] }).click();
    await expect.poll(() => segments().count()).toBe(5);
    await inDialog(words['timePlan.confirm']).click();
    await page.getByRole('switch', { name: words['recordPlan.empty'] }).click();
    await page.getByLabel(words['edge.class.animal'], { exact: true }).check();
    await expectNoProblems(watched, 'plan-empty-retention');
    await button(words['common.save']).click();
    await page.getByText(words['recordPlan.saved']).waitFor();
    const { plan, emptyRetention } = await operator.ok('record/plan/get', dev);
    expect(plan.find((one) => one.day === 1)?.entryList).toEqual([
      { StartTime: '08:00:00', EndTime: '18:00:00', Type: 1 },
    ]);
    expect(plan.find((one) => one.day === 7)?.entryList).toEqual([]);
    expect(emptyRetention).toEqual({ classList: ['person', 'animal'], days: 3 });
    await expectNoProblems(watched, 'record-plan');
  });

  it('shows a plan that changed elsewhere, and can show the local edit again', async () => {
    const { timeZone: _zone, ...seen } = await operator.ok('record/plan/get', dev);
    await operator.ok('record/plan/set', { ...dev, ...seen, retentionDays: 11 });
    const retention = page.getByLabel(words['recordPlan.retention']);
    await retention.fill('5');
    await button(words['common.save']).click();
    await page.getByText(words['recordPlan.newer']).waitFor();
    await expect.poll(() => retention.inputValue()).toContain('11');
    await expectNoProblems(watched, 'plan-newer');
    await button(words['recordPlan.mineBack']).click();
    await expect.poll(() => retention.inputValue()).toContain('5');
    await button(words['common.save']).click();
    await waitFor('mine to be kept', async () => (await operator.ok('record/plan/get', dev)).retentionDays === 5);
  });

  it('in Chinese and in the light theme', async () => {
    const chinese = LANGUAGES[1].words;
    const other = await openSignedIn(browser, product, {
      path: '/homepage/deviceManage',
      locale: 'zh-CN',
      colorScheme: 'light',
    });
    await other.page.getByRole('row', { name: /Gate/ }).click();
    await other.page.getByRole('button', { name: chinese['recordPlan.edit'] }).click();
    await other.page.getByText(chinese['timePlan.copyTo']).waitFor();
    await expectNoProblems(other, 'plan-zh-light');
    await other.close();
  });
});
