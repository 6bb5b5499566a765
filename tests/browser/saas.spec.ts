// An app launches the console in SaaS mode: a token that works once, the question, the live picture within the app's scope, and the end.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, saying, type Words } from './console-steps.ts';
import { BACK_TO_APP, type LaunchingApp, newLaunchingApp } from './launch-token.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const STATE = 'a b&c';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let app: LaunchingApp;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  app = await newLaunchingApp(product, operator);
  const online = async () => (await operator.ok('device/list', { status: 1 })).total > 0;
  await waitFor('a camera of the demo', online, 60_000);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

function launchAddress(token: string, more: Readonly<Record<string, string>> = {}): string {
  const values = {
    access_token: token,
    client_id: app.appId,
    redirect_uri: BACK_TO_APP,
    scope: 'device.list live',
    state: STATE,
    client_type: 'web',
    ...more,
  };
  return `${product.url}/oauth2/authorize?${new URLSearchParams(values)}`;
}

interface Sent {
  readonly url: string;
  readonly path: string;
  readonly authorization: string;
}

function watchRequests(page: Page): Sent[] {
  const sent: Sent[] = [];
  page.on('request', (request) => {
    const url = request.url();
    sent.push({ url, path: new URL(url).pathname, authorization: request.headers()['authorization'] ?? '' });
  });
  return sent;
}

const opening = (page: Page, shown: Words = words) => page.getByRole('button', { name: shown['apps.launchOpen'] });

async function isStillSignedIn({ page }: WatchedPage): Promise<void> {
  await page.reload();
  await page.getByRole('navigation').getByRole('link', { name: words['screen.devices'] }).waitFor();
  await page.getByText(OPERATOR[0]).first().waitFor();
}

describe.each(LANGUAGES)('in $lang', ({ locale, lang, words: shown }) => {
  it('[RT-11] [OA-03] [UI-08] a launch asks, opens the live picture by a token of its own, and ends at trust login', async () => {
    const token = await app.newToken();
    const watched = await openPage(browser, { locale });
    const { page } = watched;
    const sent = watchRequests(page);
    await page.goto(launchAddress(token));
    await opening(page, shown).waitFor();
    expect(page.url()).toBe(`${product.url}/oauth2/confirmInfo`);
    await page.getByText(shown['scope.live']).waitFor();
    await page.getByText('Door bell', { exact: true }).waitFor();
    await expectNoProblems(watched, `launch-${lang}`);
    // Erased before the first call; it is sent once, and never in an address.
    expect(sent.slice(1).filter(({ url }) => url.includes(token))).toEqual([]);
    expect(sent.filter(({ authorization }) => authorization.includes(token)).map(({ path }) => path)).toEqual([
      '/api/v1/oauth/launch/begin',
    ]);
    await page.reload();
    await opening(page, shown).click();
    await page.waitForURL(/\/homepage\/liveVideo/);
    await page.getByRole('button', { name: shown['live.fill'] }).first().click();
    await page.locator('[data-cell][data-state=live]').first().waitFor({ timeout: 45_000 });
    await expectNoProblems(watched, `saas-live-${lang}`);
    const links = await page
      .getByRole('navigation')
      .getByRole('list')
      .or(page.getByRole('navigation'))
      .getByRole('link')
      .allInnerTexts();
    expect(links.map((text) => text.trim())).not.toContain(shown['screen.devices']);
    const refused = sent.filter(({ path, authorization }) => path.startsWith('/api/') && authorization.includes(token));
    expect(refused.length).toBe(1);
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(kept).not.toContain(token);
    await page.getByRole('button', { name: shown['shell.account'] }).click();
    await page.getByRole('menuitem', { name: shown['shell.signOut'] }).click();
    await page.waitForURL(/\/oauth2\/authorize$/);
    await page.getByRole('heading', { name: shown['trust.title'] }).waitFor();
    await watched.close();
  });
});

describe('a launch', () => {
  it('[SE-58] works once: its address used again leads to trust login and opens nothing', async () => {
    const token = await app.newToken();
    const first = await openPage(browser);
    await first.page.goto(launchAddress(token));
    await opening(first.page).waitFor();
    const second = await openPage(browser);
    const sent = watchRequests(second.page);
    await second.page.goto(launchAddress(token));
    await second.page.getByText(words['trust.launchRefused']).waitFor();
    await second.page.getByLabel(words['login.account'], { exact: true }).waitFor();
    await expectNoProblems(second, 'launch-refused');
    expect(sent.slice(1).filter(({ url }) => url.includes(token))).toEqual([]);
    expect(product.log).not.toContain(token);
    await Promise.all([first.close(), second.close()]);
  });

  it('[SE-09] [ST-03] replaces no session without a question, and its end leaves that of the account', async () => {
    const own = await openSignedIn(browser, product, { path: '/homepage/liveVideo' });
    await own.page.getByRole('navigation').waitFor();
    const page = await own.context.newPage();
    await page.goto(launchAddress(await app.newToken()));
    await page.getByText(saying(words['apps.launchReplaces'])).waitFor();
    await opening(page).click();
    await page.waitForURL(/\/homepage\/liveVideo/);
    await isStillSignedIn(own);
    await page.getByRole('button', { name: words['shell.account'] }).click();
    await page.getByRole('menuitem', { name: words['shell.signOut'] }).click();
    await page.waitForURL(/\/oauth2\/authorize/);
    await isStillSignedIn(own);
    await own.close();
  });

  it('refused leads back to the app with error and state', async () => {
    const watched = await openPage(browser);
    const { page } = watched;
    await page.route('https://app.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Back in the app' }),
    );
    await page.goto(launchAddress(await app.newToken()));
    await page.getByRole('button', { name: words['apps.refuse'] }).click();
    await page.getByText('Back in the app').waitFor();
    const { origin, pathname, searchParams } = new URL(page.url());
    expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([
      BACK_TO_APP,
      { error: 'access_denied', state: STATE },
    ]);
    await watched.close();
  });

  it.each([
    ['of an app that is unknown', { client_id: 'nobody' }, 'trust.unknownApp'],
    ['to a longer address', { redirect_uri: `${BACK_TO_APP}/more` }, 'trust.launchRefused'],
    ['to an address in upper case', { redirect_uri: BACK_TO_APP.toUpperCase() }, 'trust.launchRefused'],
    ['to an address with a user name', { redirect_uri: 'https://app.example@evil.example/' }, 'trust.launchRefused'],
    ['for more than the token has', { scope: 'device.list live ptz' }, 'trust.launchRefused'],
    ['with a token that is none', { access_token: 'x'.repeat(43) }, 'trust.launchRefused'],
  ] as const)('%s is refused with a sentence, on our own page', async (_name, more, phrase) => {
    const watched = await openPage(browser);
    const { page } = watched;
    await page.goto(launchAddress(await app.newToken(), more));
    await page.getByText(words[phrase]).waitFor();
    expect(new URL(page.url()).origin + new URL(page.url()).pathname).toBe(`${product.url}/oauth2/authorize`);
    await watched.close();
  });

  it('with the token of another app is refused, and the end of the session leads to trust login', async () => {
    const other = await newLaunchingApp(product, operator, { appName: 'Other' });
    const watched = await openPage(browser);
    const { page } = watched;
    await page.goto(launchAddress(await other.newToken()));
    await page.getByText(words['trust.launchRefused']).waitFor();
    await page.goto(launchAddress(await other.newToken(), { client_id: other.appId }));
    await opening(page).click();
    await page.waitForURL(/\/homepage\/liveVideo/);
    await operator.ok('app/delete', { appId: other.appId });
    await page.reload();
    await page.waitForURL(/\/oauth2\/authorize/, { timeout: 10_000 });
    expect((await operator.call('token/check', {})).code).toBe(200);
    await watched.close();
  });
});
