// Attacks by a page of another origin in the same browser: frames, sockets, calls, drags, forged messages.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES } from './console-steps.ts';
import { openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let site: VirtualSite;
let watched: WatchedPage;
let page: Page;
let deviceSerial: string;
let elsewhere: Server;
let hostileUrl: string;

beforeAll(async () => {
  elsewhere = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Prize</title><body></body>');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  hostileUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  [product, browser, site] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
  operator = await product.setUp(...OPERATOR);
  const camera = site.devices.find(({ kind }) => kind === 'camera');
  if (!camera) throw new Error('no camera');
  const { target, user, password } = camera;
  ({ deviceSerial } = (await operator.ok('device/add', { target, user, password, deviceName: 'Gate' })).device);
  await operator.ok('org/add', { organizationName: 'Pier' });
  watched = await openSignedIn(browser, product, { path: '/homepage/orgManage' });
  ({ page } = watched);
}, 200_000);

afterAll(async () => {
  await browser?.close();
  elsewhere?.close();
  await Promise.all([product?.stop(), site?.stop()]);
});

const node = (name: string): Locator => page.getByRole('treeitem', { name, exact: true });

/** A drag that began in another window: the browser gets it from the window system, with whatever types and data that window gave it. */
async function dragFromOutside(target: Locator, items: Readonly<Record<string, string>>): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('nothing to drop on');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const data = {
    items: Object.entries(items).map(([mimeType, text]) => ({ mimeType, data: text })),
    dragOperationsMask: 1 | 2 | 16,
  };
  const cdp = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, x, y, data });
  await cdp.detach();
}

const placeOfGate = async (): Promise<string> =>
  (await operator.ok('device/get', { deviceSerial })).device.organizationName;

const row = (name: string): Locator => page.getByRole('tree').getByRole('treeitem', { name });
const shown = (): Promise<string[]> =>
  page.locator('[data-cell], [data-wall] > *').evaluateAll((all) => all.map((one) => one.textContent));
const channel = (): string => JSON.stringify({ deviceSerial, channelNo: 1 });

describe('[SE-91] items dragged in from another window', () => {
  it('a device named by another page stays in its organisation, whatever the data type; one of this page moves', async () => {
    await operator.ok('device/move', { deviceSerial, organizationId: '0' });
    await page.getByRole('button', { name: words['org.root'] }).click();
    await page.getByRole('row', { name: 'Gate' }).waitFor();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    for (const target of [node('Pier'), page.getByRole('button', { name: words['org.root'] })]) {
      await dragFromOutside(target, { 'application/x-vedette-devices': JSON.stringify([deviceSerial]) });
      await dragFromOutside(target, { 'text/plain': JSON.stringify([deviceSerial]), 'text/uri-list': hostileUrl });
      await dragFromOutside(target, { 'application/x-vedette-devices': '{"no":"array"' });
    }
    // What the page asks for comes in order: nothing was asked for before the drag of its own.
    await page.getByRole('row', { name: 'Gate' }).dragTo(node('Pier'));
    await waitFor('the own drag', async () => (await placeOfGate()) === 'Pier');
    expect(sent.filter((path) => path.endsWith('/device/move'))).toHaveLength(1);
    expect(watched.problems).toEqual([]);
  });

  it('no tile shows what another page names, and the page follows no dropped link', async () => {
    for (const [path, place] of [
      ['/homepage/liveVideo', '[data-cell="0"]'],
      [`/homepage/container?device=${deviceSerial}&channel=1&split=4`, '[data-wall] > :last-child'],
    ] as const) {
      await page.goto(`${product.url}${path}`);
      await row('Gate').first().waitFor();
      const tile = page.locator(place);
      await tile.waitFor();
      const before = await shown();
      await dragFromOutside(tile, { 'application/x-vedette-channel': channel() });
      await dragFromOutside(tile, { 'application/x-vedette-channel': `[${channel()}]`, 'text/plain': channel() });
      await dragFromOutside(tile, { 'text/uri-list': hostileUrl, 'text/plain': hostileUrl });
      await dragFromOutside(tile, { 'application/x-vedette-tile': '0' });
      expect(await shown(), path).toEqual(before);
      expect(page.url()).toContain(path.split('?')[0]);
    }
  });
});

describe('what a page of another origin can reach', () => {
  let hostile: Page;
  beforeAll(async () => {
    hostile = await watched.context.newPage();
    await hostile.goto(hostileUrl);
  });

  it('[SE-89] no page of the console renders in its frame', async () => {
    for (const path of [
      '/',
      '/login',
      '/homepage/liveVideo',
      '/setup',
      '/client',
      '/terms',
      '/media/live',
      '/api/v1/x',
    ]) {
      await hostile.evaluate(async (address) => {
        const frame = document.createElement('iframe');
        frame.src = address;
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
        document.body.replaceChildren(frame);
        await loaded;
      }, product.url + path);
      // The driver hears of a frame a little later than the page.
      await expect
        .poll(() => hostile.frames().map((frame) => frame.url()), { message: path })
        .toEqual([hostileUrl, 'chrome-error://chromewebdata/']);
    }
  });

  it('[SE-83] [SE-91] its sockets are refused; its calls and forms read and change nothing, even with a token', async () => {
    const socketUrl = product.url.replace('http', 'ws');
    const closed = await hostile.evaluate(async (base) => {
      const outcome = (path: string): Promise<string> =>
        new Promise((resolve) => {
          const socket = new WebSocket(base + path);
          socket.onopen = () => resolve(`${path} open`);
          socket.onclose = ({ code }) => resolve(`${path} ${code}`);
        });
      return await Promise.all(['/ws', '/site'].map(outcome));
    }, socketUrl);
    expect(closed).toEqual(['/ws 1006', '/site 1006']);
    const input = { organizationName: 'Planted' };
    const read = await hostile.evaluate(
      async ({ url, token, body }) => {
        const attempt = async (init: RequestInit): Promise<string> => {
          try {
            const response = await fetch(url, { method: 'POST', body, ...init });
            return response.type === 'opaque' ? 'unreadable' : await response.text();
          } catch (error) {
            return (error as Error).name;
          }
        };
        return await Promise.all([
          attempt({
            headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          }),
          attempt({ headers: { 'content-type': 'text/plain' }, credentials: 'include' }),
          attempt({ mode: 'no-cors', credentials: 'include' }),
        ]);
      },
      { url: `${product.url}/api/v1/org/add`, token: operator.accessToken, body: JSON.stringify(input) },
    );
    expect(read).toEqual(['TypeError', 'TypeError', expect.stringMatching(/unreadable|TypeError/)]);
    await hostile.evaluate((url) => {
      document.body.innerHTML = `<iframe name="sink"></iframe><form method="post" enctype="text/plain" target="sink" action="${url}">
        <input name='{"organizationName":"Planted","x":"' value='"}'></form>`;
      document.querySelector('form')?.submit();
    }, `${product.url}/api/v1/org/add`);
    await hostile.waitForURL(hostileUrl);
    const { resourceList } = await operator.ok('org/resource/list', {});
    const names = resourceList.flatMap((one) =>
      one.resourceType === 'organization' ? [one.organization.organizationName] : [],
    );
    expect(names).toEqual(['Pier']);
  });

  it('[SE-91] messages about drags between windows of its own origin reach no console window', async () => {
    await operator.ok('device/move', { deviceSerial, organizationId: '0' });
    await page.goto(`${product.url}/homepage/liveVideo`);
    await row('Gate').first().waitFor();
    const tile = page.locator('[data-cell="0"]');
    const before = await shown();
    const { userId } = await operator.ok('account/info', {});
    const type = `application/x-vedette-${'a'.repeat(32)}`;
    const what = [{ deviceSerial, channelNo: 1 }];
    const message = { kind: 'begin', name: 'channels', userId, thing: { type, what } };
    const say = (told: object) => new BroadcastChannel('vedette.drag').postMessage(told);
    await hostile.evaluate(say, message);
    await dragFromOutside(tile, { [type]: '1' });
    expect(await shown()).toEqual(before);
    // The same words from a page of ours are heard: it is the origin that holds the other off.
    const twin = await watched.context.newPage();
    await twin.goto(`${product.url}/serverConfig.json`);
    await twin.evaluate(say, message);
    await waitFor('the drag of our own origin', async () => {
      await dragFromOutside(tile, { [type]: '1' });
      return (await tile.getAttribute('data-state')) !== 'empty';
    });
    await twin.close();
  });

  it('[SE-90] a console window it opens has no opener and ignores forged shell and session messages', async () => {
    const opened = watched.context.waitForEvent('page');
    await hostile.evaluate(
      (url) => void Object.assign(window, { prey: window.open(url) }),
      `${product.url}/homepage/liveVideo`,
    );
    const prey = await opened;
    await prey.waitForLoadState();
    const reach = await hostile.evaluate(() => {
      const { prey } = window as unknown as { prey: Window };
      for (const data of [
        { id: '1', url: '/api/v1.0/web/account/operate', data: { operate: 'logout' } },
        { id: '2', url: '/api/v1.0/web/account/operate', data: { operate: 'logout' }, nonce: '' },
        { type: 'signedOut' },
        { type: 'session', session: { accessToken: 'planted' } },
      ])
        prey.postMessage(data, '*');
      return prey.closed;
    });
    expect(reach).toBe(true);
    expect(await prey.evaluate(() => window.opener)).toBeNull();
    await prey.getByRole('treeitem', { name: 'Gate' }).first().waitFor();
    expect(new URL(prey.url()).pathname).toBe('/homepage/liveVideo');
    expect((await operator.call('device/get', { deviceSerial })).code).toBe(200);
  });
});
