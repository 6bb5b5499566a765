// Edge intelligence in the console: a line and a zone drawn on the picture of a camera, kept, seen again, switched off and deleted; what is wrong is shown.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { cutOff } from './magnified-page.ts';
import { dragPoint } from './region-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const SCREEN = '/homepage/edgeIntelligence';
const words = wordsOf('en-US');
const chinese = wordsOf('zh-CN');

let product: Product;
let cameras: VirtualSite;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [product, browser, cameras] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  const [place] = await addAll(
    operator,
    cameras.devices.filter(({ name }) => name === 'Main Lobby'),
  );
  await waitFor('the camera to be online', async () => {
    const { device } = await operator.ok('device/get', { deviceSerial: place?.deviceSerial ?? '' });
    return device.status === 1;
  });
  watched = await openSignedIn(browser, product, { path: SCREEN });
  page = watched.page;
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await cameras?.stop();
  await product?.stop();
});

const button = (name: string, on: Page | Locator = page): Locator => on.getByRole('button', { name, exact: true });
const field = (name: string): Locator => page.getByLabel(name, { exact: true });
const point = (name: string, number: number): Locator =>
  button(words['edge.point'].replace('{name}', name).replace('{number}', String(number)));
const tasks = async () => (await operator.ok('ai/task/list', {})).taskList;

async function choose(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

const drag = (handle: Locator, to: { readonly x: number; readonly y: number }) => dragPoint(page, handle, to);

it('without tasks says what they are for, and what is missing at the site', async () => {
  await page.getByText(words['edge.noneDetail']).waitFor();
  const missing = words['edge.siteMissing'].replace('{command}', 'npm run analyst:install');
  await page.getByText(missing).waitFor();
  await expectNoProblems(watched, 'edge-empty-dark');
});

it('a line is drawn by pointer and by keys, and saved with its direction', async () => {
  await button(words['edge.add']).click();
  await page.getByText(words['edge.problem.noline']).waitFor();
  await page.getByText(words['edge.chooseCamera']).waitFor();
  expect(await button(words['common.save']).isDisabled()).toBe(true);
  await field(words['edge.name']).fill('Front door');
  await choose(words['edge.camera'], 'Main Lobby');
  await page.locator('[data-live] video').first().waitFor();
  await button(words['edge.addLine']).click();
  await drag(point('Line 1', 1), { x: 0.1, y: 0.8 });
  await point('Line 1', 2).press('ArrowUp');
  await point('Line 1', 2).press('Shift+ArrowRight');
  await page.getByText(words['edge.direction.in'], { exact: true }).click();
  await expectNoProblems(watched, 'edge-line-dark');
  await button(words['common.save']).click();
  await page.getByRole('row', { name: 'Front door Main Lobby' }).waitFor();
  const [task] = await tasks();
  expect(task).toMatchObject({ algorithm: 'lineCrossing', classList: ['person', 'vehicle'], threshold: 10 });
  const [line] = task?.regionList ?? [];
  expect(line).toMatchObject({ regionName: 'Line 1', kind: 'line', direction: 'in' });
  expect(line?.points[0]?.x).toBeCloseTo(0.1, 1);
  expect(line?.points[0]?.y).toBeCloseTo(0.8, 1);
  expect(line?.points[1]?.y).toBeCloseTo(0.495, 3);
  expect(line?.points[1]?.x).toBeCloseTo(0.8, 3);
  await expectNoProblems(watched, 'edge-list-dark');
});

it('a zone gets and loses points, and one that crosses itself is refused by name', async () => {
  await button(words['edge.add']).click();
  await field(words['edge.name']).fill('Yard');
  await choose(words['edge.camera'], 'Main Lobby');
  await choose(words['edge.rule'], words['edge.algorithm.crowdDensity']);
  await page.getByText(words['edge.problem.nozone']).waitFor();
  await page.locator('[data-live] video').first().waitFor();
  await button(words['edge.addZone']).click();
  await drag(point('Zone 1', 1), { x: 0.9, y: 0.5 });
  await page.getByText(words['edge.problem.shape'].replace('{name}', 'Zone 1')).waitFor();
  expect(await button(words['common.save']).isDisabled()).toBe(true);
  await expectNoProblems(watched, 'edge-crossed-dark');
  await drag(point('Zone 1', 1), { x: 0.2, y: 0.2 });
  const side = words['edge.addPoint'].replace('{name}', 'Zone 1').replace('{number}', '1');
  await button(side).click();
  expect(await point('Zone 1', 5).count()).toBe(1);
  await point('Zone 1', 4).press('Delete');
  expect(await point('Zone 1', 5).count()).toBe(0);
  await button(words['edge.class.vehicle']).click();
  await button(words['edge.class.person']).click();
  await page.getByText(words['edge.problem.classes']).waitFor();
  await button(words['edge.class.person']).click();
  await page.getByText(words['edge.advanced']).click();
  await page.getByRole('spinbutton', { name: words['edge.densityLow'] }).fill('8');
  await page.getByText(words['edge.problem.density']).waitFor();
  await page.getByRole('spinbutton', { name: words['edge.densityLow'] }).fill('2');
  await button(words['common.save']).click();
  await page.getByRole('row', { name: 'Yard Main Lobby' }).waitFor();
  const yard = (await tasks()).find(({ taskName }) => taskName === 'Yard');
  expect(yard).toMatchObject({ algorithm: 'crowdDensity', classList: ['person'], densityLevels: [2, 6, 10] });
  expect(yard?.regionList[0]?.points).toHaveLength(4);
});

it('what was drawn is seen again, and a change by somebody else is not overwritten', async () => {
  await page.getByRole('row', { name: 'Yard Main Lobby' }).click();
  await point('Zone 1', 4).waitFor();
  expect(await page.getByRole('textbox', { name: words['edge.name'], exact: true }).inputValue()).toBe('Yard');
  const yard = (await tasks()).find(({ taskName }) => taskName === 'Yard');
  if (yard === undefined) throw new Error('no such task');
  const { taskId, version, deviceSerial, channelNo, algorithm, regionList, classList } = yard;
  const scene = { algorithm, regionList, classList };
  await operator.ok('ai/task/save', { taskId, version, deviceSerial, channelNo, taskName: 'Court', ...scene });
  await field(words['edge.name']).fill('Garden');
  await button(words['common.save']).click();
  await page.getByText(words['errCode_1010']).waitFor();
  await button(words['common.cancel']).click();
  await button(words['unsaved.leave']).click();
  await page.getByRole('row', { name: 'Court Main Lobby' }).waitFor();
});

it('a task is switched off in the list, and deleted', async () => {
  await page.getByRole('switch', { name: words['edge.enable'].replace('{name}', 'Court') }).click({ force: true });
  await page.getByRole('row', { name: 'Court Main Lobby' }).getByText(words['edge.off']).waitFor();
  expect((await tasks()).find(({ taskName }) => taskName === 'Court')?.isEnabled).toBe(false);
  await page.getByRole('row', { name: 'Court Main Lobby' }).press('Enter');
  await button(words['edge.delete']).click();
  await button(words['edge.delete'], page.getByRole('dialog')).click();
  await page.getByRole('row', { name: 'Front door Main Lobby' }).waitFor();
  expect((await tasks()).map(({ taskName }) => taskName)).toEqual(['Front door']);
});

it('an alarm says in words what was recognised, and shows its box on the picture', async () => {
  const { token } = await operator.ok('event/key/add', { name: 'Analyser' });
  const picture = (await page.screenshot({ type: 'jpeg', quality: 60 })).toString('base64');
  const { deviceSerial = '', channelNo = 1 } = (await tasks())[0] ?? {};
  const seen = { class: 'person', score: '0.87', direction: 'in', region: 'Gate', box: '0.25 0.5 0.125 0.25' };
  const program = new ApiClient(product.url);
  program.accessToken = token;
  const { alarmId } = await program.ok('event/ingest', {
    deviceSerial,
    channelNo,
    type: 'IntrusionAlarm',
    data: seen,
    picture,
  });
  await page.goto(`${product.url}/homepage/alarmMsg`);
  await page.locator(`[data-alarm="${alarmId}"]`).click();
  const details = page.getByRole('complementary', { name: words['alarmType_IntrusionAlarm'] });
  await details.getByText(words['alarms.recognised']).waitFor();
  for (const word of ['Person', '87 %', 'In', 'Gate']) await details.getByText(word, { exact: true }).waitFor();
  const [box, image] = [
    details.getByRole('img', { name: words['alarms.objectBox'] }),
    details.getByRole('img', { name: words['alarms.picture'] }),
  ];
  await waitFor('the picture', async () => {
    const [inner, outer] = [await box.boundingBox(), await image.boundingBox()];
    if (inner === null || outer === null || outer.height < 50) return false;
    const shares = [
      (inner.x - outer.x) / outer.width,
      (inner.y - outer.y) / outer.height,
      inner.width / outer.width,
      inner.height / outer.height,
    ];
    return shares.every((share, at) => Math.abs(share - ([0.25, 0.5, 0.125, 0.25][at] ?? 0)) < 0.01);
  });
  await box.scrollIntoViewIfNeeded();
  await expectNoProblems(watched, 'edge-alarm-dark');
});

it('stands in Chinese, in light colours, and on a phone', async () => {
  const light = await openSignedIn(browser, product, {
    path: SCREEN,
    locale: 'zh-CN',
    colorScheme: 'light',
    width: 1920,
    height: 1080,
  });
  await light.page.getByText(chinese['edge.algorithm.lineCrossing']).waitFor();
  await expectNoProblems(light, 'edge-list-light-zh');
  await light.page.getByRole('row', { name: 'Front door Main Lobby' }).click();
  await light.page.locator('[data-live] video').first().waitFor();
  await expectNoProblems(light, 'edge-editor-light-zh');
  await light.context.close();
  const phone = await openSignedIn(browser, product, {
    path: SCREEN,
    width: 390,
    height: 844,
  });
  await phone.page.getByRole('row', { name: 'Front door Main Lobby' }).waitFor();
  await expectNoProblems(phone, 'edge-list-phone');
  expect(await cutOff(phone.page, 'main')).toEqual([]);
  await phone.page.getByRole('row', { name: 'Front door Main Lobby' }).click();
  await phone.page.locator('[data-live] video').first().waitFor();
  await expectNoProblems(phone, 'edge-editor-phone');
  expect(await cutOff(phone.page, 'main')).toEqual([]);
  await phone.context.close();
});
