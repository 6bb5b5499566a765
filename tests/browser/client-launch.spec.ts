// A smart client launches the page by its address: which session and first page follow, and that the token leaves no trace.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage, type PageOptions, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { LANGUAGES, saying } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR, wordsOf } from './signed-in.ts';

const GUARD = ['guard', 'Visit-2026'] as const;
const { words } = LANGUAGES[0];
const EVIL = 'https://evil.example';

let product: Product;
let browser: Browser;
let token: string;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  const operator = await product.setUp(...OPERATOR);
  await operator.ok('user/add', { username: GUARD[0], password: GUARD[1], userType: 1 });
  token = (await product.signIn(...GUARD)).accessToken ?? '';
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

interface Launched extends WatchedPage {
  /** Requests with their header of authorization and their referrer, in order. */
  readonly requests: { url: string; authorization: string; referer: string; isErased: boolean }[];
}

/** Opens the address below the product's own; nothing of the token may be left in it when the first call goes out. */
async function launch(address: string, given?: WatchedPage): Promise<Launched> {
  const watched = given ?? (await openPage(browser));
  const { page } = watched;
  const requests: Launched['requests'] = [];
  page.on('request', (request) => {
    const { authorization = '', referer = '' } = request.headers();
    requests.push({ url: request.url(), authorization, referer, isErased: !page.url().includes(token) });
  });
  await page.goto('about:blank');
  await page.goto(product.url + address);
  await page.locator('#root button').first().waitFor();
  return { ...watched, requests };
}

function userOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { auth } = JSON.parse(sessionStorage.getItem('vedette.auth') ?? '{}') as { auth?: { userName: string } };
    return auth?.userName;
  });
}

/** Of the address of the page, of its history, and of whatever was sent or written. */
async function expectNoTrace({ page, requests, problems }: Launched): Promise<void> {
  expect(page.url()).not.toContain(token);
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain(token);
  const [first, ...later] = requests;
  expect(first?.authorization).toBe('');
  expect(later.filter(({ url }) => url.includes(token))).toEqual([]);
  expect(later.filter(({ url, isErased }) => url.includes('/api/') && !isErased)).toEqual([]);
  expect(requests.filter(({ referer }) => referer.includes(token))).toEqual([]);
  expect(requests.filter(({ url }) => url.startsWith(EVIL))).toEqual([]);
  expect(problems).toEqual([]);
  expect(product.log).not.toContain(token);
}

const server = (): string => encodeURIComponent(product.url);

describe('[RT-10] a launch', () => {
  it.each([
    ['funcType 0 goes to the devices', () => `?ucsToken=${token}&serverAddress=${server()}&funcType=0`, 'deviceManage'],
    ['funcType 1 to the organisations', () => `?ucsToken=${token}&serverAddress=${server()}&funcType=1`, 'orgManage'],
    ['funcType 2 to the devices', () => `?ucsToken=${token}&serverAddress=${server()}&funcType=2`, 'deviceManage'],
    ['the first item is the token', () => `?${token}&serverAddress=${server()}&funcType=1`, 'orgManage'],
    ['a fragment launches too', () => `#ucsToken=${token}&serverAddress=${server()}&funcType=1`, 'orgManage'],
  ])('%s, with the session of the token and a clean address', async (_name, address, screen) => {
    const launched = await launch(`/client.html${address()}`);
    const { page } = launched;
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/homepage/${screen}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect([await userOf(page), new URL(page.url()).search]).toEqual([GUARD[0], '']);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(token);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await userOf(page)).toBe(GUARD[0]);
    await expectNoTrace(launched);
    await launched.close();
  });

  it('with a token that is not valid shows sign-in, and says that the client could not sign in', async () => {
    for (const funcType of [0, 1, 2]) {
      const launched = await launch(
        `/client.html?ucsToken=${'x'.repeat(43)}&serverAddress=${server()}&funcType=${funcType}`,
      );
      await expect.poll(() => new URL(launched.page.url()).hash).toBe('#/login');
      await launched.page.getByText(words['client.launchRefused']).waitFor();
      expect([await userOf(launched.page), new URL(launched.page.url()).search]).toEqual([undefined, '']);
      await expectNoTrace(launched);
      await launched.close();
    }
  });

  it.each([
    EVIL,
    'evil.example',
    'javascript:alert(1)',
  ])('[SE-09] [SE-10] that names the server %s sends nothing to it, and does not send the token at all', async (named) => {
    const launched = await launch(
      `/client.html?ucsToken=${token}&serverAddress=${encodeURIComponent(named)}&funcType=1`,
    );
    await expect.poll(() => new URL(launched.page.url()).hash).toBe('#/login');
    await launched.page.getByText(words['client.launchRefused']).waitFor();
    expect(await userOf(launched.page)).toBeUndefined();
    expect(launched.requests.filter(({ authorization }) => authorization !== '')).toEqual([]);
    await expectNoTrace(launched);
    await launched.close();
  });

  it('[SE-09] does not launch the page of the web, whatever its address says', async () => {
    const launched = await launch(`/?ucsToken=${token}&serverAddress=${server()}&funcType=1`);
    await launched.page.getByLabel(words['login.account'], { exact: true }).waitFor();
    expect(await userOf(launched.page)).toBeUndefined();
    await launched.close();
  });
});

describe('[RT-10] [SE-09] where somebody else is signed in', () => {
  async function launchOver(options: PageOptions = {}): Promise<Launched> {
    const watched = await openSignedIn(browser, product, { path: '/client.html#/homepage/deviceManage', ...options });
    await watched.page.getByRole('heading', { level: 1 }).first().waitFor();
    return await launch(`/client.html?ucsToken=${token}&serverAddress=${server()}&funcType=1`, watched);
  }

  it('the launch asks first; who stays stays signed in', async () => {
    const launched = await launchOver({ locale: 'zh-CN', colorScheme: 'light' });
    const { page } = launched;
    const said = wordsOf('zh-CN');
    const dialog = page.getByRole('dialog', { name: said['client.launchTitle'] });
    await dialog.getByText(saying(said['client.launchDetail'])).waitFor();
    expect(await userOf(page)).toBe(OPERATOR[0]);
    await expectNoProblems(launched, 'client-launch-zh-light');
    await dialog.getByRole('button', { name: said['client.launchKeep'] }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await userOf(page)).toBe(OPERATOR[0]);
    await expectNoTrace(launched);
    await launched.close();
  });

  it('who changes goes to the first page of the launch, and nothing of the other account stays', async () => {
    const launched = await launchOver();
    const { page } = launched;
    const dialog = page.getByRole('dialog', { name: words['client.launchTitle'] });
    await dialog.getByRole('button', { name: words['client.launchChange'] }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/homepage/orgManage');
    await expect
      .poll(() => page.getByRole('button', { name: words['shell.account'] }).textContent())
      .toContain(GUARD[0]);
    expect(await userOf(page)).toBe(GUARD[0]);
    await page.getByRole('link', { name: words['screen.system'] }).waitFor({ state: 'detached' });
    await expectNoTrace(launched);
    await launched.close();
  });

  it('the same account is launched without a question', async () => {
    const watched = await openSignedIn(browser, product, { path: '/client.html#/homepage/liveVideo', account: GUARD });
    await watched.page.getByRole('heading', { level: 1 }).first().waitFor();
    const launched = await launch(`/client.html?ucsToken=${token}&funcType=0`, watched);
    await expect.poll(() => new URL(launched.page.url()).hash).toBe('#/homepage/deviceManage');
    expect(await launched.page.getByRole('dialog').count()).toBe(0);
    await expectNoTrace(launched);
    await launched.close();
  });
});
