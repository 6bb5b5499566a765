// The pictures of the manual, in both languages: where each is taken, and what is done on the page before.
import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { LANGUAGES, liveClock, type Words } from '../../tests/browser/console-steps.ts';
import { openSignedIn } from '../../tests/browser/signed-in.ts';
import { openPage } from '../../tests/harness/browser.ts';
import type { Product } from '../../tests/harness/product.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import type { ManualData } from './manual-data.ts';
import { writePicture } from './picture-file.ts';

/** Its shape is that of `.picture` in console/features/manual/manual-article.module.css. */
const SIZE = { width: 1280, height: 800 } as const;

interface Picture {
  readonly name: string;
  readonly theme: 'dark' | 'light';
  readonly address: string;
  readonly show?: (page: Page, words: Words) => Promise<void>;
}

type Language = (typeof LANGUAGES)[number];

const LOOKS = LANGUAGES.flatMap((language) => (['dark', 'light'] as const).map((theme) => ({ language, theme })));

export async function takeSetupScreenshots(browser: Browser, product: Product): Promise<void> {
  for (const language of LANGUAGES) {
    const { page, close } = await openPage(browser, { locale: language.locale, colorScheme: 'light', ...SIZE });
    await page.goto(product.ready.setupUrl ?? '');
    await page.getByLabel(language.words['setup.username'], { exact: true }).fill('operator');
    await keep(browser, page, language, 'setup');
    await close();
  }
}

export async function takeManualScreenshots(
  browser: Browser,
  product: Product,
  data: ManualData,
  only: readonly string[],
): Promise<void> {
  const all = picturesOf(data).filter(({ name }) => only.length === 0 || only.includes(name));
  const failures: string[] = [];
  for (const { language, theme } of LOOKS) {
    const options = { path: '/help', locale: language.locale, colorScheme: theme, ...SIZE };
    const { page, close } = await openSignedIn(browser, product, options);
    for (const { name, address, show } of all.filter((picture) => picture.theme === theme)) {
      try {
        await page.goto(product.url + address);
        await page.getByRole('main').first().waitFor();
        await show?.(page, language.words);
        await keep(browser, page, language, name);
      } catch (error) {
        // The others take as long again: all that failed is told together.
        failures.push(`${language.lang} ${name}: ${String(error)}`);
      }
    }
    await close();
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

async function keep(browser: Browser, page: Page, language: Language, name: string): Promise<void> {
  const folder = new URL(`../manual/images/${language.lang}/`, import.meta.url).pathname;
  await mkdir(folder, { recursive: true });
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').waitFor({ state: 'hidden' });
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await writePicture(browser, page, `${folder}${name}.webp`);
}

function picturesOf({ serials, floorPlanId }: ManualData): readonly Picture[] {
  const at = (serial: string): string => `device=${serial}&channel=1`;
  const devices = '/homepage/deviceManage';
  const playback = `/homepage/container?${at(serials.carPark)}`;
  return [
    { name: 'ptz', theme: 'dark', address: `/homepage/liveVideo?${at(serials.roof)}`, show: openPtz },
    { name: 'live-wall', theme: 'dark', address: '/homepage/liveVideo', show: fillWall },
    { name: 'floor-plan', theme: 'dark', address: `/homepage/floorPlans?plan=${floorPlanId}`, show: seePlan },
    { name: 'playback', theme: 'dark', address: playback, show: play },
    { name: 'export', theme: 'light', address: playback, show: openExport },
    { name: 'alarms', theme: 'light', address: '/homepage/alarmMsg', show: openAlarm },
    { name: 'alarm-rule', theme: 'light', address: '/homepage/alarmMsg?view=rules', show: openRule },
    { name: 'add-cameras', theme: 'light', address: `${devices}?add=1`, show: addByAddress },
    { name: 'devices', theme: 'light', address: `${devices}?device=${serials.gate}`, show: seeSnapshot },
    { name: 'recording', theme: 'light', address: `${devices}?device=${serials.gate}`, show: openSchedule },
    { name: 'share', theme: 'light', address: `${devices}?device=${serials.gate}`, show: openShare },
    {
      name: 'device-configuration',
      theme: 'dark',
      address: `/homepage/deviceManage/config?${at(serials.gate)}&section=image`,
      show: seeConfiguration,
    },
    { name: 'overview', theme: 'light', address: '/homepage/container?tab=overview', show: seeOverview },
    { name: 'my-account', theme: 'light', address: '/homepage/personalContainer?tab=appearance', show: seeTabs },
    { name: 'organizations', theme: 'light', address: '/homepage/orgManage', show: seeTree },
    { name: 'remote-sites', theme: 'light', address: '/homepage/system?section=sites', show: seeSites },
    { name: 'system', theme: 'light', address: '/homepage/system', show: seeHealth },
    { name: 'roles', theme: 'light', address: '/homepage/permissionConfig', show: seeRoles },
    { name: 'audit-log', theme: 'light', address: '/homepage/permissionConfig?part=audit', show: seeRows },
  ];
}

async function fillWall(page: Page, words: Words): Promise<void> {
  await page.getByText('9', { exact: true }).first().click();
  await page.getByRole('button', { name: words['live.fill'] }).first().click();
  await waitFor('live tiles', async () => (await page.locator('[data-state=live]').count()) >= 8, 90_000);
  await liveClock(page, '[data-state=live]');
}

async function openPtz(page: Page, words: Words): Promise<void> {
  const windows = page.getByRole('radiogroup', { name: words['live.windows'] });
  await windows.getByText('1', { exact: true }).click();
  await page.locator('[data-cell][data-state=live]').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: words['ptz.button'], exact: true }).click();
  await page.getByRole('region', { name: words['ptz.panel'].replace('{name}', 'Roof') }).waitFor();
  await liveClock(page, '[data-state=live]');
}

async function seePlan(page: Page): Promise<void> {
  await page.locator('[data-camera] button').nth(3).waitFor();
}

async function play(page: Page): Promise<void> {
  await page.locator('[data-playback][data-state=playing]').first().waitFor({ timeout: 60_000 });
}

async function openExport(page: Page, words: Words): Promise<void> {
  await play(page);
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'i', 'ArrowRight', 'ArrowRight', 'o', 'Shift+E']) {
    await page.keyboard.press(key);
  }
  await page.getByRole('dialog', { name: words['export.dialog'] }).waitFor();
}

async function openAlarm(page: Page): Promise<void> {
  await page.locator('[data-alarm]').first().click();
  await page.getByRole('complementary').first().waitFor();
}

async function openRule(page: Page, words: Words): Promise<void> {
  const label = words['alarmRules.editOf'].replace('{name}', 'People at night');
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('complementary', { name: words['alarmRules.edit'] }).waitFor();
}

async function addByAddress(page: Page, words: Words): Promise<void> {
  await page
    .getByRole('radiogroup', { name: words['door.label'] })
    .getByText(words['door.address'], { exact: true })
    .click();
  await page.getByLabel(words['add.target'], { exact: true }).fill('192.168.1.64');
}

async function seeSnapshot(page: Page): Promise<void> {
  await waitFor('the snapshot', () =>
    page.evaluate<boolean>('[...document.images].some((img) => img.naturalWidth > 100)'),
  );
}

async function openSchedule(page: Page, words: Words): Promise<void> {
  await page.getByRole('button', { name: words['recordPlan.edit'] }).click();
  await page.getByRole('dialog').waitFor();
}

async function openShare(page: Page, words: Words): Promise<void> {
  await page.getByRole('button', { name: words['share.open'], exact: true }).last().click();
  await page.getByRole('dialog').getByLabel(words['share.account'], { exact: true }).fill('partner');
}

async function seeConfiguration(page: Page, words: Words): Promise<void> {
  await page.getByText(words['config.field.brightness'], { exact: true }).waitFor();
  await waitFor('the picture', () =>
    page.evaluate<boolean>('[...document.querySelectorAll("video, canvas, img")].some((one) => one.clientWidth > 200)'),
  );
}

async function seeOverview(page: Page, words: Words): Promise<void> {
  await page.getByText(words['overview.offline'], { exact: true }).waitFor();
}

async function seeTabs(page: Page): Promise<void> {
  await page.getByRole('tabpanel').waitFor();
}

async function seeTree(page: Page): Promise<void> {
  const row = page.getByRole('treeitem').nth(1);
  await row.click();
  await page.getByRole('table').or(page.getByRole('list')).first().waitFor();
}

async function seeSites(page: Page, words: Words): Promise<void> {
  await page.getByText('Harbour', { exact: true }).waitFor();
  await page.getByRole('region', { name: words['sites.title'] }).scrollIntoViewIfNeeded();
  await page.evaluate("document.querySelectorAll('section')[1]?.scrollIntoView()");
}

async function seeHealth(page: Page): Promise<void> {
  await page.locator('[data-part="site"]').first().waitFor();
}

async function seeRoles(page: Page): Promise<void> {
  await page.getByText('Guards', { exact: true }).first().waitFor();
}

async function seeRows(page: Page): Promise<void> {
  await page.getByRole('row').nth(5).waitFor();
}
