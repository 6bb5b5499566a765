// npm run monkey -- [--steps N] [--seed S] [--locale zh-CN]: presses whatever the console of a demo shows, at random, and fails on any error; prints one JSON line.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openSignedIn } from '../signed-in.ts';
import { seededRandom } from '../../fuzz/engine/mutate.ts';
import { openBrowser } from '../../harness/browser.ts';
import { Product } from '../../harness/product.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { pageFaults } from './page-faults.ts';
import { RandomUser } from './random-steps.ts';

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    locale: { type: 'string', default: 'en-US' },
    /** Folder for a picture of the page and the steps before each fault. */
    into: { type: 'string', default: '' },
  },
});
/** Told with a fault. */
const STEPS_BEFORE = 12;
/** Refused calls are answers, and a page that is left cuts its requests. */
const NOT_A_FAULT = /status of (4\d\d|503)|ERR_ABORTED/;

const random = seededRandom(Number(values.seed));
const done: string[] = [];
const faults = new Set<string>();

async function tell(page: Page, fault: string): Promise<void> {
  if (faults.has(fault)) return;
  faults.add(fault);
  const before = done.slice(-STEPS_BEFORE);
  process.stderr.write(`${fault}\n  at ${page.url()}\n${before.map((one) => `  ${one}\n`).join('')}`);
  if (values.into === '') return;
  mkdirSync(values.into, { recursive: true });
  writeFileSync(join(values.into, `${faults.size}.png`), await page.screenshot());
}

const [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
try {
  const operator = await product.setUp();
  await waitFor('the demo', async () => (await operator.ok('device/list', { status: 1 })).total >= 9, 60_000);
  const locale = values.locale === 'zh-CN' ? 'zh-CN' : 'en-US';
  const watched = await openSignedIn(browser, product, { path: '/homepage/container', locale, allowed: NOT_A_FAULT });
  const { page } = watched;
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  const user = new RandomUser(page, random, product.url);
  let told = 0;
  for (let step = 0; step < Number(values.steps); step += 1) {
    done.push(await user.step());
    // A page that goes on to another one meanwhile cannot be read: the next step looks again.
    const news = [...watched.problems.slice(told), ...(await pageFaults(page).catch(() => []))];
    told = watched.problems.length;
    for (const fault of news) await tell(page, fault);
  }
} finally {
  await browser.close();
  await product.stop();
}
process.stdout.write(
  `${JSON.stringify({ monkey: 'console', seed: Number(values.seed), steps: done.length, faults: [...faults] })}\n`,
);
process.exitCode = faults.size > 0 ? 1 : 0;
