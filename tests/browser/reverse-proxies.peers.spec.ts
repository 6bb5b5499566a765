// The console in a browser behind each documented proxy, by HTTP/2 where the proxy offers it: sign-in, events, and live video on a wall.
import type { Browser, WebSocket } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowserWithNames } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { hasProxies, PROXIES, PROXY_HOST, ReverseProxy } from '../harness/reverse-proxy.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { signIn } from './console-steps.ts';
import { OPERATOR, wordsOf } from './signed-in.ts';

const words = wordsOf('en-US');

describe.skipIf(!hasProxies())('a browser behind', () => {
  let product: Product;
  let virtual: VirtualSite;
  let browser: Browser;

  beforeAll(async () => {
    const env = { VEDETTE_HTTP: '1', VEDETTE_TRUSTED_PROXIES: '127.0.0.1' };
    [product, virtual, browser] = await Promise.all([
      Product.start({ env }),
      startVirtualSite(['--cameras', '1']),
      openBrowserWithNames(`MAP ${PROXY_HOST} 127.0.0.1`),
    ]);
    await addAll(await product.setUp(...OPERATOR), virtual.devices);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([product?.stop(), virtual?.stop()]);
  });

  it.each(PROXIES)('%s signs in, hears events and shows a camera', async (name) => {
    const proxy = await ReverseProxy.start(name, new URL(product.url).host.replace('localhost', '127.0.0.1'));
    // The proxy's certificate is of an authority that no browser knows.
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US' });
    const page = await context.newPage();
    const bytes = new Map<string, number>();
    const count = (socket: WebSocket): void => {
      const path = new URL(socket.url()).pathname;
      socket.on('framereceived', ({ payload }) => bytes.set(path, (bytes.get(path) ?? 0) + payload.length));
    };
    page.on('websocket', count);
    const base = `https://${PROXY_HOST}:${proxy.port}`;
    await page.goto(`${base}/login?from=/homepage/liveVideo`);
    await signIn(page, words, ...OPERATOR);
    await waitFor('events', () => (bytes.get('/ws') ?? 0) > 0, 30_000);
    await page.getByRole('button', { name: words['live.fill'] }).first().click();
    await waitFor('live video', () => (bytes.get('/media/live') ?? 0) > 200_000, 60_000);
    expect(await page.evaluate('isSecureContext')).toBe(true);
    const [entry] = await page.evaluate<string[]>(
      'performance.getEntriesByType("navigation").map((one) => one.nextHopProtocol)',
    );
    expect(entry).toBe('h2');
    await context.close();
    await proxy.stop();
  }, 180_000);
});
