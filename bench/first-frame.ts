// npm run bench:first-frame: from the subscription of a hot stream to its first frame on screen, in Chromium, on the real wall.
import { parseArgs } from 'node:util';
import { pack } from '@vedette/phrases/en/pack.ts';
import type { Page } from 'playwright-core';
import { signIn } from '../tests/browser/console-steps.ts';
import { openBrowser, openPage } from '../tests/harness/browser.ts';
import { Product } from '../tests/harness/product.ts';
import { waitFor } from '../tests/harness/wait-for.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } });
/** What the product promises for a hot stream. */
const GOAL_MS = 90;
const ACCOUNT = { name: 'operator', password: 'Watch-2026' };

const [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
try {
  const operator = await product.setUp(ACCOUNT.name, ACCOUNT.password);
  // Recorded main streams are always connected, which is what makes them hot.
  await waitFor('eight cameras online', async () => (await operator.ok('device/list', {})).onlineTotal >= 8, 60_000);
  const { page } = await openPage(browser);
  await page.addInitScript(timeFirstFrames);
  await page.goto(`${product.url}/login`);
  await signIn(page, pack, ACCOUNT.name, ACCOUNT.password);
  const times: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) times.push(await openOnce(page, round));
  process.stderr.write(`in order: ${times.map((time) => Math.round(time)).join(' ')}\n`);
  times.sort((a, b) => a - b);
  const p50Ms = at(times, 0.5);
  const result = { bench: 'first-frame', rounds: times.length, p50Ms, p95Ms: at(times, 0.95), goalMs: GOAL_MS };
  process.stdout.write(`${JSON.stringify({ ...result, ratioToGoal: Math.round((p50Ms / GOAL_MS) * 100) / 100 })}\n`);
} finally {
  await browser.close();
  await product.stop();
}

/** Opens one camera on an empty wall of one window, a different one each time. */
async function openOnce(page: Page, round: number): Promise<number> {
  const cameras = page.getByRole('treeitem', { name: /Gate House|Car Park|Main Lobby|Roof|Dock 3/ });
  await cameras.first().waitFor();
  await page
    .getByRole('button', { name: pack['live.clear'] })
    .click({ trial: false })
    .catch(() => undefined);
  const before = await page.evaluate('window.firstFrames.length');
  await cameras.nth(round % (await cameras.count())).dblclick();
  return waitFor('a first frame', async () => {
    const times = (await page.evaluate('window.firstFrames')) as number[];
    return times.length > Number(before) ? times.at(-1) : undefined;
  });
}

/** Runs in the page before anything else: notes the time from each subscription until its tile is live, which it is with its first picture. */
function timeFirstFrames(): void {
  const firstFrames: number[] = [];
  Object.assign(globalThis, { firstFrames });
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (typeof data === 'string' && data.includes('"subscribe"')) {
      const subscribedAt = performance.now();
      const look = (): void => {
        const isLive = document.querySelector('[data-cell][data-state=live]') !== null;
        if (isLive) firstFrames.push(performance.now() - subscribedAt);
        else requestAnimationFrame(look);
      };
      look();
    }
    send.call(this, data);
  };
}

function at(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
