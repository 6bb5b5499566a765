// One session over tabs and reloads: shared, ended everywhere, restored, without a stored password; and the rail per account.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { goTo, LANGUAGES, signIn, signOut } from './console-steps.ts';
import { expectNoProblems, openBySignIn, openSignedIn, OPERATOR } from './signed-in.ts';

const GUEST = ['guest', 'Visit-2026'] as const;
const { words } = LANGUAGES[0];
const SCREENS = [
  'screen.live',
  'screen.playback',
  'screen.alarms',
  'screen.floorPlans',
  'screen.devices',
  'screen.edgeIntelligence',
  'screen.organizations',
  'screen.permissions',
  'screen.share',
  'screen.statistics',
  'screen.resources',
  'screen.costs',
  'screen.system',
  'screen.clientVersions',
] as const;

let product: Product;
let browser: Browser;
let operator: ApiClient;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await operator.ok('user/add', { username: GUEST[0], password: GUEST[1], userType: 2 });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

interface Kept {
  readonly local: Record<string, string>;
  readonly session: Record<string, string>;
}

function stored(page: Page): Promise<Kept> {
  return page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage } }));
}

interface KeptState {
  readonly environment: Record<string, unknown>;
  readonly splitWindow: number;
  readonly accountLoginName: string;
}

/** The client state as the page left it. */
async function keptState(page: Page): Promise<KeptState> {
  const { state } = JSON.parse((await stored(page)).session['vedette.state'] ?? '{}') as { state: KeptState };
  return state;
}

/** The words of the links, without what they count. */
function railLinks(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation').locator('a[href^="/homepage/"]:not([aria-label])');
  return links.evaluateAll((all) => all.map((link) => link.querySelector('span')?.textContent ?? ''));
}

describe('two tabs', () => {
  it('[ST-02] a new tab shares the session, and signing out in one signs out the other', async () => {
    const first = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
    const second = await first.context.newPage();
    await second.goto(`${product.url}/homepage/system?section=storage`);
    await second.getByLabel(words['system.folder']).waitFor();
    const calls: string[] = [];
    second.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await signOut(first.page, words);
    await second.waitForURL(/\/login/);
    expect(calls).not.toContain('/api/v1/account/logout');
    const kept = async (page: Page) => (await stored(page)).session['vedette.auth'];
    for (const page of [first.page, second]) await expect.poll(() => kept(page)).toBeUndefined();
    const sessions = async () => (await operator.ok('account/session/list', {})).sessionList;
    await expect.poll(async () => (await sessions()).map((session) => session.isCurrent)).toEqual([true]);
    expect(first.problems).toEqual([]);
    await first.close();
  });

  it('signing in on one of two tabs signs in the other', async () => {
    const first = await openPage(browser);
    const second = await first.context.newPage();
    await first.page.goto(`${product.url}/login`);
    await second.goto(`${product.url}/login?from=%2Fhomepage%2FdeviceManage`);
    await second.getByRole('button', { name: words['login.submit'] }).waitFor();
    await signIn(first.page, words, ...OPERATOR);
    await second.waitForURL(/\/homepage\/deviceManage$/);
    expect(first.problems).toEqual([]);
    await first.close();
  });
});

describe('an address that carries a session or a server', () => {
  const EVIL = 'https://evil.example';
  const addresses = (token: string): string[] => {
    const auth = encodeURIComponent(JSON.stringify({ version: 1, auth: { accessToken: token } }));
    return [
      `/?ucsToken=${token}`,
      `/?${token}`,
      `/?utm=1&ucsToken=${token}`,
      `/login?ucsToken=${token}&serverAddress=${EVIL}`,
      `/login?accessToken=${token}&from=%2Fhomepage%2FdeviceManage`,
      `/homepage/deviceManage?token=${token}`,
      `/homepage/deviceManage#accessToken=${token}`,
      `/homepage/deviceManage?vedette.auth=${auth}`,
      `/homepage/deviceManage?serverAddress=${EVIL}&apiURL=${EVIL}`,
      `/homepage/deviceManage#serverAddress=${EVIL}`,
      `/?serverAddress=${EVIL}&ucsToken=${token}`,
      `/client.html?serverAddress=${EVIL}&ucsToken=${token}`,
    ];
  };

  /** Opens each; answers what was sent elsewhere, and with the token. */
  async function openAll(page: Page, token: string, list: readonly string[]): Promise<string[]> {
    const wrong: string[] = [];
    page.on('request', (request) => {
      const isOwn = /^(?:blob|data):/.test(request.url()) || new URL(request.url()).origin === product.url;
      if (!isOwn || (request.headers()['authorization'] ?? '').includes(token)) wrong.push(request.url());
    });
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== new URL(product.url).host) wrong.push(socket.url());
    });
    for (const address of list) {
      // The same page with another fragment is not loaded again.
      await page.goto('about:blank');
      await page.goto(product.url + address);
      await page.locator('#root button').first().waitFor();
    }
    return wrong;
  }

  it('[SE-09] [SE-10] sets no session, replaces none, and sends nothing to another server', async () => {
    const token = (await product.signIn(...GUEST)).accessToken ?? '';
    const nobody = await openPage(browser);
    expect(await openAll(nobody.page, token, addresses(token).slice(2, 5))).toEqual([]);
    expect((await stored(nobody.page)).session['vedette.auth']).toBeUndefined();
    await nobody.close();
    const watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
    const before = (await stored(watched.page)).session['vedette.auth'];
    expect(before).toBeDefined();
    expect(await openAll(watched.page, token, addresses(token))).toEqual([]);
    expect((await stored(watched.page)).session['vedette.auth']).toBe(before);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});

describe('a session that ends', () => {
  async function revokeWeb(): Promise<void> {
    const { sessionList } = await operator.ok('account/session/list', {});
    for (const { sessionId, isCurrent } of sessionList) {
      if (!isCurrent) await operator.ok('account/session/revoke', { sessionId });
    }
  }

  it('[ST-05] after revocation elsewhere the page goes to sign-in after one second, says so, and returns after sign-in', async () => {
    const watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage?status=online' });
    const { page } = watched;
    await page.getByText(words['connection.online']).waitFor();
    // The page's own clock: from the words of the server on its socket to the change of its address.
    await page.evaluate(() => {
      const seen = { toldAt: 0, leftAt: 0 };
      Object.assign(window, { seen });
      const read = JSON.parse.bind(JSON);
      JSON.parse = (text: string) => {
        const value = read(text) as { type?: string; code?: number } | null;
        if (seen.toldAt === 0 && (value?.type === 'end' || value?.code === 1001 || value?.code === 1002))
          seen.toldAt = performance.now();
        return value;
      };
      const push = history.pushState.bind(history);
      history.pushState = (...rest: Parameters<History['pushState']>) => {
        if (seen.toldAt > 0 && seen.leftAt === 0) seen.leftAt = performance.now();
        push(...rest);
      };
    });
    await revokeWeb();
    await page.waitForURL(/\/login\?from=/);
    const seen = await page.evaluate(() => (window as unknown as { seen: { toldAt: number; leftAt: number } }).seen);
    expect(seen.toldAt).toBeGreaterThan(0);
    expect(seen.leftAt - seen.toldAt).toBeGreaterThanOrEqual(995);
    expect(seen.leftAt - seen.toldAt).toBeLessThan(2500);
    await page.getByText(words['login.ended']).waitFor();
    await expect.poll(async () => (await stored(page)).session['vedette.auth']).toBeUndefined();
    await expectNoProblems(watched, 'login-ended');
    await signIn(page, words, ...OPERATOR);
    await page.waitForURL(/\/homepage\/deviceManage\?status=online$/);
    await watched.close();
  });

  it('[ST-05] a call answered 1001 ends it too, also in the other tab', async () => {
    const watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
    const { page } = watched;
    const other = await watched.context.newPage();
    await other.goto(`${product.url}/homepage/deviceManage`);
    await other.getByRole('heading', { name: words['screen.devices'] }).waitFor();
    await page.route('**/api/v1/system/health/get', (route) =>
      route.fulfill({ json: { code: 1001, message: 'tokenInvalid', data: null } }),
    );
    await goTo(page, words, 'system');
    await page.waitForURL(/\/login\?from=/);
    await other.waitForURL(/\/login/);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});

describe('a reload', () => {
  it('[RT-14] [UI-02] [UI-06] [UI-07] restores the page, and stores no password', async () => {
    const { config, version } = await operator.ok('system/account/get', {});
    const environment = { ...config.environment, phoneCode: '86' };
    await operator.ok('system/account/set', { config: { ...config, environment }, version });
    const watched = await openBySignIn(browser, product, { path: '/homepage/liveVideo' });
    const { page } = watched;
    const wall = page.getByRole('list', { name: words['live.wall'] });
    await wall.waitFor();
    await page.keyboard.press('3');
    await waitFor('nine windows', async () => (await wall.getAttribute('data-split')) === '9');
    // What is added from now on is pushed to the page.
    await page.getByText(words['connection.online']).waitFor();
    await operator.ok('org/add', { organizationName: 'Harbour' });
    const row = page.getByRole('tree').getByRole('treeitem', { name: 'Harbour' });
    const name = await row.textContent();
    // The server takes its time: until it answers the tree is as it was.
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/v1/org/resource/list', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.reload();
    await wall.waitFor();
    expect(await wall.getAttribute('data-split')).toBe('9');
    await row.waitFor();
    expect(await row.textContent()).toBe(name);
    const answered = page.waitForResponse('**/api/v1/org/resource/list');
    answer.resolve();
    await answered;
    await expect
      .poll(() => page.getByRole('button', { name: words['shell.account'] }).textContent())
      .toContain(OPERATOR[0]);
    const kept = await stored(page);
    expect(JSON.stringify(kept)).not.toContain(OPERATOR[1]);
    expect(await keptState(page)).toMatchObject({
      splitWindow: 9,
      accountLoginName: OPERATOR[0],
      clientIp: expect.stringMatching(/^127\.|^::1$/) as string,
      phoneCode: '86',
    });
    expect(JSON.parse(kept.session['vedette.auth'] ?? '{}')).toMatchObject({
      auth: { userName: OPERATOR[0], userType: 0, accessToken: expect.stringMatching(/^.{20,}$/) as string },
    });
    expect(Object.keys(kept.local).toSorted()).not.toContain('vedette.auth');
    await signOut(page, words);
    await expect.poll(async () => (await stored(page)).session['vedette.auth']).toBeUndefined();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});

describe('account preferences', () => {
  it('the chosen layout opens at the next sign-in', async () => {
    await operator.ok('layout/save', { name: 'Night', split: 16, tiles: [] });
    const watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
    const { page } = watched;
    const wall = page.getByRole('list', { name: words['live.wall'] });
    await wall.waitFor();
    expect(await wall.getAttribute('data-split')).not.toBe('16');
    await page.getByRole('button', { name: words['layouts.menu'] }).click();
    await page.getByRole('button', { name: words['layouts.homeOn'].replace('{name}', 'Night') }).click();
    await page.getByRole('button', { name: words['layouts.homeOff'].replace('{name}', 'Night') }).waitFor();
    await expectNoProblems(watched, 'layout-home');
    await page.keyboard.press('Escape');
    await signOut(page, words);
    await signIn(page, words, ...OPERATOR);
    await waitFor('its sixteen windows', async () => (await wall.getAttribute('data-split')) === '16');
    await operator.ok('account/update', { homeLayout: '' });
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('[SH-04] [SE-32] sharing by a role, at weekly hours', async () => {
    const { organizationId } = await operator.ok('org/add', { organizationName: 'Quay' });
    const role = { roleName: 'Watchers', permissions: ['Realplay', 'Replay'] as const, resources: null };
    const { roleId } = await operator.ok('role/add', { ...role, permissions: [...role.permissions] });
    const path = `/homepage/orgManage?organization=${organizationId}`;
    const watched = await openSignedIn(browser, product, { path, locale: 'zh-CN', colorScheme: 'light' });
    const { page } = watched;
    const said = LANGUAGES[1].words;
    await page.getByRole('button', { name: said['share.open'], exact: true }).click();
    const dialog = page.getByRole('dialog', { name: said['share.title'].replace('{name}', 'Quay') });
    await dialog.getByLabel(said['share.account'], { exact: true }).fill(GUEST[0]);
    await dialog.getByText(said['share.rightsBy_role'], { exact: true }).click();
    await dialog.getByText(said['share.right_Realplay']).first().waitFor();
    await dialog.getByText(said['share.more'], { exact: true }).click();
    await dialog.getByRole('switch', { name: said['share.hours'] }).press('Space');
    const plan = page.getByRole('dialog', { name: said['share.hoursDialog'] });
    await plan.getByRole('button', { name: said['timePlan.presets'] }).click();
    await page.getByRole('menuitem', { name: said['share.workHours'] }).click();
    await expectNoProblems(watched, 'share-hours-light-zh');
    await plan.getByRole('button', { name: said['timePlan.confirm'] }).click();
    await plan.waitFor({ state: 'detached' });
    await expectNoProblems(watched, 'share-by-role-light-zh');
    await dialog.getByRole('button', { name: said['share.go'], exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { shareList } = await operator.ok('share/given/list', {});
    const [given] = shareList.filter(({ shareType }) => shareType === 1);
    expect(given).toMatchObject({ roleId, permission: ['Realplay', 'Replay'] });
    expect(given?.plan?.map(({ day }) => day).toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});

describe('the environment', () => {
  it('[UI-01] [CA-06] [EN-08] is read from /serverConfig.json by GET at start', async () => {
    const watched = await openPage(browser);
    const { page } = watched;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/serverConfig.json')) asked.push(request.method());
    });
    await page.goto(`${product.url}/login`);
    await signIn(page, words, ...OPERATOR);
    await expect.poll(() => asked).toEqual(['GET']);
    const answer = await fetch(`${product.url}/serverConfig.json`);
    const config = (await answer.json()) as Record<string, unknown>;
    const { softVersion } = await operator.ok('server/version', {});
    await page.reload();
    await page.getByRole('navigation').waitFor();
    const environment = async () => (await keptState(page)).environment;
    await expect.poll(environment).toEqual({ ...config, currentVersion: softVersion });
    await signOut(page, words);
    await waitFor('the file to be read again after sign-out', () => asked.length === 3);
    await watched.close();
  });

  it('[LM-03] is applied: dates are year-first in China, month-first elsewhere', async () => {
    const watched = await openPage(browser);
    const { page } = watched;
    await page.route('**/serverConfig.json', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...((await answer.json()) as object), isOverseasFlag: false } });
    });
    await page.goto(`${product.url}/login?from=%2Fhomepage%2Fsystem%3Fsection%3Dcertificate`);
    await signIn(page, words, ...OPERATOR);
    const valid = page.getByText(words['system.validTo']).locator('xpath=following-sibling::*[1]');
    await valid.waitFor();
    await expect.poll(() => valid.textContent()).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const [year, month, day] = (await valid.textContent())?.split('-') ?? [];
    await page.unroute('**/serverConfig.json');
    await page.reload();
    await valid.waitFor();
    await expect.poll(() => valid.textContent()).toBe(`${month}/${day}/${year}`);
    // What the account chooses overrides both, on every page and in every browser.
    await page.goto(`${product.url}/homepage/personalContainer?tab=appearance`);
    await page.getByRole('combobox', { name: words['personal.dateOrder'] }).click();
    await page.getByRole('option', { name: '26/11/2026', exact: true }).click();
    await page.getByRole('combobox', { name: words['personal.clockHours'] }).click();
    await page.getByRole('option', { name: '2:30 PM', exact: true }).click();
    await waitFor('the account to have it', async () => {
      const { dateOrder, clockHours } = await operator.ok('account/info', {});
      return dateOrder === 'dayFirst' && clockHours === 12;
    });
    await expectNoProblems(watched, 'personal-time-format');
    await watched.close();
    const elsewhere = await openBySignIn(browser, product, {
      path: '/homepage/system?section=certificate',
      locale: 'zh-CN',
    });
    await elsewhere.page.getByText(`${day}/${month}/${year}`).waitFor();
    await elsewhere.close();
    await operator.ok('account/update', { dateOrder: null, clockHours: null });
  });
});

describe('the rail', () => {
  it('[RT-06] lists the existing screens, and each link opens one below /homepage', async () => {
    const watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage', colorScheme: 'light' });
    const { page } = watched;
    await page.getByText(words['connection.online']).waitFor();
    await expect.poll(() => railLinks(page)).toEqual(SCREENS.map((title) => words[title]));
    for (const title of SCREENS) {
      await page.getByRole('navigation').getByRole('link', { name: words[title] }).click();
      await page.locator('main').getByRole('heading', { level: 1, name: words[title] }).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/homepage\/\w+$/);
      await expect.poll(() => page.title()).toContain(words[title]);
      expect(await page.getByText(words['notFound.title']).count()).toBe(0);
    }
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('[PM-01] hides System from other accounts, and its address says who may open it', async () => {
    const watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage', account: GUEST });
    const { page } = watched;
    await page.getByText(words['connection.online']).waitFor();
    await expect.poll(() => railLinks(page)).toEqual(SCREENS.slice(0, -2).map((title) => words[title]));
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.goto(`${product.url}/homepage/system`);
    await page.getByText(words['system.forbidden']).waitFor();
    expect(calls.filter((path) => path.includes('/system/'))).toEqual([]);
    await expectNoProblems(watched, 'system-forbidden');
    await watched.close();
  });
});
