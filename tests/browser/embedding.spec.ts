// The console in a frame of a foreign origin: signed in by the bridge, with no cookie and no session of its own, and nowhere else framed.
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, shot } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { type LaunchingApp, newLaunchingApp } from './launch-token.ts';
import { openPartnerPage, type PartnerPage } from './partner-page.ts';
import { openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const REFUSED_FRAME = /frame-ancestors|X-Frame-Options|chrome-error/;

let product: Product;
let browser: Browser;
let operator: ApiClient;
let app: LaunchingApp;
let partner: PartnerPage;
let stranger: PartnerPage;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  const framed = (path: string): string => `${product.url}${path === '' ? `/embed/${app.appId}` : path}`;
  [partner, stranger] = await Promise.all([openPartnerPage(framed), openPartnerPage(framed)]);
  app = await newLaunchingApp(product, operator, { embedOriginList: [partner.origin] });
  const online = async () => (await operator.ok('device/list', { status: 1 })).total > 0;
  await waitFor('a camera of the demo', online, 60_000);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  partner?.close();
  stranger?.close();
});

interface Answer {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;
}

function ask(page: Page, topic: string, data: object = {}): Promise<Answer> {
  return page.evaluate(`ask(${JSON.stringify(topic)}, ${JSON.stringify(data)})`);
}

async function statusesOf(page: Page): Promise<unknown[]> {
  const told: { url: string; data: { status?: number } }[] = await page.evaluate('told');
  return told.filter(({ url }) => url.endsWith('/account/status')).map(({ data }) => data.status);
}

const framedIn = (page: Page): FrameLocator => page.frameLocator('iframe');

async function openFramed(): Promise<{ page: Page; close: () => Promise<void>; problems: readonly string[] }> {
  const watched = await openPage(browser, { width: 1280, height: 860 });
  await watched.page.goto(partner.origin);
  await framedIn(watched.page).getByText(words['apps.embedWaits']).waitFor();
  await waitFor('the bridge', async () => (await statusesOf(watched.page)).length > 0, 10_000);
  return watched;
}

const signInAs = async (page: Page, more: object = {}): Promise<Answer> =>
  await ask(page, 'autoLogin', { loginName: OPERATOR[0], ticket: await app.newToken(), ...more });

describe('[OA-03] the console in the frame of a listed origin', () => {
  it('signs in by a token over the bridge, shows a live picture, and keeps neither cookie nor token', async () => {
    const { page, problems, close } = await openFramed();
    const ticket = await app.newToken();
    expect((await signInAs(page, { ticket })).code).toBe(200);
    const [camera] = (await operator.ok('device/list', { status: 1 })).deviceList;
    const shown = { deviceSerial: camera?.deviceSerial, channelNo: 1, window: 1 };
    expect((await ask(page, 'live/start', shown)).code).toBe(200);
    await framedIn(page).locator('[data-cell][data-state=live]').first().waitFor({ timeout: 45_000 });
    await shot(page, 'embedded-live');
    // Framed, it shows what the app may see: no account, no management.
    expect(await framedIn(page).getByRole('link', { name: words['screen.devices'] }).count()).toBe(0);
    expect(await page.context().cookies()).toEqual([]);
    const frame = page.frames().find((one) => one.url().startsWith(product.url));
    const kept = await frame?.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(kept).not.toContain(ticket);
    expect(kept).not.toMatch(/"token":"[^"]/);
    // Used up.
    expect((await signInAs(page, { ticket })).code).toBe(1004);
    expect((await ask(page, 'account/operate', { status: 1 })).code).toBe(200);
    await framedIn(page).getByText(words['apps.embedWaits']).waitFor();
    await waitFor('the end to be told', async () => (await statusesOf(page)).at(-1) === 0, 10_000);
    expect(problems).toEqual([]);
    await close();
  });

  it('takes the token of another app or account from nobody, and no session of this browser', async () => {
    const own = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
    const page = await own.context.newPage();
    await page.goto(partner.origin);
    await framedIn(page).getByText(words['apps.embedWaits']).waitFor();
    await waitFor('the bridge', async () => (await statusesOf(page)).length > 0, 10_000);
    expect((await ask(page, 'system/info')).data['accountStatus']).toBe(0);
    const other = await newLaunchingApp(product, operator, { appName: 'Other' });
    expect((await signInAs(page, { ticket: await other.newToken() })).code).toBe(1004);
    expect((await signInAs(page, { loginName: 'somebody' })).code).toBe(1003);
    expect((await signInAs(page, { ticket: 'x'.repeat(43) })).code).toBe(1004);
    expect((await ask(page, 'system/info')).data['accountStatus']).toBe(0);
    await own.close();
  });
});

describe('[SE-89] [SE-56] a frame', () => {
  it('of an origin that is not listed stays empty, and so does one of sign-in or consent in any', async () => {
    const withoutOrigins = await newLaunchingApp(product, operator, { appName: 'Unframed' });
    const frames = [
      [stranger, ''],
      [partner, `/embed/${withoutOrigins.appId}`],
      [partner, '/embed/nobody'],
      ...['/login', '/oauth2/authorize', '/oauth2/confirmInfo', '/oauth2/deviceAuth', '/client.html'].map(
        (path) => [partner, path] as const,
      ),
    ] as const;
    for (const [{ origin }, path] of frames) {
      const { page, problems, close } = await openPage(browser);
      await page.goto(`${origin}/?${encodeURIComponent(path)}`);
      await expect.poll(() => problems.some((text) => REFUSED_FRAME.test(text)), { timeout: 10_000 }).toBe(true);
      expect(page.frames().filter((one) => one.url().startsWith(product.url))).toEqual([]);
      await close();
    }
  });

  it('has no sign-in inside, whatever address its page goes to', async () => {
    const { page, close } = await openFramed();
    const frame = page.frames().find((one) => one.url().startsWith(product.url));
    for (const address of ['#/login', '#/oauth2/confirmInfo', '#/register', '#/homepage/liveVideo']) {
      await frame?.evaluate((hash) => location.assign(hash), address);
      await framedIn(page).getByText(words['apps.embedWaits']).waitFor();
      expect(await framedIn(page).locator('input').count()).toBe(0);
    }
    await close();
  });
});
