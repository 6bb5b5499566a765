// A shell around a headless Chromium for tests of the kit: right, or wrong in one way that its second argument names.
import { newId } from '@vedette/foundation/random/ids.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { Peer } from '@vedette/bridge/peer/peer.ts';
import { CS_TOPICS } from '@vedette/bridge/topics/cs-topics.ts';
import { WEB_TOPICS } from '@vedette/bridge/topics/web-topics.ts';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';

const SHIM = `(() => {
  if (window.top !== window.self) return;
  const webview = new EventTarget();
  webview.postMessage = (message) => window.smallShellHears(JSON.stringify(message));
  window.smallShellSays = (json) => webview.dispatchEvent(new MessageEvent('message', { data: JSON.parse(json) }));
  window.chrome = Object.assign(window.chrome ?? {}, { webview });
})()`;
/** Longer than any topic of these checks may take. */
const LATE_MS = 4000;

const [, , url = '', mutant = 'none'] = process.argv;
const { origin } = new URL(url);
const isOwn = (address: string): boolean => new URL(address).origin === origin;

const browser = await openBrowser();
const context = await browser.newContext();
let take: (value: unknown) => void = () => undefined;
await context.addInitScript({ content: SHIM });
await context.exposeBinding('smallShellHears', ({ frame }, text: string) => {
  if (isOwn(frame.url())) take(text);
});
const page = await context.newPage();
if (mutant !== 'noLock') await lock(page, await context.newCDPSession(page));

const send = (json: string): void => {
  page
    .evaluate(`smallShellSays(${JSON.stringify(json)})`)
    // The page is being loaded again: nobody is there to be told.
    .catch(() => undefined);
};
let held: string | null = null;
let firstWord: unknown;
/** What each wrong shell does with a message. */
const sending: Readonly<Record<string, (json: string) => void>> = {
  wrongId: (json) => send(JSON.stringify({ ...JSON.parse(json), id: newId() })),
  late: (json) => systemClock.after(LATE_MS, () => send(json)),
  twice: (json) => [json, json].forEach(send),
  swapped: (json) => {
    if (!json.includes('"code":1006')) [json, held].forEach((one) => one !== null && send(one));
    held = json.includes('"code":1006') ? json : null;
  },
  oldWord: (json) => {
    const message = JSON.parse(json) as { nonce?: unknown };
    firstWord ??= message.nonce;
    send(JSON.stringify({ ...message, nonce: firstWord }));
  },
};
new Peer({
  side: 'shell',
  incoming: CS_TOPICS,
  outgoing: WEB_TOPICS,
  handlers: {
    'account/status': () => ({}),
    'system/info': () => ({ bridge: 1, topics: Object.keys(CS_TOPICS) }),
    'link/open': () => ({}),
  },
  clock: systemClock,
  newId,
  hasRight: () => true,
  onFailure: () => undefined,
  transport: {
    isOwn: true,
    send: sending[mutant] ?? send,
    onMessage: (listener) => {
      take = listener;
      return () => undefined;
    },
  },
});
await page.goto(url);

/** New windows by the context; windows and frames of the page also at each hop of a redirect. */
async function lock(locked: Page, devtools: CDPSession): Promise<void> {
  await context.route(
    (address) => address.origin !== origin,
    (route) => route.abort(),
  );
  context.on('page', (one) => one !== locked && void one.close().catch(() => undefined));
  devtools.on('Fetch.requestPaused', ({ requestId, request }) => {
    const answer = isOwn(request.url)
      ? devtools.send('Fetch.continueRequest', { requestId })
      : devtools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    void answer.catch(() => undefined);
  });
  await devtools.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] });
}
