// Organisations, groups, roles and accounts: the tree is edited, devices are moved, a role change reaches a running session.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, waitForFrameChange } from './console-steps.ts';
import { walkByKeys, walkInside } from './keyboard-walk.ts';
import { answerOverview } from './overview-answers.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const GUARD = ['guard', 'Secret-1'] as const;

let product: Product;
let browser: Browser;
let operator: ApiClient;
let site: VirtualSite;
let watched: WatchedPage;
let page: Page;
let deviceSerial: string;

beforeAll(async () => {
  [product, browser, site] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  const camera = site.devices.find(({ kind }) => kind === 'camera');
  if (!camera) throw new Error('no camera');
  const { target, user, password } = camera;
  ({ deviceSerial } = (await operator.ok('device/add', { target, user, password, deviceName: 'Gate' })).device);
  const { organizationId } = await operator.ok('org/add', { organizationName: 'Harbour' });
  await operator.ok('org/add', { organizationName: 'Pier', parentOrgId: organizationId });
  watched = await openSignedIn(browser, product, { path: '/homepage/orgManage' });
  page = watched.page;
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const node = (name: string): Locator => page.getByRole('treeitem', { name, exact: true });
const row = (name: string): Locator => page.getByRole('row', { name, exact: true });
const dialog = (): Locator => page.getByRole('dialog');
const inDialog = (name: string): Locator => dialog().getByRole('button', { name, exact: true });
const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 2, name }).waitFor();
const orgNames = async (): Promise<string[]> =>
  (await operator.ok('org/resource/list', {})).resourceList.flatMap((one) =>
    one.resourceType === 'organization' ? [one.organization.organizationName] : [],
  );

async function chooseOption(label: string, name: string): Promise<void> {
  await dialog().getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

describe('orgManage', () => {
  it('[RT-06] [DM-03] adds, renames in place with validation, and moves by dialog', async () => {
    const below = page.getByRole('list', { name: words['org.below'] });
    await below.getByRole('button', { name: /^Harbour/ }).click();
    await heading('Harbour');
    await button(words['org.add']).click();
    await dialog().getByLabel(words['org.name']).fill('Crane');
    await inDialog(words['org.addSubmit']).click();
    await heading('Crane');
    await page.getByRole('tree').focus();
    await page.keyboard.press('F2');
    const field = page.getByRole('treeitem').getByRole('textbox');
    await field.fill('a<b');
    await field.press('Enter');
    await page.getByText(words['org.badName']).waitFor();
    await field.fill('Crane 起重机');
    await field.press('Enter');
    await heading('Crane 起重机');
    await button(words['org.actions']).click();
    await page.getByRole('menuitem', { name: words['org.move'] }).click();
    await chooseOption(words['org.moveTo'], 'Harbour / Pier');
    await inDialog(words['org.moveSubmit']).click();
    await dialog().waitFor({ state: 'detached' });
    await waitFor('the deeper row', async () => (await node('Crane 起重机').getAttribute('aria-level')) === '3');
  });

  it('moves devices by drag, and asks where the content of a deleted organisation goes', async () => {
    await button(words['org.root'])
      .or(page.getByRole('button', { name: words['org.root'] }))
      .first()
      .click();
    await row('Gate').waitFor();
    await expectNoProblems(watched, 'org-manage');
    await row('Gate').dragTo(node('Pier'));
    await waitFor('the device in its new place', async () => {
      const { device } = await operator.ok('device/get', { deviceSerial });
      return device.organizationName === 'Pier';
    });
    await node('Pier').click();
    await row('Gate').waitFor();
    await button(words['org.actions']).click();
    await page.getByRole('menuitem', { name: words['org.delete'] }).click();
    await dialog().getByText('1 organisation and 1 device').waitFor();
    await expectNoProblems(watched, 'org-delete');
    await inDialog(words['org.deleteConfirm']).click();
    await heading('Harbour');
    await row('Gate').waitFor();
    await expect.poll(orgNames).toEqual(['Harbour', 'Crane 起重机']);
  });
});

describe('[PM-06] permissionConfig', () => {
  it('creates a role and an account', async () => {
    await page.goto(`${product.url}/homepage/permissionConfig`);
    await page.getByText(words['perm.noRoles']).waitFor();
    await button(words['perm.addRole']).first().click();
    // A ready-made role gives its rights and, until one is typed, its name.
    await page.getByRole('combobox', { name: words['roleTemplate.label'] }).click();
    await page.getByRole('option', { name: words['roleTemplate.guard'] }).click();
    const roleName = page.getByLabel(words['perm.roleName'], { exact: true });
    await expect.poll(() => roleName.inputValue()).toBe(words['roleTemplate.guard']);
    await expect.poll(() => page.getByRole('checkbox', { name: words['right.Talk'] }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('checkbox', { name: words['right.Export'] }).isChecked()).toBe(false);
    await expectNoProblems(watched, 'permission-role');
    await roleName.fill('Guards');
    await button(words['common.save']).click();
    await page.getByRole('table', { name: words['perm.matrix'] }).waitFor();
    await page.getByText(words['perm.accounts'], { exact: true }).first().click();
    await button(words['perm.addAccount']).first().click();
    await page.getByLabel(words['perm.userName'], { exact: true }).fill(GUARD[0]);
    await page.getByLabel(words['perm.password'], { exact: true }).fill(GUARD[1]);
    await page.getByRole('checkbox', { name: 'Guards' }).check();
    await page.getByRole('checkbox', { name: 'Harbour', exact: true }).check();
    await expectNoProblems(watched, 'permission-account');
    await button(words['common.save']).click();
    await row(GUARD[0]).click();
    await button(words['perm.viewAs']).click();
    await dialog().getByRole('treeitem', { name: 'Gate' }).waitFor();
    await expectNoProblems(watched, 'permission-view-as');
    await page.keyboard.press('Escape');
  });

  it('[PM-02] [SE-33] removing a right from the role ends the running video of the account with the reason', async () => {
    const guard = await openSignedIn(browser, product, {
      path: `/homepage/liveVideo?device=${deviceSerial}&channel=1`,
      account: GUARD,
    });
    const tile = guard.page.locator('[data-cell="0"]');
    await waitForFrameChange(guard.page, '[data-cell="0"]');
    await page.goto(`${product.url}/homepage/permissionConfig`);
    const cell = words['perm.cell'].replace('{role}', 'Guards').replace('{right}', words['right.Realplay']);
    await page.getByRole('checkbox', { name: cell }).click();
    await tile.getByText(words.errCode_1004).waitFor({ timeout: 10_000 });
    await expectNoProblems(watched, 'permission-matrix');
    await guard.close();
    await page.getByText(words['audit.title'], { exact: true }).click();
    const line = page.getByRole('row', { name: `${GUARD[0]} ${words['did.media/url']}` }).first();
    await line.waitFor();
    await expectNoProblems(watched, 'audit');
    // A change is told by name, with what was there before; a filter by device leaves its lines alone.
    await page
      .getByRole('row', { name: `operator ${words['did.role/update']}` })
      .first()
      .click();
    const changes = page.getByRole('row', { name: words['field.permissions'] });
    await changes.getByText(words['right.Realplay'], { exact: false }).first().waitFor();
    await page.getByRole('complementary').getByText('Guards', { exact: true }).waitFor();
    await expectNoProblems(watched, 'audit-entry');
    await page.getByRole('combobox', { name: words['audit.camera'] }).click();
    await page.getByRole('option', { name: 'Gate' }).click();
    await line.waitFor();
    await page
      .getByRole('row', { name: `operator ${words['did.role/update']}` })
      .first()
      .waitFor({ state: 'detached' });
    const [file] = await Promise.all([page.waitForEvent('download'), button(words['audit.csv']).click()]);
    expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
  });
});

describe('[DM-04] groups of devices', () => {
  it('are created, filled from the table and used as a filter', async () => {
    await page.goto(`${product.url}/homepage/deviceManage`);
    await row('Gate').waitFor();
    await button(words['group.manage']).click();
    await dialog().getByLabel(words['group.newName']).fill('Doors');
    await inDialog(words['group.add']).click();
    await dialog().getByText('Doors', { exact: true }).waitFor();
    await expect.poll(() => dialog().getByText(words['group.default'], { exact: true }).count()).toBe(1);
    await expectNoProblems(watched, 'groups');
    // More than a page of them: sixteen at a time, and searched by name.
    for (let no = 1; no <= 16; no += 1) await operator.ok('group/add', { groupName: `Floor ${no}` });
    await page.reload();
    const rows = dialog().getByRole('list', { name: words['group.title'] }).getByRole('listitem');
    await waitFor('a page of sixteen', async () => (await rows.count()) === 16);
    await dialog().getByRole('button', { name: words['common.next'] }).click();
    await waitFor('the other two', async () => (await rows.count()) === 2);
    await expectNoProblems(watched, 'groups-pages');
    await dialog().getByRole('textbox', { name: words['group.search'] }).fill('door');
    await waitFor('what was searched', async () => (await rows.count()) === 1);
    const named = (verb: 'group.rename' | 'group.delete', name: string) =>
      dialog().getByRole('button', { name: words[verb].replace('{name}', name), exact: true });
    await named('group.rename', 'Doors').click();
    await rows.getByRole('textbox').fill('Doorways');
    await page.keyboard.press('Enter');
    await named('group.rename', 'Doorways').click();
    await rows.getByRole('textbox').fill('Doors');
    await page.keyboard.press('Enter');
    await named('group.rename', 'Doors').waitFor();
    await dialog().getByRole('textbox', { name: words['group.search'] }).fill('floor 16');
    await named('group.delete', 'Floor 16').click();
    await dialog().getByText(words['group.noMatch']).waitFor();
    // The default group has neither door.
    await dialog().getByRole('textbox', { name: words['group.search'] }).fill('');
    await dialog().getByText(words['group.default'], { exact: true }).waitFor();
    await expect.poll(() => rows.first().getByRole('button').count()).toBe(0);
    await page.keyboard.press('Escape');
    await row('Gate').getByRole('checkbox').check();
    await button(words['group.assign']).click();
    await page.getByRole('menuitem', { name: 'Doors' }).click();
    await page.getByText(words['group.assigned'].replace('{name}', 'Doors')).waitFor();
    const { groupList } = await operator.ok('group/list', { groupName: 'Doors' });
    expect(groupList).toMatchObject([{ deviceTotal: 1 }]);
  });
});

/** Of a picture that was decoded; 0 before. */
const widthOf = (picture: Locator) => picture.evaluate((one: HTMLImageElement) => one.naturalWidth);

describe('the home tab', () => {
  it('[WG-01] [WG-02] shows the cards with their sub-items, and stores their order with the account', async () => {
    await page.goto(`${product.url}/homepage/container?tab=home`);
    const cards = page.getByRole('list', { name: words['home.cards'] }).locator(':scope > li');
    const names = () => cards.locator('button > span > span:first-child').allTextContents();
    await waitFor('the cards', async () => (await names()).length === 8);
    await expectNoProblems(watched, 'home');
    await cards.nth(5).hover();
    await expectNoProblems(watched, 'home-hover');
    await cards.nth(7).dragTo(cards.nth(0));
    await waitFor('the new order', async () => (await names())[0] === words['screen.system']);
    await waitFor('the order at the server', async () => {
      const { menuOrder } = await operator.ok('account/info', {});
      return menuOrder?.[0] === 'system';
    });
    const rail = page.getByRole('navigation').locator('a[aria-keyshortcuts]');
    const railNames = () => rail.evaluateAll((all) => all.map((link) => link.querySelector('span')?.textContent));
    await page.reload();
    await waitFor('the kept order', async () => (await names())[0] === words['screen.system']);
    // What has no card follows its group.
    const screens = ['system', 'clientVersions', 'live', 'playback'] as const;
    const first = screens.map((screen) => words[`screen.${screen}`]);
    await expect.poll(async () => (await railNames()).slice(0, 4)).toEqual(first);
    // In the rail by keys, and the cards follow.
    await rail.filter({ hasText: words['screen.playback'] }).press('Alt+ArrowUp');
    await waitFor('the rail and the cards', async () => {
      const order = [(await railNames())[2], (await names())[1]];
      return order.every((name) => name === words['screen.playback']);
    });
    await cards.filter({ hasText: words['screen.permissions'] }).hover();
    await button(words['audit.title']).click();
    await page.getByRole('table', { name: words['audit.title'] }).waitFor();
  });

  it('[RT-06] cards open tabs, which are moved, closed, and there again after a reload', async () => {
    const strip = page.getByRole('tablist', { name: words['playback.tabs'] });
    const tab = (title: 'home' | 'playback' | 'permissions' | 'devices') =>
      strip.getByRole('tab', { name: words[`screen.${title}`] });
    const names = () => strip.getByRole('tab').allTextContents();
    const are = async (...titles: ('playback' | 'permissions' | 'devices')[]): Promise<void> => {
      const all = ['overview', 'home', ...titles] as const;
      await expect.poll(names).toEqual(all.map((title) => words[`screen.${title}`]));
    };
    const audit = page.getByRole('table', { name: words['audit.title'] });
    await are('playback', 'permissions');
    await tab('home').click();
    await page.getByRole('listitem').filter({ hasText: words['home.devicesTip'] }).hover();
    await page.getByRole('button', { name: words['devices.table'], exact: true }).click();
    await row('Gate').waitFor();
    await are('playback', 'permissions', 'devices');
    await expect.poll(() => page.title()).toContain(words['screen.devices']);
    await expectNoProblems(watched, 'workspace-tabs');
    await tab('devices').press('Alt+ArrowLeft');
    await are('playback', 'devices', 'permissions');
    await page
      .getByText(words['home.moved'].replace('{name}', words['screen.devices']).replace('{place}', '2'))
      .waitFor();
    await tab('permissions').dragTo(tab('playback'));
    await are('permissions', 'playback', 'devices');
    await expect.poll(() => tab('permissions').evaluate((one) => one === document.activeElement)).toBe(true);
    // Each tab is where it was left.
    await tab('permissions').press('ArrowRight');
    await tab('playback').and(page.locator('[aria-selected=true]')).press('ArrowLeft');
    await audit.waitFor();
    await page.reload();
    await audit.waitFor();
    await are('permissions', 'playback', 'devices');
    await tab('playback').locator('[data-close]').click();
    await are('permissions', 'devices');
    await tab('permissions').press('Delete');
    await row('Gate').waitFor();
    await are('devices');
    await tab('devices').press('Delete');
    await page.getByRole('list', { name: words['home.cards'] }).waitFor();
    await tab('home').press('Delete');
    await are();
  });

  it('[RT-06] the overview says what needs somebody, shows chosen cameras, and opens first where the account wants it', async () => {
    const strip = page.getByRole('tablist', { name: words['playback.tabs'] });
    await strip.getByRole('tab', { name: words['screen.overview'] }).click();
    const part = (key: 'alarms' | 'offline' | 'gaps' | 'storage' | 'snapshots') =>
      page.getByRole('region', { name: words[`overview.${key}`] });
    await part('offline').getByText(words['overview.allOnline']).waitFor();
    await part('storage').getByRole('meter').waitFor();
    await part('gaps').getByRole('status', { name: words['common.loading'] }).waitFor({ state: 'detached' });
    await button(words['overview.choose']).click();
    const gate = dialog().getByRole('checkbox', { name: 'Gate' });
    if (!(await gate.isChecked())) await gate.click();
    await expect.poll(() => gate.isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    const picture = part('snapshots').getByRole('link', { name: 'Gate' }).locator('img');
    await expect.poll(() => widthOf(picture)).toBeGreaterThan(0);
    await button(words['overview.openFirst']).click();
    await page.getByRole('button', { name: words['overview.openFirst'], pressed: true }).waitFor();
    await expectNoProblems(watched, 'overview');
    expect(await operator.ok('account/info', {})).toMatchObject({
      homePage: 'overview',
      homeCameras: [{ deviceSerial, channelNo: 1 }],
    });
    await part('alarms').getByRole('link', { name: words['overview.showAll'] }).click();
    await strip.getByRole('tab', { name: words['screen.alarms'], selected: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('new');
    await page.getByRole('link', { name: words['common.appName'], exact: true }).click();
    await strip.getByRole('tab', { name: words['screen.overview'], selected: true }).waitFor();
    await operator.ok('account/update', { homePage: 'live' });
    expect(watched.problems).toEqual([]);
  });

  it('is shown in Chinese and in the light theme too', async () => {
    const light = await openSignedIn(browser, product, {
      path: '/homepage/permissionConfig',
      locale: 'zh-CN',
      colorScheme: 'light',
    });
    const chinese = LANGUAGES[1].words;
    await light.page.getByRole('table', { name: chinese['perm.matrix'] }).waitFor();
    await expectNoProblems(light, 'permission-matrix-light');
    await light.page.goto(`${product.url}/homepage/container/orgManage`);
    await light.page.getByRole('treeitem', { name: 'Harbour' }).click();
    await light.page.getByRole('row', { name: 'Gate' }).waitFor();
    await expectNoProblems(light, 'org-manage-in-tab-light');
    await answerOverview(light.page, deviceSerial);
    await light.page.getByRole('tab', { name: chinese['screen.overview'] }).click();
    await light.page.getByText(chinese['overview.unanswered_one'].replace('{count}', '1')).waitFor();
    await light.page.getByRole('region', { name: chinese['overview.offline'] }).getByText('Gate').waitFor();
    await light.page.getByRole('meter').waitFor();
    await expect.poll(() => widthOf(light.page.getByRole('link', { name: 'Gate' }).locator('img'))).toBeGreaterThan(0);
    await expectNoProblems(light, 'overview-light');
    await light.close();
  });
});

const PERSONAL = isLongRun
  ? ['profile', 'password', 'factor', 'browsers', 'sessions', 'appearance', 'documents', 'erase']
  : ['profile', 'factor', 'appearance'];
/** Below /homepage, with the words of what opens there by Enter and closes by Escape. */
const WALKED: readonly (readonly [path: string, opener?: 'org.addTop' | 'perm.addRole' | 'perm.addAccount'])[] = [
  ['orgManage', 'org.addTop'],
  ['permissionConfig', 'perm.addRole'],
  ['permissionConfig?part=accounts', 'perm.addAccount'],
  ['myShareContainer'],
  ['container?tab=home'],
  ['container?tab=overview'],
  ...PERSONAL.map((tab) => [`personalContainer?tab=${tab}`] as const),
];

describe('by keyboard', () => {
  const found: string[] = [];
  async function visit(on: Page, path: string, name = path): Promise<void> {
    await on.goto(`${product.url}/${path}`);
    await on.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await expect.poll(() => on.getByRole('status', { name: /^(?:Loading|加载中)/ }).count()).toBe(0);
    found.push(...(await walkByKeys(on)).map((one) => `${name}: ${one}`));
  }

  it('every control of sign-in, registration and password reset is reachable, visible and named', async () => {
    const { config, version } = await operator.ok('system/account/get', {});
    const mail = { host: '127.0.0.1', port: 9, security: 'none' as const, user: '', from: 'vedette@example.org' };
    await operator.ok('system/account/set', { config: { ...config, mail, canRegister: true }, version });
    const stranger = await openPage(browser, { locale: 'zh-CN', colorScheme: 'light' });
    for (const path of ['login', 'register', 'retrievePwd', 'oauth2/authorize?client_id=shop'])
      await visit(stranger.page, path);
    await expectNoProblems(stranger, 'trust-login-light');
    await stranger.close();
    expect(found.splice(0)).toEqual([]);
  });

  it.each(
    isLongRun ? LANGUAGES : [LANGUAGES[0]],
  )('every control of every screen is reachable, visible and named, in $lang', async (language) => {
    const { locale, lang, words: said } = language;
    const colorScheme = lang === 'en' ? 'dark' : 'light';
    const keyed = await openSignedIn(browser, product, { path: '/homepage/orgManage', locale, colorScheme });
    const on = keyed.page;
    for (const [path, opener] of WALKED) {
      await visit(on, `homepage/${path}`);
      if (opener === undefined) continue;
      const inside = await walkInside(on, on.getByRole('main').getByRole('button', { name: said[opener] }).first());
      found.push(...inside.map((one) => `${path}: ${one}`));
    }
    // A password is typed by whoever tabs to it, and its strength is told.
    await on.goto(`${product.url}/homepage/personalContainer?tab=password`);
    await on.getByLabel(said['personal.newPassword'], { exact: true }).focus();
    await on.keyboard.type('Meadow-2026');
    await on.getByRole('status', { name: said['strength.strong'] }).waitFor();
    const account = on.getByRole('navigation').getByRole('button', { name: said['shell.account'] });
    found.push(...(await walkInside(on, account)));
    await account.press('Enter');
    await on.getByRole('menuitem', { name: said['theme.open'] }).press('Enter');
    await on.getByRole('dialog', { name: said['theme.title'] }).waitFor();
    found.push(...(await walkByKeys(on)).map((one) => `theme: ${one}`));
    await on.keyboard.press('Escape');
    await on.getByRole('dialog').waitFor({ state: 'detached' });
    await on.setViewportSize({ width: 390, height: 844 });
    await visit(on, `homepage/liveVideo?device=${deviceSerial}&channel=1`, 'phone');
    found.push(...(await walkInside(on, on.getByRole('button', { name: said['live.showTree'] }))));
    expect(keyed.problems).toEqual([]);
    await keyed.close();
    expect(found.splice(0)).toEqual([]);
  });
});
