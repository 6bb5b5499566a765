// An app of somebody else in real browsers over TLS: asks, is allowed one camera, shows it live, and goes dark when it is revoked.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import * as openid from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, type Words } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const SCOPES = 'openid profile offline_access device.list live';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let camera: { readonly deviceSerial: string; readonly deviceName: string };
/** Where browsers come back to the app: its own page on the user's machine. */
let app: Server;
const cameBack: URL[] = [];

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  const authority = readFileSync(join(product.data, 'tls', 'ca.pem'), 'utf8');
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority]);
  app = createServer((request, reply) => {
    if (request.url?.startsWith('/cb') === true) cameBack.push(new URL(request.url, origin()));
    reply.setHeader('content-type', 'text/html').end('<title>App</title><p>Back in the app</p>');
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  camera = (await waitFor(
    'a camera of the demo',
    async () => {
      const { deviceList } = await operator.ok('device/list', { status: 1 });
      return deviceList.find(({ channelTotal }) => channelTotal === 1) ?? false;
    },
    60_000,
  )) as typeof camera;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  app?.close();
});

const origin = (): string => `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
const secureUrl = (): string => product.url.replace(/^http:/, 'https:');

/** Nothing but the issuer and the id of the app: the rest is discovered. */
async function discovered(appId: string): Promise<openid.Configuration> {
  return await openid.discovery(new URL(`${secureUrl()}/oidc`), appId, undefined, openid.None());
}

/** Signs in where one is, to go on with what was asked there. */
async function enter(page: Page, words: Words): Promise<void> {
  const [account, password] = OPERATOR;
  await page.getByLabel(words['login.account'], { exact: true }).fill(account);
  await page.getByLabel(words['login.password'], { exact: true }).fill(password);
  await page.getByRole('button', { name: words['login.submit'] }).click();
}

async function choose(page: Page, words: Words, name: string): Promise<void> {
  const tree = page.getByRole('tree', { name: words['apps.placesLabel'] });
  await tree.getByRole('treeitem', { name }).first().click();
}

/** As the tree shows it at once: the topmost place that holds the camera. */
async function topmostPlace(): Promise<string> {
  const { resourceList } = await operator.ok('org/resource/sub', { organizationId: '0', queryMode: 1 });
  const [first] = resourceList;
  if (first === undefined) throw new Error('the demo has nothing');
  return first.resourceType === 'organization' ? first.organization.organizationName : first.device.deviceName;
}

describe.each(LANGUAGES)('in $lang', ({ locale, lang, words }) => {
  let appId: string;
  let watched: WatchedPage;

  it('[OA-04] an app is registered under My account', async () => {
    watched = await openSignedIn(browser, product, { path: '/homepage/personalContainer?tab=apps', locale });
    const { page } = watched;
    await page.getByRole('button', { name: words['personal.newApp'] }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words['personal.appName'], { exact: true }).fill(`Door bell ${lang}`);
    await dialog.getByLabel(words['personal.appRedirects']).fill('http://127.0.0.1/cb');
    await dialog.getByRole('switch', { name: words['personal.appPublic'] }).check();
    await expectNoProblems(watched, `app-form-${lang}`);
    await dialog.getByRole('button', { name: words['common.save'] }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(`Door bell ${lang}`).waitFor();
    await expectNoProblems(watched, `apps-${lang}`);
    appId = (await operator.ok('app/list', {})).appList.find(({ appName }) => appName.endsWith(lang))?.appId ?? '';
    await watched.close();
  });

  it('[RT-07] [OA-01] [OA-02] it is allowed devices, shows one live, and goes dark within 2 s of its revocation', async () => {
    const configuration = await discovered(appId);
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: `${origin()}/cb`,
      scope: SCOPES,
      prompt: 'consent',
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    watched = await openPage(browser, { locale, ignoreHTTPSErrors: true });
    const { page } = watched;
    await page.goto(address.href);
    await page.waitForURL(/\/oauth2\/authorize\?interaction=/);
    await expectNoProblems(watched, `trust-login-${lang}`);
    await enter(page, words);
    await page.waitForURL(/\/oauth2\/confirmInfo\?interaction=/);
    await page.getByText(words['scope.live']).waitFor();
    await choose(page, words, await topmostPlace());
    await expectNoProblems(watched, `confirm-info-${lang}`);
    await page.getByRole('button', { name: words['apps.allow'] }).click();
    await page.getByText('Back in the app').waitFor();
    const back = cameBack.at(-1);
    if (back === undefined) throw new Error('the browser did not come back');
    const tokens = await openid.authorizationCodeGrant(configuration, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens.claims()?.iss).toBe(`${secureUrl()}/oidc`);
    const api = new ApiClient(product.url);
    api.accessToken = tokens.access_token;
    const { deviceList } = await api.ok('device/list', {});
    expect(deviceList.length).toBeGreaterThan(0);
    const shown = deviceList.find(({ status }) => status === 1) ?? camera;
    const { ticket } = await api.ok('media/url', { deviceSerial: shown.deviceSerial, channelNo: 1 });
    const viewer = await LiveViewer.open(product.url, ticket);
    await waitFor('the live picture', () => viewer.fragments.length > 1, 20_000);
    await page.goto(`${secureUrl()}/homepage/personalContainer?tab=authorized`);
    await page.getByText(`Door bell ${lang}`).waitFor();
    await expectNoProblems(watched, `authorized-apps-${lang}`);
    const row = page.getByRole('listitem').filter({ hasText: `Door bell ${lang}` });
    await row.getByRole('button', { name: words['personal.revoke'] }).click();
    const dialog = page.getByRole('dialog');
    const revokedAt = Date.now();
    await dialog.getByRole('button', { name: words['personal.revoke'] }).click();
    await waitFor('the end of the live picture', () => viewer.end !== undefined, 5000);
    expect((viewer.end?.arrivedAt ?? Number.POSITIVE_INFINITY) - revokedAt).toBeLessThan(2000);
    expect((await api.call('device/list', {})).code).toBe(1001);
    const refreshed = openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    await expect(refreshed).rejects.toMatchObject({ error: 'invalid_grant' });
    viewer.close();
    await watched.close();
  });

  it('[OA-01] refused, the browser returns with error and state', async () => {
    const configuration = await discovered(appId);
    const parameters = { redirect_uri: `${origin()}/cb`, scope: SCOPES, state: `state-${lang}` };
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    const address = openid.buildAuthorizationUrl(configuration, { ...parameters, ...challenge });
    watched = await openPage(browser, { locale, ignoreHTTPSErrors: true });
    const { page } = watched;
    await page.goto(address.href);
    await enter(page, words);
    await page.getByRole('button', { name: words['apps.refuse'] }).click();
    await page.getByText('Back in the app').waitFor();
    const answer = cameBack.at(-1)?.searchParams;
    expect([answer?.get('error'), answer?.get('state')]).toEqual(['access_denied', `state-${lang}`]);
    await watched.close();
  });

  it('[RT-07] [OA-02] a code on a device is entered by hand, and its app is allowed', async () => {
    const configuration = await discovered(appId);
    const begun = await openid.initiateDeviceAuthorization(configuration, { scope: 'device.list live' });
    watched = await openPage(browser, { locale, ignoreHTTPSErrors: true });
    const { page } = watched;
    await page.goto(begun.verification_uri);
    await page.waitForURL(/\/oauth2\/deviceAuth$/);
    await enter(page, words);
    await page.getByLabel(words['apps.userCode']).fill(begun.user_code.toLowerCase());
    await expectNoProblems(watched, `device-code-${lang}`);
    await page.getByRole('button', { name: words['apps.next'] }).click();
    await page.getByText(words['scope.live']).waitFor();
    await choose(page, words, await topmostPlace());
    await expectNoProblems(watched, `device-question-${lang}`);
    await page.getByRole('button', { name: words['apps.allow'] }).click();
    await page.getByText(words['apps.deviceAllowed'].replace('{app}', `Door bell ${lang}`)).waitFor();
    const tokens = await openid.pollDeviceAuthorizationGrant(configuration, begun);
    expect(tokens.scope?.split(' ')).toContain('live');
    await watched.close();
  });
});
